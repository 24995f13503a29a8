package project

import (
	"cardwright/internal/diag"
	"cardwright/schema"
)

// Options say what a run makes of a project.
type Options struct {
	Environment string                           // --env
	BaseURL     string                           // --base-url
	Set         []string                         // --set KEY=VALUE, for every agent
	Getenv      func(name string) (string, bool) // the environment, for vars only
	Named       []string                         // what the command line names: files, directories, patterns, - for stdin
	Strict      bool
	FailOn      diag.Severity // from which findings end the run
}

// ProtocolNames lists the names of protocols that flags take.
func ProtocolNames() string {
	return diag.Enumerate(schema.Protocols(), "or")
}
