package project

import (
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/schema"
)

// Options say what a run makes of a project.
type Options struct {
	// Options are for the configuration, whose files the project finds.
	config.Options
	Named  []string // what the command line names: files, directories, patterns, - for stdin
	Strict bool
	FailOn diag.Severity // from which findings end the run
}

// ProtocolNames lists the names of protocols that flags take.
func ProtocolNames() string {
	return diag.Enumerate(schema.Protocols(), "or")
}
