package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// keyRing finds the keys that a configuration names. Files are relative to it.
// A check does without private keys: pull requests from forks have none.
func keyRing(p *project, check bool) *generate.KeyRing {
	return &generate.KeyRing{
		Private: func(s config.Signing) (sign.Key, diag.List, error) {
			kind, name, _ := strings.Cut(s.Key, ":")
			if check && !p.atHand(kind, name) {
				return sign.Key{}, diag.List{{Rule: "signing-key-missing", Severity: diag.Info, Message: "the private key is not at hand, so the card is compared without making its signature anew", Span: s.Span}}, nil
			}
			read := readKey
			if kind == "file" {
				read = func(string) (sign.Key, diag.List, error) { return p.readKey(name) }
			}
			key, found, err := read(s.Key)
			if err == nil && !key.CanSign() {
				err = usageError("name the private key; publish lists files with public ones", "the key of signing has no private half, so it cannot sign")
			}
			return placed(key, found, err, s.Span)
		},
		Public: func(s config.Signing, file string) (sign.Key, diag.List, error) {
			key, found, err := p.readKey(file)
			return placed(key, found, err, s.Span)
		},
	}
}

// placed makes a finding of why a key cannot be used: the configuration names it.
func placed(key sign.Key, found diag.List, err error, span diag.Span) (sign.Key, diag.List, error) {
	if exit, ok := errors.AsType[*exitError](err); ok {
		return sign.Key{}, diag.List{{Rule: "config-value", Severity: diag.Error, Message: exit.message, Hint: exit.hint, Span: span}}, nil
	}
	return key, found, err
}

// atHand tells whether the environment variable or the file that is to hold a
// key is there at all.
func (p *project) atHand(kind, name string) bool {
	if kind == "env" {
		return os.Getenv(name) != ""
	}
	p.watch(p.beside(name))
	_, err := os.Stat(p.beside(name))
	return !errors.Is(err, os.ErrNotExist)
}

// readKey reads a key file that the configuration names. Anybody may have
// proposed that, so nothing but a file is opened: a pipe would keep the run
// waiting.
func (p *project) readKey(name string) (sign.Key, diag.List, error) {
	name = p.beside(name)
	p.watch(name)
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return sign.Key{}, nil, usageError("", "the configuration names the key %s, which is no file", diag.Quote(name))
	}
	return readKeyFile(name)
}

// beside is the path of a file that the configuration names.
func (p *project) beside(name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.FromSlash(p.show(p.base)(filepath.ToSlash(name)))
}

// watch has a file watched that is read by itself.
func (p *project) watch(name string) {
	if full, err := filepath.Abs(name); err == nil {
		p.watcher.File(full)
	}
}

// onDisk returns a reader of the files in the public and the private output
// directory: nil for one that is not there, cannot be read, or whose directory
// is "". It works until the project is closed.
func (p *project) onDisk(public, private string) func(extended bool, name string) []byte {
	open := func(dir string) *source.Root {
		if dir == "" {
			return nil
		}
		root, err := source.OpenRoot(dir)
		if err != nil {
			return nil
		}
		p.roots = append(p.roots, root)
		return root
	}
	roots := map[bool]*source.Root{false: open(public), true: open(private)}
	return func(extended bool, name string) []byte {
		root := roots[extended]
		if root == nil {
			return nil
		}
		data, err := source.ReadFile(root, name, 16<<20)
		if err != nil {
			return nil
		}
		return data
	}
}
