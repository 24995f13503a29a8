package cli

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
)

// keyRing finds the keys that a configuration names. Files are relative to it.
// A check does without private keys: pull requests from forks have none.
func keyRing(p *project, check bool) *generate.KeyRing {
	return &generate.KeyRing{
		Private: func(s config.Signing) (sign.Key, diag.List, error) {
			kind, name, _ := strings.Cut(s.Key, ":")
			if check && !p.atHand(kind, name) {
				return sign.Key{}, diag.List{diag.New("signing-key-missing", s.Span, "the private key is not at hand, so the card is compared without making its signature anew")}, nil
			}
			read := func() (sign.Key, diag.List, error) { return p.readKey(s.Key) }
			if kind == "file" {
				read = func() (sign.Key, diag.List, error) { return p.committedKey(name) }
			}
			key, found, err := read()
			if err == nil && !key.CanSign() {
				err = usageError("name the private key; publish lists files with public ones", "the key of signing has no private half, so it cannot sign")
			}
			return placed(key, found, err, s.Span)
		},
		Public: func(s config.Signing, file string) (sign.Key, diag.List, error) {
			key, found, err := p.committedKey(file)
			return placed(key, found, err, s.Span)
		},
	}
}

// placed makes a finding of why a key cannot be used: the configuration names it.
func placed(key sign.Key, found diag.List, err error, span diag.Span) (sign.Key, diag.List, error) {
	if usage, ok := errors.AsType[*diag.CallError](err); ok {
		return sign.Key{}, diag.List{diag.New("config-value", span, "%s", usage.Message).WithHint(usage.Hint)}, nil
	}
	return key, found, err
}

// atHand tells whether the environment variable or the file that is to hold a
// key is there at all. Of a file that may not be read nothing is told.
func (p *project) atHand(kind, name string) bool {
	if kind == "env" {
		return os.Getenv(name) != ""
	}
	_, file, err := p.Source(name, paths.Committed)
	if err == nil {
		_, err = fs.Stat(p.trees[0].FS, file)
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// committedKey reads a key file that the configuration names. Anybody may have
// proposed that, so it lies in the project; whether there is anything elsewhere,
// and what, no message tells.
func (p *project) committedKey(name string) (sign.Key, diag.List, error) {
	_, file, err := p.Source(name, paths.Committed)
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(p.trees[0].FS, file, keySize)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = fs.Stat(p.trees[0].FS, file)
	}
	if _, ok := errors.AsType[*safefile.TooLargeError](err); ok {
		return sign.Key{}, nil, usageError("", "the key %s has more than %d bytes", diag.Quote(name), keySize)
	}
	if err != nil {
		hint := ""
		if errors.Is(err, paths.ErrOutside) || errors.Is(err, paths.ErrAbsolute) {
			hint = "env:NAME reads a key that is not in the project; cardwright sign --key takes any file"
		}
		return sign.Key{}, nil, usageError(hint, "cannot read the key %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	shown := p.show(p.Root)(file)
	return parseKey(shown, data, info)
}

// onDisk returns a reader of the files in the public and the private output
// directory: nil for one that is not there, cannot be read, or whose directory
// is nil. It works until the project is closed.
func (p *project) onDisk(public, private *paths.Dir) func(extended bool, name string) []byte {
	open := func(dir *paths.Dir) *safefile.Root {
		if dir == nil || len(dir.Rest) > 0 {
			return nil
		}
		root, err := safefile.RootOf(dir.Root)
		if err != nil {
			return nil
		}
		p.open = append(p.open, root)
		return root
	}
	roots := map[bool]*safefile.Root{false: open(public), true: open(private)}
	return func(extended bool, name string) []byte {
		root := roots[extended]
		if root == nil {
			return nil
		}
		data, err := safefile.ReadFile(root, name, 16<<20)
		if err != nil {
			return nil
		}
		return data
	}
}
