package starter

import (
	"regexp"
	"strings"
	"testing"
)

// Each title gives an id that is a directory name on every system, or none, and two that
// fall together are reported apart.
func TestIDs(t *testing.T) {
	valid := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	taken := map[string]bool{}
	for title, want := range map[string]string{
		"Café Desk": "cafe-desk", "Cafe Desk": "cafe-desk", "CAFÉ  DESK": "cafe-desk", "翻訳エージェント": "",
		"Übersetzer": "ubersetzer",
		"CON":        "", "nul": "", "COM1": "", "lpt9": "", "com": "com", "": "",
		"---": "", "...": "",
		"a/b": "a-b", `a\b`: "a-b", "a:b": "a-b", "../../etc": "etc", "~": "", "$HOME": "home", "Ａｂｃ": "abc", "ﬁle": "file",
		"Łódź": "odz", "straße": "stra-e", "Ωmega": "mega", "АВС": "", "😀 Desk": "desk",
		"desk 😀": "desk", "İstanbul": "istanbul",
		"x²": "x2", "½ desk": "1-2-desk", "a\u0301b": "ab", "a\u200bb": "a-b", "1.2.3": "1-2-3", "_private": "private",
		"trailing.": "trailing", " spaces ": "spaces", "UPPER": "upper", "tab\tbreak\n": "tab-break", "Nº 5": "no-5",
		strings.Repeat("LONG ", 80): strings.TrimSuffix(strings.Repeat("long-", 13)[:64], "-"),
		strings.Repeat("long ", 80): strings.TrimSuffix(strings.Repeat("long-", 13)[:64], "-"),
	} {
		id := ID(title)
		if id != want {
			t.Errorf("%q gives %q, want %q", title, id, want)
		}
		if id == "" {
			id = "agent"
		}
		before := len(taken)
		if id = unique(taken, id); !valid.MatchString(id) || len(id) > maxID || len(taken) != before+1 {
			t.Errorf("%q is %q", title, id)
		}
	}
}

// A person may leave the scheme out, or paste the URL of a card.
func TestBaseURL(t *testing.T) {
	for text, want := range map[string]string{
		"rooms.acme.example": "https://rooms.acme.example", " https://a.example/x/ ": "https://a.example/x",
		"https://a.example/.well-known/agent-card.json":   "https://a.example",
		"https://a.example/x/.well-known/agent-card.json": "https://a.example/x",
		"http://localhost:8080":                           "http://localhost:8080",
		"ftp://a.example":                                 "", "https://": "", "https://u:p@a.example": "",
		"https://a.example?x": "", "a b": "", "mailto:a@b": "",
	} {
		answers := []string{text, ""}
		ask := func(string, string) (answer string) {
			answer, answers = answers[0], answers[1:]
			return answer
		}
		if got := (&project{Options: Options{Ask: ask}}).baseURL(); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

// A remote on a server has an owner there, who is the provider's URL.
func TestRemote(t *testing.T) {
	for link, want := range map[string]remote{
		"https://github.com/acme/desk.git":                  {"github.com", "acme", "desk"},
		"git@git.acme.example:team/sub/desk.git":            {"git.acme.example", "team", "desk"},
		"ssh://git@git.acme.example:2222/acme/desk":         {"git.acme.example", "acme", "desk"},
		"https://user:secret@git.acme.example/acme/skills/": {"git.acme.example", "acme", "skills"},
		"https://git.acme.example/desk":                     {"", "", "desk"},
		"/srv/git/acme/desk.git":                            {"", "", "desk"},
		"../desk":                                           {"", "", "desk"},
	} {
		if got := remoteOf(link); got != want {
			t.Errorf("%s: %+v, want %+v", link, got, want)
		}
	}
	if got := (remote{"github.com", "acme", "skills"}).called(); got != "acme-skills" {
		t.Error(got)
	}
}
