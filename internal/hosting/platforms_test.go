package hosting_test

import (
	"encoding/json"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"testing"

	"cardwright/internal/hosting"
)

// rule is what a platform sends for the paths that match.
type rule struct {
	path    *regexp.Regexp
	headers []hosting.Header
}

// headersFile reads a _headers file by its grammar: a path, and then indented fields, of
// which "! NAME" removes a field that an earlier rule set.
// https://developers.cloudflare.com/pages/configuration/headers/
func headersFile(t *testing.T, text string) (rules []rule) {
	t.Helper()
	field := regexp.MustCompile(`^  (?:! [A-Za-z-]+|([A-Za-z-]+): (\S.*))$`)
	replacer := strings.NewReplacer(`\*`, ".*", ":name", "[^/]+")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		m := field.FindStringSubmatch(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "/"):
			if strings.Count(line, "*") > 2 {
				t.Errorf("too many asterisks: %s", line)
			}
			rules = append(rules, rule{regexp.MustCompile("^" + replacer.Replace(regexp.QuoteMeta(line)) + "$"), nil})
		case m == nil || rules == nil:
			t.Fatalf("not a line of _headers: %q", line)
		case m[1] != "":
			last := &rules[len(rules)-1]
			last.headers = append(last.headers, hosting.Header{Name: m[1], Value: m[2]})
		}
	}
	return rules
}

// vercel reads the headers of vercel.json, whose paths are regular expressions here.
func vercel(t *testing.T, text string) (rules []rule) {
	t.Helper()
	var file struct {
		Headers []struct {
			Source  string
			Headers []struct{ Key, Value string }
		}
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	for _, h := range file.Headers {
		r := rule{path: regexp.MustCompile("^" + h.Source + "$")}
		for _, field := range h.Headers {
			r.headers = append(r.headers, hosting.Header{Name: field.Key, Value: field.Value})
		}
		rules = append(rules, r)
	}
	return rules
}

// The files of the platforms can be read, and what they say for each path is the table.
func TestPlatforms(t *testing.T) {
	settings := hosting.Settings{HTML: true, CacheControl: `public, max-age=1, x="it's \ <b>"`, Sunset: "2027-01-01"}
	table, outputs := hosting.NewTable(settings), map[string]string{}
	rendered, found := hosting.Render(hosting.Targets(), settings)
	if found != nil {
		t.Fatal(found)
	}
	for _, o := range rendered {
		outputs[o.Path] = string(o.Data)
		if strings.HasSuffix(o.Path, ".json") && !json.Valid(o.Data) {
			t.Errorf("%s is not JSON", o.Path)
		}
	}
	for name, rules := range map[string][]rule{
		"cloudflare": headersFile(t, outputs["cloudflare/_headers"]),
		"netlify":    headersFile(t, outputs["netlify/_headers"]),
		"vercel":     vercel(t, outputs["vercel/vercel.json"]),
	} {
		for _, file := range []string{
			"/.well-known/agent-card.json", "/.well-known/agent.json", "/.well-known/jwks.json", "/index.html", "/",
			"/.well-known/ai-catalog.json", "/.well-known/agent-skills/index.json", "/.well-known/agent-skills/pdf.tar.gz",
			"/.well-known/agent-skills/pdf/SKILL.md", "/teams/review/.well-known/agent-card.json", "/other/index.html",
			"/x.json",
		} {
			got := map[string]string{}
			for _, r := range rules {
				if r.path.MatchString(file) {
					for _, h := range r.headers {
						got[h.Name] = h.Value
					}
				}
			}
			want, ours := table.Headers(file)
			for _, h := range want {
				if h.Name == "Link" { // it is relative there
					h.Value = strings.Replace(h.Value, path.Dir(file)+"/", "", 1)
				}
				if got[h.Name] != h.Value {
					t.Errorf("%s: %s has %s: %q, want %q", name, file, h.Name, got[h.Name], h.Value)
				}
			}
			if !ours && len(got) > 0 {
				t.Errorf("%s: %s has %v", name, file, got)
			}
		}
	}
	script := outputs["s3/upload.sh"]
	if strings.Index(script, "ai-catalog.json'") < strings.Index(script, "agent-card.json'") {
		t.Error("upload.sh uploads lists before what they list")
	}
	if sh, err := exec.LookPath("sh"); err == nil {
		check := exec.Command(sh, "-n")
		check.Stdin = strings.NewReader(script)
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("upload.sh: %v\n%s", err, out)
		}
	}
}
