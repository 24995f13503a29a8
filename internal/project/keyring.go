package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/sign"
)

// Ring reads keys.
type Ring struct {
	Workspace *Workspace
	Project   *Project // whose configuration names keys, nil without one
	Getenv    func(name string) (string, bool)
}

// RingOf reads keys that the command line names, and keys of a configuration.
func RingOf(p *Project, getenv func(name string) (string, bool)) Ring {
	return Ring{Workspace: p.Workspace, Project: p, Getenv: getenv}
}

// maxKey is how much of a key file is read, in bytes. Longer ones are refused.
const maxKey = 64 << 10

// Read reads the key that file:PATH or env:NAME names. A private key in a file
// that others can read is a finding. No message shows the key, or the text that
// was given instead of a name, which may be a key.
func (r Ring) Read(ref string) (sign.Key, diag.List, error) {
	kind, name, _ := strings.Cut(ref, ":")
	switch {
	case kind == "env" && variableName().MatchString(name):
		key, err := r.variable(name)
		return key, nil, err
	case kind == "file" && name != "" && !strings.ContainsAny(name, "\n{=") && !strings.Contains(name, "-----"):
		return r.File(name)
	}
	hint := "for a key in a KMS or HSM, use --print-input"
	if keyFile().MatchString(ref) {
		hint = "--key file:" + ref
	}
	return sign.Key{}, nil, diag.UsageError(hint,
		"--key takes file:PATH or env:NAME: a key must not be on the command line, where others can see it")
}

// keyFile matches the name of a file, and no key in base64.
var keyFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w./-]{1,80}\.(?:pem|jwks?|json|key)$`)
})

// variableName matches a name of an environment variable, and no key in base64, which is
// longer.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,59}$`) })

