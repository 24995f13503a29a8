package cli

import (
	"fmt"
	"os"

	"cardwright/internal/diag"
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

// readKeySet reads the keys of a file, and says which of a key set it leaves out.
func (a *app) readKeySet(name string) ([]sign.Key, error) {
	s, err := a.space()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	keys, found, err := keysIn(s).Files(name)
	if err != nil {
		return nil, err
	}
	for _, d := range found {
		switch {
		case d.Severity == diag.Error:
			return nil, usageError(d.Hint, "%s: %s", name, d.Message)
		case d.Rule != "key-file-mode":
			a.talk(fmt.Sprintf("%s: %s: %s [%s]", name, d.Severity, d.Message, d.Rule))
		}
	}
	return keys, nil
}
