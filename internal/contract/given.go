package contract

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/diag"
	"cardwright/internal/report"
	"cardwright/internal/secret"
)

// Credentials reads --header NAME: env:VARIABLE. The value is never on the
// command line, where others could see it.
func Credentials(headers []string, getenv func(name string) (string, bool)) (http.Header, error) {
	const form = "--header 'Authorization: Bearer env:TOKEN'"
	out := http.Header{}
	for _, text := range headers {
		name, value, _ := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		scheme, variableName, ok := strings.Cut(value, "env:")
		if !ok || !headerToken.MatchString(name) || scheme != "" &&
			!headerToken.MatchString(strings.TrimSuffix(scheme, " ")) ||
			!secret.IsVariable(variableName) {
			return nil, diag.UsageError(form,
				"a header has the form NAME: env:VARIABLE; its value must not be on the command line, where others can see it")
		}
		value, _ = getenv(variableName)
		switch {
		case value == "":
			return nil, diag.UsageError("set it to the value, in CI as a secret", "the environment variable %s is not set",
				variableName)
		case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return nil, diag.UsageError("check for a line break at its end",
				"the environment variable %s has control characters, which are not allowed in a header", variableName)
		}
		out[http.CanonicalHeaderKey(name)] = append(out[http.CanonicalHeaderKey(name)], scheme+value)
	}
	return out, nil
}

// headerToken matches the name of a header and of an authentication scheme
// (RFC 9110, section 5.6.2).
var headerToken = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$")

// CheckTimeout refuses a timeout of calls that is too short or too long.
func CheckTimeout(d time.Duration) error {
	if d < time.Millisecond || d > 10*time.Minute {
		return diag.UsageError("for example --timeout 30s", "--timeout must be between 1ms and 10m")
	}
	return nil
}

// ConnectTo reads --connect-to HOST[=URL].
func (o *Options) ConnectTo(given []string) error {
	o.Route = map[string]*url.URL{}
	for _, text := range given {
		host, to, moved := strings.Cut(text, "=")
		if host == "" || strings.ContainsAny(host, "/@") {
			return diag.UsageError("--connect-to agents.acme.example=http://localhost:8080",
				"--connect-to %s is not HOST or HOST=URL", diag.Quote(text))
		}
		if !moved {
			o.Named = append(o.Named, host)
			continue
		}
		u, err := client.HostURL(to)
		if err != nil {
			return diag.UsageError("--connect-to agents.acme.example=http://localhost:8080", "--connect-to: %s", err)
		}
		o.Route[host] = u
	}
	return nil
}

// Reported are the checks as reports show them. place finds what promises them, unless
// it is nil.
func Reported(checks []Check, place func(pointer string) diag.Span) []report.Check {
	list := make([]report.Check, len(checks))
	for i, c := range checks {
		list[i] = report.Check{
			Rule: c.Rule, Name: c.Rule, Group: c.Interface, Detail: c.Message, Pointer: c.Pointer, Hint: c.Hint,
			Untried: c.Outcome == NotTried, Severity: c.Severity, Required: c.Severity == diag.Error, Place: c.Pointer,
		}
		if rule, ok := diag.FindRule(c.Rule); ok && c.Severity == 0 {
			list[i].Required = rule.Severity == diag.Error
		}
		if place != nil {
			list[i].Span = place(c.Pointer)
			list[i].Place = list[i].Span.String()
		}
	}
	return list
}
