//go:build !js

package cli

import (
	"net/url"
	"strings"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/contract"
	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/secret"
)

// headerForm matches [HOST=]NAME: [SCHEME ]env:VARIABLE. Names are tokens of RFC 9110,
// section 5.6.2.
var headerForm = parallel.Regexp(
	"^(?:([^=\\s/@]+)=)?([a-zA-Z0-9!#$%&'*+.^_`|~-]+):\\s*((?:[a-zA-Z0-9!#$%&'*+.^_`|~-]+ )?)env:(.*)$")

// credentials reads --header [HOST=]NAME: env:VARIABLE. The value is never on the
// command line, where others could see it.
func credentials(headers []string, getenv func(name string) (string, bool)) ([]contract.Credential, error) {
	var list []contract.Credential
	for _, text := range headers {
		m := headerForm().FindStringSubmatch(text)
		if m == nil || !secret.IsVariable(m[4]) {
			return nil, usageError("--header 'Authorization: Bearer env:TOKEN'", "a header has the form "+
				"NAME: env:VARIABLE; its value must not be on the command line, where others can see it")
		}
		value, _ := getenv(m[4])
		switch {
		case value == "":
			return nil, usageError("set it to the value, in CI as a secret", "the environment variable %s is not set",
				m[4])
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return nil, usageError("check for a line break at its end",
				"the environment variable %s has control characters, which are not allowed in a header", m[4])
		}
		list = append(list, contract.Credential{Host: m[1], Name: m[2], Value: m[3] + value})
	}
	return list, nil
}

// checkTimeout refuses a timeout of calls that is too short or too long.
func checkTimeout(d time.Duration) error {
	if d < time.Millisecond || d > 10*time.Minute {
		return usageError("for example --timeout 30s", "--timeout must be between 1ms and 10m")
	}
	return nil
}

// connectTo reads --connect-to HOST[=URL].
func connectTo(o *contract.Options, given []string) error {
	o.Route = map[string]*url.URL{}
	for _, text := range given {
		host, to, moved := strings.Cut(text, "=")
		if host == "" || strings.ContainsAny(host, "/@") {
			return usageError("--connect-to agents.acme.example=http://localhost:8080",
				"--connect-to %s is not HOST or HOST=URL", diag.Quote(text))
		}
		if !moved {
			o.Named = append(o.Named, host)
			continue
		}
		u, err := client.HostURL(to)
		if err != nil {
			return usageError("--connect-to agents.acme.example=http://localhost:8080", "--connect-to: %s", err)
		}
		o.Route[strings.ToLower(host)] = u
	}
	return nil
}
