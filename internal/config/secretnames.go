package config

import (
	"slices"
	"strings"

	"cardwright/internal/source"
)

// secretParts mark the name of an environment variable as secret, in any case
// of letters.
var secretParts = []string{"TOKEN", "SECRET", "PASSW", "CREDENTIAL", "PRIVATE_KEY", "API_KEY"}

// refusal says why vars may not read an environment variable, "" when they may: what they
// read is published. Some systems do not tell letters apart by case.
func (l *loader) refusal(name string) (reason, hint string) {
	upper := strings.ToUpper(name)
	switch {
	case l.keys[upper]:
		return "it holds the signing key", "use another variable; vars cannot read one that signing.key names"
	case slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(upper, part) }):
		return "its name looks like that of a secret", "vars are published; if this is not a secret, rename the variable"
	}
	return "", ""
}

// findKeys notes the environment variables that hold signing keys: those that --set or any
// signing of the configuration names, whether this run uses it or not.
func (l *loader) findKeys(root *source.Node) {
	for _, assignment := range l.Set {
		if key, value, _ := strings.Cut(assignment, "="); key == "signing.key" {
			l.noteKey(value)
		}
	}
	for n := range root.All() {
		signing := n.Get("signing")
		for _, s := range append([]*source.Node{signing}, signing.Elements()...) {
			l.noteKey(s.Get("key").ScalarText())
		}
	}
}

func (l *loader) noteKey(ref string) {
	if name, ok := strings.CutPrefix(strings.TrimSpace(ref), "env:"); ok {
		l.keys[strings.ToUpper(name)] = true
	}
}

// keyStores are the schemes by which other tools name keys that they do not read.
var keyStores = strings.Fields(
	"exec cmd awskms gcpkms azurekms azurekeyvault hashivault k8s pkcs11 kms arn vault https http",
)

// ElsewhereKey says what is wrong with a reference to a key that is kept where
// cardwright does not read keys, and what to do. It returns false for any other.
func ElsewhereKey(ref string) (message, hint string, ok bool) {
	kind, _, found := strings.Cut(ref, ":")
	if !found || !slices.Contains(keyStores, kind) {
		return "", "", false
	}
	return "a key must be file:PATH or env:NAME, not " + kind + ":",
		"for a key in a KMS or HSM, use cardwright sign --print-input and --attach", true
}
