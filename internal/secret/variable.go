package secret

import "regexp"

// IsVariable reports whether a text is the name of an environment variable, and no
// key in base64, which is longer.
func IsVariable(name string) bool { return len(name) <= 60 && variable.MatchString(name) }

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
