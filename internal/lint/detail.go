package lint

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
)

var detailChecks = []check{
	{"internal-detail", both, internalDetail},
}

// isProse reports whether a member of that name is written for people and models.
func isProse(name string) bool {
	return name == "name" || name == "description" || name == "examples"
}

func internalDetail(c *card) {
	c.eachText(func(t textAt) {
		if !isProse(t.name) || !mayBeInternal(t.text) {
			return
		}
		configured := speaksOfVariables(t.text)
		for word := range strings.FieldsFuncSeq(t.text, endsDetail) {
			if !mayBeInternal(word) {
				continue
			}
			word = strings.TrimRight(word, ".:!?")
			if what := internal(word, configured); what != "" && !secret.IsFiller(strings.Trim(word, "${}")) {
				c.report(fault(t.place(), "describe what the agent does, not where it runs",
					"the text contains %s, %s, which callers cannot use", what, quote(word)).as(severityOf(what, word)))
				return
			}
		}
	})
}

// severityOf is that of a detail: where a program looks on any machine, and what it reads
// from its environment, tells nothing of the machine that the agent runs on.
func severityOf(what, word string) diag.Severity {
	anywhere := func(root string) bool { return strings.HasPrefix(word, root) }
	roots := []string{"~/", "/opt/", "/usr/", "/etc/"}
	if what == detailVariable || what == detailPath && slices.ContainsFunc(roots, anywhere) {
		return diag.Info
	}
	return 0
}

// mayBeInternal reports whether a text has one of the signs that every path, host
// or variable has. Few sentences do, and checking each word of ten thousand
// descriptions costs more than reading their files.
func mayBeInternal(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '/', '\\', ':', '$', '_':
			return true
		case '.':
			if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '\n' { // no full stop
				return true
			}
		}
	}
	return false
}

// endsDetail reports whether r separates what internal looks at.
func endsDetail(r rune) bool {
	switch r {
	case '"', '\'', '`', '<', '>', '(', ')', '[', ']', ',', ';', '|', '=':
		return true
	}
	return unicode.IsSpace(r) || r >= unicode.MaxLatin1 && !unicode.IsLetter(r) && !unicode.IsMark(r)
}

const (
	detailPath     = "a file path"
	detailVariable = "an environment variable"
)

// internal tells which inner detail a word of a text gives away. Configured
// tells that the text speaks of environment variables.
func internal(word string, configured bool) string {
	word = strings.TrimLeftFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) // no space in front in Chinese
	switch {
	case isFilePath(word):
		return detailPath
	case isInternalHost(word):
		return "an internal host"
	case isVariable(word, configured):
		return detailVariable
	}
	return ""
}

// roots are what paths on somebody's machine begin with.
var roots = []string{
	"/home/", "/Users/", "/root/", "/etc/", "/var/", "/opt/", "/srv/", "/usr/", "/tmp/", "/mnt/", "~/",
	"file:///",
}