// keyText matches how DER, PEM and a JWK begin in base64, and the 32 bytes of a seed.
var keyText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:file:|env:)?(?:(?:M|LS0t|eyJ)[\w+/-]{30,}=*|[\w+-]{43}=?)$`)
})

// shown quotes a name, but for a key that was given instead.
func shown(name string) string {
	if keyText().MatchString(name) {
		return "whose name looks like a key itself"
	}
	return diag.Quote(name)
}

func (r Ring) variable(name string) (sign.Key, error) {
	value, _ := r.Getenv(name)
	if keyText().MatchString(name) && name != strings.ToUpper(name) {
		name = shown(name)
	}
	if value == "" {
		return sign.Key{}, diag.UsageError("set it to the text of the key, PEM or JWK, in CI as a secret",
			"the environment variable %s, which holds the key, is not set", name)
	}
	k, err := sign.ParseKey([]byte(value))
	if err != nil {
		return sign.Key{}, diag.UsageError("", "the environment variable %s is not a key: %s", name, err)
	}
	return k, nil
}

// Trusted gathers the keys that the command line names to trust: one as file:PATH or
// env:NAME, and a key set as a file or a URL that fetch gets. "" is none.
func (r Ring) Trusted(
	ctx context.Context, key, set string, fetch func(ctx context.Context, url string) ([]byte, error),
) (keys []sign.Key, found diag.List, err error) {
	if key != "" {
		k, more, err := r.Read(key)
		if err != nil {
			return nil, nil, err
		}
		keys, found = append(keys, k.Public()), more
	}
	if set == "" {
		return keys, found, nil
	}
	data, err := r.set(ctx, set, fetch)
	if err != nil {
		return nil, nil, err
	}
	more, faults := sign.ParseJWKS(set, data)
	return append(keys, more...), append(found, faults...), nil
}

func (r Ring) set(ctx context.Context, name string, fetch func(ctx context.Context, url string) ([]byte, error)) (
	[]byte, error,
) {
	if strings.Contains(name, "://") {
		data, err := fetch(ctx, name)
		if err != nil {
			return nil, diag.UsageError("", "%s", err)
		}
		return data, nil
	}
	const maxSet = 4 << 20
	data, _, err := r.content("key set", name, maxSet)
	return data, err
}

// content reads a file that the command line names: any file, or a pipe.
func (r Ring) content(what, name string, limit int) ([]byte, fs.FileInfo, error) {
	data, info, err := r.Workspace.Read(name, limit)
	if err != nil {
		err = unreadKey(what, name, err)
	}
	return data, info, err
}

// Signature reads a file with a signature that was made elsewhere.
func (r Ring) Signature(name string) ([]byte, error) {
	data, _, err := r.content("signature", name, maxKey)
	return data, err
}

// File reads a key file that the command line names.
func (r Ring) File(name string) (sign.Key, diag.List, error) {
	data, info, err := r.content("key", name, maxKey)
	if err != nil {
		return sign.Key{}, nil, err
	}
	return parseKey(name, data, info)
}

// parseKey makes a key of what its file holds.
func parseKey(name string, data []byte, info fs.FileInfo) (sign.Key, diag.List, error) {
	k, err := sign.ParseKey(data)
	if err != nil {
		return sign.Key{}, nil, diag.UsageError("", "%s is not a usable key: %s", diag.Quote(name), err)
	}
	if k.CanSign() && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return k, diag.List{diag.New(diag.KeyFileMode, diag.Span{File: name},
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
			if check && !r.atHand(s) {
				missing := diag.New(diag.SigningKeyMissing, s.Span,
					"the private key is missing, so the card is compared without signing it again")
				missing.Secret = keyText().MatchString(s.Key)
				return sign.Key{}, diag.List{missing}, nil
			}
			key, found, err := r.configured(s.Key)
			if err == nil && !key.CanSign() {
				err = diag.UsageError("set signing.key to a private key; public keys belong in signing.publish",
					"the key of signing has no private half, so it cannot sign")
			}
			return placed(key, found, err, s.Span, s.Key)
		},
		Public: func(s config.Signing, ref string) ([]sign.Key, diag.List, error) {
			if data, name, _, err := r.committed(ref); err == nil {
				if _, err := sign.ParseKey(data); errors.Is(err, sign.ErrKeySet) {
					keys, found := sign.ParseJWKS(name, data)
					return keys, found, nil
				}
			}
			key, found, err := r.configured(ref)
			key, found, err = placed(key, found, err, s.Span, ref)
			return []sign.Key{key}, found, err
		},
	}
}

// placed makes a finding of why a key cannot be used: the configuration names it.
func placed(key sign.Key, found diag.List, err error, span diag.Span, ref string) (sign.Key, diag.List, error) {
	if usage, ok := errors.AsType[*diag.CallError](err); ok {
		fault := diag.New(diag.ConfigValue, span, "%s", usage.Message).WithHint(usage.Hint)
		fault.Secret = keyText().MatchString(ref)
		return sign.Key{}, diag.List{fault}, nil
	}
	return key, found, err
}

// atHand reports whether the environment variable or the file of a key exists. It
// reveals nothing about a file that must not be read.
func (r Ring) atHand(s config.Signing) bool {
	if name, ok := strings.CutPrefix(s.Key, "env:"); ok {
		value, _ := r.Getenv(name)
		return value != ""
	}
	tree, err := r.Project.openSource(strings.TrimPrefix(s.Key, "file:"))
	if err == nil {
		_, err = fs.Stat(tree.FS, tree.Root)
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// configured reads a key that the configuration names.
func (r Ring) configured(ref string) (sign.Key, diag.List, error) {
	if !strings.HasPrefix(ref, "file:") {
		return r.Read(ref)
	}
	data, name, info, err := r.committed(ref)
	if err != nil {
		return sign.Key{}, nil, unreadKey("key", name, err)
	}
	return parseKey(name, data, info)
}

// unreadKey is the error of a file with keys that err keeps from being read.
func unreadKey(what, name string, err error) error {
	hint := ""
	switch {
	case errors.Is(err, files.ErrOutside), errors.Is(err, files.ErrAbsolute):
		hint = "for a key outside the project use env:NAME, or cardwright sign --key"
	case what == "key" && errors.Is(err, fs.ErrNotExist):
		hint = "correct the path, or make a key with cardwright key new"
	}
	return diag.UsageError(hint, "cannot read the %s %s: %s", what, shown(name), files.Reason(err))
}

// committed reads the file of a key that the configuration names. A pull request may
// propose that name, so the file must be in the project, and no message reveals what is
// outside.
func (r Ring) committed(ref string) (data []byte, name string, info fs.FileInfo, err error) {
	name = strings.TrimPrefix(ref, "file:")
	tree, err := r.Project.openSource(name)
	if err != nil {
		return nil, name, nil, cmp.Or(errors.Unwrap(err), err) // the command line names no key of the configuration
	}
	if data, err = files.ReadFile(tree.FS, tree.Root, maxKey); err != nil {
		return nil, name, nil, err
	}
	info, err = fs.Stat(tree.FS, tree.Root)
	return data, tree.Show(tree.Root), info, err
}

// Keep writes a private key to a new file that only its owner can read.
func (r Ring) Keep(out string, k sign.Key) error {
	text, err := k.PEM()
	if err != nil {
		return fmt.Errorf("writing a key: %w", err)
	}
	return r.Workspace.Create("-o", out, text, 0o600)
}
