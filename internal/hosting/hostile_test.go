package hosting

import (
	"regexp"
	"strings"
	"testing"

	"cardwright/internal/fixture"
	"cardwright/internal/tree"
)

// field is a place in a table that a text can get into, and a harmless text for
// it that stands nowhere else.
type field struct {
	name, plain string
	hosts       bool // of a table with a site for each host
	in          func(t *Table) []*string
}

func fields() []field {
	entry := func(t *Table) *Entry { return &t.Sites[0].Entries[0] }
	return []field{
		{"path", "/Zq9", false, func(t *Table) []*string { return []*string{&entry(t).Path} }},
		{"content type", "Zq9/x", false, func(t *Table) []*string { return []*string{&entry(t).ContentType} }},
		{"header name", "Zq9", false, func(t *Table) []*string { return []*string{&entry(t).Headers[0].Name} }},
		{"header value", "Zq9", false, func(t *Table) []*string { return []*string{&entry(t).Headers[0].Value} }},
		{"header of all", "Zq9", false, func(t *Table) []*string {
			return []*string{&t.Sites[0].Entries[0].Headers[1].Value, &t.Sites[0].Entries[1].Headers[1].Value}
		}},
		{"preflight", "Zq9", false, func(t *Table) []*string { return []*string{&t.Preflight[0].Value} }},
		{"host", "zq9.example", true, func(t *Table) []*string { return []*string{&t.Sites[0].Host, &t.Sites[0].Dir} }},
		{"output directory", "Zq9", false, func(t *Table) []*string { return []*string{&t.Out} }},
	}
}

// filled is a table with a text in one field.
func (f field) filled(text string) Table {
	t := Table{Out: "dist", Preflight: Settings{}.Preflight(), CORS: true, Sites: []WebRoot{{}}}
	if f.hosts {
		t.Sites[0].Host, t.Sites[0].Dir = "a.example", "a.example"
	}
	for _, p := range []string{"/a.json", "/b.json"} {
		t.Sites[0].Entries = append(t.Sites[0].Entries, Entry{
			Path: p, ContentType: "application/json", Digest: tree.DigestOf([]byte(p)), Sidecars: true,
			Headers: []Header{{"X-Own", p}, {"X-All", "all"}, {"Cache-Control", "no-store"}},
		})
	}
	for _, place := range f.in(&t) {
		*place = text
	}
	return t
}

// A text in any field of a table, wherever it came from, is refused. What the
// renderers make of it all the same is one text in its place: a server reads as
// many words, of which the others are those that it reads with a harmless text.
func FuzzTable(f *testing.F) {
	texts := []string{
		"", "'; touch pwned; '", "`touch pwned`", "$(touch pwned)", `a" ) ;} { #`, `a"b'c`, "text/html; charset=\"utf-8\"",
		"%{ENV:PATH}", "%%", "{$HOME}",
		"{env.HOME}", "${{ secrets.KEY }}", "*/ alert(1) //", `\`, `x\`, `\"`, "a b", "#x", "/../../x", "..", "~.*", ":splat",
		"<<EOF", "''", "é", "\u2028", "\x00", "\xff", "a>b",
	}
	for _, p := range payloads() {
		texts = append(texts, p.text("pwned"))
	}
	for i := range fields() {
		for k, text := range texts {
			if (i+k)%fixture.Rounds(3, 1) == 0 {
				f.Add(uint(i), text)
			}
		}
	}
	plain := map[string][]read{} // what targets make of fields with their harmless texts
	for _, field := range fields() {
		table, odd := field.filled(field.plain).inert()
		if odd != nil {
			f.Fatalf("%s: %q is not harmless", field.name, odd)
		}
		for _, target := range Targets() {
			for _, o := range render(target, table) {
				plain[target+": "+field.name] = append(plain[target+": "+field.name], readAs(o))
			}
		}
	}
	f.Fuzz(func(t *testing.T, i uint, text string) {
		field := fields()[i%uint(len(fields()))]
		table, odd := field.filled(text).inert()
		outputs, found := Render(Targets()[:1], field.filled(text))
		if refused := len(outputs) == 0; refused != (odd != nil) || refused && found[0].Rule != "config-value" {
			t.Errorf("%s %q: %d files, %v, %v", field.name, text, len(outputs), odd, found)
		}
		harmless, fitted := field.plain, *field.in(&table)[0]
		if field.name == "path" { // which S3 wants without its slash
			harmless, fitted = harmless[1:], fitted[1:]
		}
		if fitted == "" || strings.HasSuffix(fitted, "/") {
			return // an empty header is none, and the path of a page another thing than that of a file
		}
		for _, target := range Targets() {
			what := target + ": " + field.name
			compare(t, what, plain[what], render(target, table), harmless, fitted)
		}
	})
}

// digest is what the script for a store says about types, policies and the bytes of a file.
var digest = regexp.MustCompile(`^(?:state_hash=)?"?(?:[0-9a-f]{32}|[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{43}=)"?$`)

// read is a file as its server reads it.
type read struct {
	words []string
	ok    bool
}

func readAs(o Output) read {
	list, ok := words(o)
	return read{list, ok}
}

// compare wants the words of files to be those of others, with a text in place
// of the plain one.
func compare(t *testing.T, what string, want []read, got []Output, plain, text string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s %q: %d files, want %d", what, text, len(got), len(want))
	}
	for i := range got {
		wanted := want[i].words
		read, ok := words(got[i])
		if !ok || !want[i].ok || len(read) != len(wanted) {
			t.Errorf("%s %q: %s has %d words, want %d:\n%s", what, text, got[i].Path, len(read), len(wanted), got[i].Data)
			continue
		}
		for j := range read {
			switch read[j] {
			case wanted[j]:
			case strings.ReplaceAll(wanted[j], plain, text):
			case strings.ReplaceAll(wanted[j], regexp.QuoteMeta(plain), regexp.QuoteMeta(text)):
			case strings.ReplaceAll(wanted[j], nginxVariable(plain), nginxVariable(text)):
			default:
				if !digest.MatchString(read[j]) {
					t.Errorf("%s %q: %s has %q in place of %q", what, text, got[i].Path, read[j], wanted[j])
				}
			}
		}
	}
}

// payload is a content type that leaves its string in the configuration of a
// server, and has the server make a file.
type payload struct {
	target string
	text   func(file string) string
}

func payloads() []payload {
	return []payload{
		{"apache", func(file string) string {
			return "x\"\n</IfModule>\n</If>\nErrorLog \"|/usr/bin/touch " + file +
				"\"\n<If \"true\">\n<IfModule mod_headers.c>\nHeader set X \"x"
		}},
		{"caddy", func(file string) string {
			return "x\"\n}\n}\nlog {\noutput file " + file + "\n}\n@y path /y\nhandle @y {\nhandle {\nheader >X \"x"
		}},
		{"lighttpd", func(file string) string {
			return "x\" )\n}\ninclude_shell \"/usr/bin/touch " + file +
				"\"\n$HTTP[\"url\"] == \"/y\" {\nmimetype.assign = ( \"\" => \"x"
		}},
		{"nginx", func(file string) string { return "x\"; error_log \"" + file }},
	}
}
