package cli

import (
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/safefile"
	"cardwright/internal/sign"
	"cardwright/internal/sign/keyfile"
)

// keySize is how much of a key file is read, in bytes. Longer ones are refused.
const keySize = 64 << 10

// readKey reads the key that file:PATH or env:NAME names. A private key in a
// file that others can read is a finding. What is wrong never shows the key,
// nor the text that was given in place of a name: that may be one.
func (p *project) readKey(ref string) (sign.Key, diag.List, error) {
	kind, name, _ := strings.Cut(ref, ":")
	switch {
	case name == "" || strings.ContainsAny(name, "\n{=") || strings.Contains(name, "-----"): // the key itself, as PEM, JWK or base64
	case kind == "env" && variable.MatchString(name):
		value, ok := os.LookupEnv(name)
		if !ok || value == "" {
			return sign.Key{}, nil, usageError("put the text of the key there, PEM or JWK, in CI as a secret", "the environment variable %s, which holds the key, is not set", name)
		}
		k, err := keyfile.Parse([]byte(value))
		if err != nil {
			return sign.Key{}, nil, usageError("", "the environment variable %s is not a key: %s", name, err)
		}
		return k, nil, nil
	case kind == "file":
		return p.readKeyFile(name)
	case slices.Contains(keyStores, kind):
		return sign.Key{}, nil, usageError("cardwright sign --print-input and --attach sign with a key that stays where it is: docs/kms.md", "keys are read from file:PATH or env:NAME, not from %s:", kind)
	}
	return sign.Key{}, nil, usageError("--key file:PATH or --key env:NAME", "a key is never given on the command line, where others can see it; name the file or the environment variable that holds it")
}

// keyStores are the schemes by which other tools name keys that they do not read.
var keyStores = []string{"exec", "cmd", "awskms", "gcpkms", "azurekms", "azurekeyvault", "hashivault", "k8s", "pkcs11", "kms", "arn", "vault", "https", "http"}

// variable matches the name of an environment variable that is no key in base64.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,59}$`)

// readKeyFile reads a key for a command that says nothing of who can read its file.
func (a *app) readKeyFile(name string) (sign.Key, error) {
	p, err := a.workplace()
	if err != nil {
		return sign.Key{}, err
	}
	defer p.close()
	k, _, err := p.readKeyFile(name)
	return k, err
}

// readKeyFile reads a key file that the command line names: any file, or a pipe.
func (p *project) readKeyFile(name string) (sign.Key, diag.List, error) {
	file, err := p.read(name, keySize)
	if err != nil {
		return sign.Key{}, nil, usageError("", "cannot read the key %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	return parseKey(name, file.data, file.info)
}

// parseKey makes a key of what its file holds.
func parseKey(name string, data []byte, info fs.FileInfo) (sign.Key, diag.List, error) {
	k, err := keyfile.Parse(data)
	if err != nil {
		return sign.Key{}, nil, usageError("", "%s is not a key to use here: %s", diag.Quote(name), err)
	}
	if k.CanSign() && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return k, diag.List{diag.New("key-file-mode", diag.Span{File: name}, "other users of this machine can read the private key (mode %04o)", info.Mode().Perm()).
			WithHint("chmod 600 " + name)}, nil
	}
	return k, nil, nil
}
