package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/secret"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
	"cardwright/internal/source"
)

// Ring reads keys.
type Ring struct {
	Space   *Space
	Project *Project // whose configuration names keys, nil without one
	Getenv  func(name string) (string, bool)
}

// RingOf reads keys that the command line names, and those of a configuration.
func RingOf(p *Project, getenv func(name string) (string, bool)) Ring {
	return Ring{Space: p.Space, Project: p, Getenv: getenv}
}

// maxSize is how much of a key file is read, in bytes. Longer ones are refused.
const maxSize = 64 << 10

// Read reads the key that file:PATH or env:NAME names. A private key in a file
// that others can read is a finding. No message shows the key, or the text that
// was given instead of a name, which may be a key.
func (r Ring) Read(ref string) (sign.Key, diag.List, error) {
	kind, name, _ := strings.Cut(ref, ":")
	switch {
	// the key itself, as PEM, JWK or base64
	case name == "" || strings.ContainsAny(name, "\n{=") || strings.Contains(name, "-----"):
	case kind == "env" && secret.IsVariable(name):
		value, ok := r.Getenv(name)
		if !ok || value == "" {
			return sign.Key{}, nil, diag.UsageError("set it to the text of the key, PEM or JWK, in CI as a secret",
				"the environment variable %s, which holds the key, is not set", name)
		}
		k, err := keyfile.Parse([]byte(value))
		if err != nil {
			return sign.Key{}, nil, diag.UsageError("", "the environment variable %s is not a key: %s", name, err)
		}
		return k, nil, nil
	case kind == "file":
		return r.File(name)
	}
	if message, hint, ok := config.ElsewhereKey(ref); ok {
		return sign.Key{}, nil, diag.UsageError(hint, "%s", message)
	}
	return sign.Key{}, nil, diag.UsageError("name the file or variable that holds it: --key file:PATH or --key env:NAME",
		"a key must not be on the command line, where others can see it")
}

// Trust are the keys that the command line names to trust.
type Trust struct {
	Keys []string // file:PATH or env:NAME
	Sets []string // files of key sets
	URL  string   // of a key set
}

// Any reports whether any key was named.
func (t Trust) Any() bool { return len(t.Keys) > 0 || len(t.Sets) > 0 || t.URL != "" }

// Trusted gathers the keys that were named. fetch gets the content of a URL.
func (r Ring) Trusted(ctx context.Context, t Trust, fetch func(ctx context.Context, url string) ([]byte, error)) (
	keys []sign.Key, found diag.List, err error,
) {
	for _, ref := range t.Keys {
		k, more, err := r.Read(ref)
		if err != nil {
			return nil, nil, err
		}
		keys, found = append(keys, k.Public()), append(found, more...)
	}
	add := func(name string, set []byte) {
		more, faults := sign.ParseJWKS(name, set, source.Limits{})
		keys, found = append(keys, more...), append(found, faults...)
	}
	for _, name := range t.Sets {
		file, err := r.Space.Read(name, source.Limits{}.WithDefaults().Card)
		if err != nil {
			return nil, nil, diag.UsageError("", "cannot read the key set %s: %s", diag.Quote(name), files.Reason(err))
		}
		add(name, file.Data)
	}
	if t.URL != "" {
		set, err := fetch(ctx, t.URL)
		if err != nil {
			return nil, nil, diag.UsageError("", "%s", err)
		}
		add(t.URL, set)
	}
	return keys, found, nil
}

// Signature reads a signature that was made elsewhere: file:PATH, or base64.
func (r Ring) Signature(ref string) ([]byte, error) {
	name, ok := strings.CutPrefix(ref, "file:")
	if !ok {
		if strings.ContainsAny(ref, ".:") {
			return nil, diag.UsageError("--attach file:"+ref, "--attach %s is not a signature in base64", diag.Quote(ref))
		}
		return []byte(ref), nil
	}
	file, err := r.Space.Read(name, maxSize)
	if err != nil {
		return nil, diag.UsageError("", "cannot read the signature %s: %s", diag.Quote(name), files.Reason(err))
	}
	return file.Data, nil
}

func (r Ring) isSet(name string) bool {
	value, _ := r.Getenv(name)
	return value != ""
}

// File reads a key file that the command line names: any file, or a pipe.
func (r Ring) File(name string) (sign.Key, diag.List, error) {
	file, err := r.Space.Read(name, maxSize)
	if err != nil {
		return sign.Key{}, nil, diag.UsageError("", "cannot read the key %s: %s", diag.Quote(name), files.Reason(err))
	}
	return parseKey(name, file.Data, file.Info)
}

// files reads the keys of a file that the command line names: one key, or a key
// set.
func (r Ring) files(name string) ([]sign.Key, diag.List, error) {
	file, err := r.Space.Read(name, maxSize)
	if err != nil {
		return nil, nil, diag.UsageError("", "cannot read the key %s: %s", diag.Quote(name), files.Reason(err))
	}
	if _, err := keyfile.Parse(file.Data); errors.Is(err, sign.ErrKeySet) {
		keys, found := sign.ParseKeySet(name, file.Data)
		return keys, found, nil
	}
	key, found, err := parseKey(name, file.Data, file.Info)
	return []sign.Key{key}, found, err
}

