package hosting

import (
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// inert returns a copy of the table in which no text can be anything but text in
// any of the syntaxes that are written, and the texts that were not so before. It
// does not matter where a text comes from: [Render] refuses a table with such
// texts, and the renderers never see them.
func (t Table) inert() (Table, []string) {
	var odd []string
	change := func(s *string, fit func(string) string) {
		if fitted := fit(*s); fitted != *s {
			odd = append(odd, *s)
			*s = fitted
		}
	}
	fine := map[Header]bool{} // most are sent with many files
	headers := func(list []Header) []Header {
		list = slices.Clone(list)
		for i, h := range list {
			if fine[h] {
				continue
			}
			change(&list[i].Name, headerName)
			change(&list[i].Value, plainText)
			fine[h] = list[i] == h
		}
		return list
	}
	change(&t.Out, fileName)
	if t.Base != "" {
		change(&t.Base, urlPath)
	}
	t.Preflight = headers(t.Preflight)
	t.Sites = slices.Clone(t.Sites)
	for i := range t.Sites {
		s := &t.Sites[i]
		change(&s.Host, siteName)
		change(&s.Dir, siteName)
		s.Entries = slices.Clone(s.Entries)
		for j := range s.Entries {
			e := &s.Entries[j]
			change(&e.Path, urlPath)
			change(&e.File, filePath)
			change(&e.ContentType, plainText)
			e.Headers = headers(e.Headers)
		}
		s.Moved = slices.Clone(s.Moved)
		for j := range s.Moved {
			m := &s.Moved[j]
			change(&m.From, urlPath)
			change(&m.To, place)
			m.Headers = headers(m.Headers)
		}
	}
	return t, odd
}

// unfit tells about the texts of a table that cannot be written.
func unfit(odd []string) diag.List {
	found := make(diag.List, len(odd))
	for i, s := range odd {
		found[i] = diag.New("config-value", diag.Span{}, "%q is not allowed in a server configuration", s).
			WithHint("use letters, digits, dots, hyphens and underscores")
	}
	return found
}

// plainText keeps what each of the syntaxes can quote: visible ASCII characters
// and spaces, but none that starts a variable, a placeholder or an escape.
func plainText(s string) string {
	return fitted(s, func(r rune) bool { return r >= ' ' && r <= '~' && !strings.ContainsRune("\\${}", r) })
}

// urlPath keeps what a path has that needs no escape in a URL, and that no
// platform takes for a pattern, and makes it lead nowhere else.
func urlPath(s string) string {
	const allowed = "/._~-"
	if !safe(s, allowed) {
		s = fitted(s, func(r rune) bool { return safe(string(r), allowed) })
	}
	clean := path.Clean("/" + s)
	if strings.HasSuffix(s, "/") && clean != "/" { // the page of a directory
		clean += "/"
	}
	return clean
}

// place keeps a path, or a URL with nothing else.
func place(s string) string {
	const scheme = "https:/"
	if rest, ok := strings.CutPrefix(s, scheme); ok {
		return scheme + urlPath(rest)
	}
	return urlPath(s)
}

// filePath keeps what names a file of the tree.
func filePath(s string) string { return strings.TrimPrefix(urlPath(s), "/") }

// fileName keeps what can be the name of a file or directory.
func fileName(s string) string {
	return fitted(s, func(r rune) bool { return safe(string(r), "._~-") })
}

// siteName keeps what can be a host and its directory, which is not hidden and
// leads nowhere else.
func siteName(s string) string {
	if s = fileName(s); strings.HasPrefix(s, ".") {
		return "_" + s[1:]
	}
	return s
}

func headerName(s string) string {
	return fitted(s, func(r rune) bool { return safe(string(r), "-") })
}

// fitted has an underscore for every character that does not fit.
func fitted(s string, fits func(rune) bool) string {
	return strings.Map(func(r rune) rune {
		if fits(r) {
			return r
		}
		return '_'
	}, s)
}
