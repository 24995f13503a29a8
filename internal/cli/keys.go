package cli

import (
	"os"

	"cardwright/internal/keyring"
	"cardwright/internal/sign"
	"cardwright/internal/workspace"
)

// keysIn reads keys that the command line names.
func keysIn(s *workspace.Space) keyring.Ring { return keyring.Ring{Space: s, Getenv: os.LookupEnv} }

// keys reads keys, and those that the configuration names.
func keysOf(p *workspace.Project) keyring.Ring {
	r := keysIn(p.Space)
	r.Project = p.Whole.FS
	return r
}

// readKeyFile reads a key for a command that says nothing of who can read its file.
func (a *app) readKeyFile(name string) (sign.Key, error) {
	s, err := a.space()
	if err != nil {
		return sign.Key{}, err
	}
	defer s.Close()
	k, _, err := keysIn(s).File(name)
	return k, err
}