// parseKey makes a key of what its file holds.
func parseKey(name string, data []byte, info fs.FileInfo) (sign.Key, diag.List, error) {
	k, err := keyfile.Parse(data)
	if err != nil {
		return sign.Key{}, nil, diag.UsageError("", "%s is not a usable key: %s", diag.Quote(name), err)
	}
	if k.CanSign() && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return k, diag.List{diag.New("key-file-mode", diag.Span{File: name},
			"other users of this machine can read the private key (mode %04o)", info.Mode().Perm()).
			WithHint("chmod 600 " + name)}, nil
	}
	return k, nil, nil
}

// Signing finds the keys that a configuration names. Files are relative to it.
// A check does without private keys: pull requests from forks have none.
func (r Ring) Signing(check bool) *generate.KeyRing {
	return &generate.KeyRing{
		Private: func(s config.Signing) (sign.Key, diag.List, error) {
			kind, name, _ := strings.Cut(s.Key, ":")
			if check && !r.atHand(kind, name, s.Span) {
				return sign.Key{}, diag.List{diag.New("signing-key-missing", s.Span,
					"the private key is missing, so the card is compared without signing it again")}, nil
			}
			read := func() (sign.Key, diag.List, error) { return r.Read(s.Key) }
			if kind == "file" {
				read = func() (sign.Key, diag.List, error) { return r.committedKey(name, s.Span) }
			}
			key, found, err := read()
			if err == nil && !key.CanSign() {
				err = diag.UsageError("set signing.key to a private key; public keys belong in signing.publish",
					"the key of signing has no private half, so it cannot sign")
			}
			return placed(key, found, err, s.Span)
		},
		Public: func(s config.Signing, file string) (sign.Key, diag.List, error) {
			key, found, err := r.committedKey(file, s.Span)
			return placed(key, found, err, s.Span)
		},
		Variable: func(name string) string {
			value, _ := r.Getenv(name)
			return value
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

// atHand reports whether the environment variable or the file of a key exists. It
// reveals nothing about a file that must not be read.
func (r Ring) atHand(kind, name string, by diag.Span) bool {
	if kind == "env" {
		return r.isSet(name)
	}
	tree, err := r.Project.OpenSource(name, by)
	if err == nil {
		_, err = fs.Stat(tree.FS, tree.Root)
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// committedKey reads a key file that the configuration names. Anybody may have
// proposed that name, so the file must be in the project, and no message
// reveals what is outside.
func (r Ring) committedKey(name string, by diag.Span) (sign.Key, diag.List, error) {
	tree, err := r.Project.OpenSource(name, by)
	err = cmp.Or(errors.Unwrap(err), err) // the command line names no key of the configuration
	var data []byte
	if err == nil {
		data, err = files.ReadFile(tree.FS, tree.Root, maxSize)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = fs.Stat(tree.FS, tree.Root)
	}
	if _, ok := errors.AsType[*files.TooLargeError](err); ok {
		return sign.Key{}, nil, diag.UsageError("", "the key %s has more than %d bytes", diag.Quote(name), maxSize)
	}
	if err != nil {
		hint := ""
		if errors.Is(err, files.ErrOutside) || errors.Is(err, files.ErrAbsolute) {
			hint = "for a key outside the project use env:NAME, or cardwright sign --key"
		}
		return sign.Key{}, nil, diag.UsageError(hint, "cannot read the key %s: %s", diag.Quote(name), files.Reason(err))
	}
	return parseKey(tree.Show(tree.Root), data, info)
}

// Keep writes a private key to a file of its own, which must not exist.
func (r Ring) Keep(out string, k sign.Key, form func(sign.Key) ([]byte, error)) error {
	text, err := form(k)
	if err != nil {
		return fmt.Errorf("writing a key: %w", err)
	}
	dir, name, err := r.Space.FileDir("-o", out)
	if err != nil {
		return err
	}
	switch err := publish.Create(dir, name, text, 0o600); {
	case errors.Is(err, fs.ErrExist):
		return diag.UsageError("choose another file with -o", "%s already exists, but a key is never overwritten", out)
	case err != nil:
		return diag.UsageError("", "cannot write %s: %s", out, files.Reason(err))
	}
	return nil
}

// Set returns the public halves of the keys in files as one key set, and a line for
// each key that it leaves out.
func (r Ring) Set(files []string) (set *source.Node, leftOut []string, err error) {
	var keys []sign.Key
	for _, name := range files {
		more, found, err := r.files(name)
		if err != nil {
			return nil, leftOut, err
		}
		for _, d := range found {
			switch {
			case d.Severity == diag.Error:
				return nil, leftOut, diag.UsageError(d.Hint, "%s: %s", name, d.Message)
			case d.Rule != "key-file-mode":
				leftOut = append(leftOut, fmt.Sprintf("%s: %s: %s [%s]", name, d.Severity, d.Message, d.Rule))
			}
		}
		keys = append(keys, more...)
	}
	if set, err = sign.JWKS(keys); err != nil {
		err = diag.UsageError("give each key its own kid: cardwright key public --kid NAME FILE", "%s", err)
	}
	return set, leftOut, err
}