func isFilePath(word string) bool {
	for _, root := range roots {
		if rest, ok := strings.CutPrefix(word, root); ok && rest != "" {
			return true
		}
	}
	if server, ok := strings.CutPrefix(word, `\\`); ok {
		name, share, ok := strings.Cut(server, `\`)
		return ok && len(name) > 1 && len(share) > 1 && isHostName(name)
	}
	if len(word) < 5 || word[1] != ':' || word[2] != '\\' || word[0] < 'A' || word[0] > 'Z' {
		return false
	}
	// "A:\nText" is a line break that somebody has escaped.
	escaped := strings.IndexByte("nrt", word[3]) >= 0 && (word[4] < 'a' || word[4] > 'z')
	return isHostName(word[3:5]) && !escaped
}

// isInternalHost reports whether a word names a host that only an inner network
// knows: one in a private zone, a private address, or a bare name with a port or
// in a URL. A name alone does not say that it is a host.
func isInternalHost(word string) bool {
	scheme, rest, isURL := strings.Cut(strings.ToLower(word), "://")
	if isURL {
		return isInternalURL(scheme, hostOf(word))
	}
	host, path, _ := strings.Cut(scheme, "/")
	host, port, hasPort := strings.Cut(host, ":")
	if !isHostName(host) || rest != "" {
		return false
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		network := path != "" && strings.Trim(path, "0123456789") == ""
		return isPrivate(ip.String()) && !network
	}
	if strings.Contains(host, ".") {
		return inPrivateZone(host)
	}
	return hasPort && isServicePort(host, port)
}

// isInternalURL reports whether the URL with that host leads to an inner host.
func isInternalURL(scheme, host string) bool {
	if host == "" || isPlaceholder(host) && !isLoopback(host) {
		return false
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return isPrivate(ip.String())
	}
	if !isHostName(host) {
		return false
	}
	if strings.Contains(host, ".") {
		return inPrivateZone(host)
	}
	// Other schemes name buckets, tools and the like.
	return slices.Contains([]string{"http", "https", "ws", "wss", "grpc", "grpcs"}, scheme) &&
		!slices.Contains([]string{"host", "hostname", "server", "domain", "url", "site"}, host)
}

// isHostName reports whether s is made of what host names are made of.
func isHostName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20 // in lower case
		if (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && s[i] != '-' && s[i] != '.' {
			return false
		}
	}
	return s != "" && s[0] != '.' && !strings.Contains(s, "..")
}

// inPrivateZone reports whether a host name with a dot is one of an inner network.
// Files called settings.local and the like are none.
func inPrivateZone(host string) bool {
	name, zone, _ := strings.Cut(host, ".")
	if zone == "local" && slices.Contains([]string{
		"settings", "config", "env", "compose", "docker-compose", "claude",
		"agents", "makefile",
	}, name) {
		return false
	}
	return inLocalZone(host) || within(host, "localhost")
}

// isServicePort reports whether name:port, with a bare name, is the address of a
// service rather than a citation, a line of a file or a point in time.
func isServicePort(name, port string) bool {
	if name == "localhost" {
		return isPort(port)
	}
	if len(port) < 4 || !isPort(port) || port[0] == '0' || port >= "1900" && port < "2100" && len(port) == 4 ||
		port > "65535" && len(port) == 5 {
		return false
	}
	const others = " id port line issue page step pmid pubmed doi iso ieee rfc cve cwe chr ticket case item no nr at "
	stem := strings.TrimRight(name, "0123456789")
	return len(stem) > 1 && !strings.Contains(others, " "+stem+" ")
}

// variableEnds are the ends of names of environment variables that hold
// credentials; those of settingEnds are other settings when the text speaks of
// variables. Other constants in capitals are everyday prose.
var (
	variableEnds = []string{"_API_KEY", "_ACCESS_KEY", "_SECRET_KEY", "_ACCESS_KEY_ID", "_TOKEN", "_SECRET", "_PASSWORD"}
	settingEnds  = []string{"_KEY", "_URL", "_URI", "_HOST", "_PORT", "_DIR", "_PATH", "_HOME", "_ENDPOINT"}
)

// notVariables are what names of errors and limits begin with, which end as
// those of variables do.
var notVariables = []string{
	"INVALID", "ERR", "ERROR", "MISSING", "UNKNOWN",
	"DUPLICATE", "EXPIRED", "BAD", "WRONG", "UNEXPECTED", "MAX", "MIN", "NEXT", "FOREIGN", "PRIMARY", "UNIQUE",
	"NO", "NOT",
}

// notSet are attributes of files in NTFS, which are spelled as variables are. What
// begins with CLAUDE_ is set by the program that runs a skill, wherever that is.
var notSet = []string{
	"STANDARD_INFORMATION", "FILE_NAME", "ATTRIBUTE_LIST", "OBJECT_ID", "SECURITY_DESCRIPTOR", "VOLUME_NAME",
	"VOLUME_INFORMATION", "INDEX_ROOT", "INDEX_ALLOCATION", "REPARSE_POINT", "EA_INFORMATION", "LOGGED_UTILITY_STREAM",
}

// isVariable reports whether a word is the name of an environment variable: it
// says so with a $, or ends as such names do.
func isVariable(word string, configured bool) bool {
	name, dollar := strings.CutPrefix(word, "$")
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if len(name) < 2 || name[0] < 'A' || name[0] > 'Z' ||
		strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return false
	}
	if dollar {
		if strings.HasPrefix(name, "CLAUDE_") || slices.Contains(notSet, name) {
			return false
		}
		return strings.HasPrefix(word, "${") || strings.Contains(name, "_") ||
			slices.Contains([]string{"HOME", "PATH", "USER", "PWD", "SHELL"}, name)
	}
	ends := func(end string) bool { return strings.HasSuffix(name, end) }
	first, _, _ := strings.Cut(name, "_")
	return !slices.Contains(notVariables, first) &&
		(slices.ContainsFunc(variableEnds, ends) || configured && slices.ContainsFunc(settingEnds, ends))
}

// speaksOfVariables reports whether a text is about the environment of a program.
func speaksOfVariables(text string) bool {
	return strings.Contains(text, "env var") || strings.Contains(text, "environment variable") ||
		strings.Contains(text, "export ") || strings.Contains(text, ".env")
}
