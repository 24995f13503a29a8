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
func (v *variables) refusal(name string) (reason, hint string) {
	upper := strings.ToUpper(name)
	switch {
	case v.keys[upper]:
		return "it holds the signing key", "use another variable; vars cannot read one that signing.key names"
	case slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(upper, part) }):
		return "its name looks like that of a secret", "vars are published; if this is not a secret, rename the variable"
	}
	return "", ""
}

// signingKeys are the environment variables that hold signing keys, in capitals: those that
// --set or any signing of the configuration names, whether this run uses it or not.
func signingKeys(root *source.Node, set []string) map[string]bool {
	keys := map[string]bool{}
	note := func(ref string) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(ref), "env:"); ok {
			keys[strings.ToUpper(name)] = true
		}
	}
	for _, assignment := range set {
		if ref, is := strings.CutPrefix(assignment, "signing.key="); is {
			note(ref)
		}
	}
	for n := range root.All() {
		signing := n.Get("signing")
		for _, s := range append([]*source.Node{signing}, signing.Elements()...) {
			note(s.Get("key").ScalarText())
		}
	}
	return keys
}
