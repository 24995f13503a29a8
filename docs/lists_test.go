package docs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/cli"
	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/mapping"
	"cardwright/schema"
)

// The page about hosting shows each server.
func TestServersAreListed(t *testing.T) {
	page := read(t, "hosting.md")
	for _, name := range hosting.Targets() {
		if !strings.Contains(page, "cardwright generate --server "+name) {
			t.Errorf("hosting.md does not say how to use --server %s", name)
		}
	}
}

// The list of sources has a row for each kind. With -update it is rewritten.
func TestSourcesFollowTheirTable(t *testing.T) {
	const list, head = "sources/README.md", "| type | reads | page |\n| --- | --- | --- |\n"
	before, rest, ok := strings.Cut(read(t, list), head)
	_, after, closed := strings.Cut(rest, "\n\n")
	if !ok || !closed {
		t.Fatalf("%s has no table of the sources", list)
	}
	var rows strings.Builder
	for _, f := range mapping.Formats() {
		page := string(f.Type) + ".md"
		if f.Type == mapping.TypeSkills {
			page = "../mapping.md"
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(read(t, "sources/"+page), "# "), "\n")
		fmt.Fprintf(&rows, "| `%s` | %s | [%s](%s) |\n", f.Type, strings.TrimSuffix(f.Title, "."), title, page)
	}
	compare(t, list, before+head+rows.String()+"\n"+after)
}

// llms.txt is the list of pages in the form of llmstxt.org, for programs that read the
// documentation at its address.
func TestListForModels(t *testing.T) {
	_, list, _ := strings.Cut(read(t, "README.md"), "\n\n")
	list = target.ReplaceAllStringFunc(list, func(link string) string {
		kind, to := "tree", path.Join("docs", strings.Trim(link, "]()"))
		if strings.Contains(to, ".md") {
			kind = "raw"
		}
		return "](https://github.com/OWNER/cardwright/" + kind + "/HEAD/" + to + ")"
	})
	compare(t, "llms.txt", "# cardwright\n\n> A build-time generator of A2A Agent Cards as static files, from skills "+
		"directories and a configuration.\n> It also checks, converts, signs and compares cards that others wrote.\n\n"+list)
}

// The entry for the catalog of schemastore.org names the files that the program looks for,
// and the schema by its id.
func TestSchemaStore(t *testing.T) {
	var entry struct {
		Name, Description, URL string
		FileMatch              []string
	}
	if err := json.Unmarshal([]byte(read(t, "../.github/schemastore.json")), &entry); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(config.FileNames(), entry.FileMatch) {
		t.Errorf("schemastore.json has the files %q, want %q", entry.FileMatch, config.FileNames())
	}
	data, _ := schema.Document("config")
	var document struct {
		ID string `json:"$id"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	const moved = "https://github.com/OWNER/cardwright/raw/HEAD/schema/" // which make home puts before the id
	if entry.URL != moved+document.ID && entry.URL != document.ID || entry.Name == "" || entry.Description == "" {
		t.Errorf("the entry is about another schema than %s: %+v", document.ID, entry)
	}
}

// docs/usage.md lists every command as --help does, with the links that it has. What
// flags mean is in --help.
func TestHelpIsDocumented(t *testing.T) {
	var help bytes.Buffer
	cli.Run([]string{"--help"}, cli.Streams{In: strings.NewReader(""), Out: &help, Err: &help}, "")
	page := read(t, "usage.md")
	const begin, end = "<!-- Listed by \"go test ./docs -update\". -->\n\n", "\n\nFlags work"
	before, rest, found := strings.Cut(page, begin)
	list, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("docs/usage.md has no list behind %q", begin)
	}
	var lines []string
	for _, group := range regexp.MustCompile(`(?m)^(\w[\w ]+):\n((?:  [a-z]+ {2,}\S.*\n)+)`).
		FindAllStringSubmatch(help.String(), -1) {
		var names []string
		for line := range strings.Lines(group[2]) {
			name := "`" + strings.Fields(line)[0] + "`"
			link := regexp.MustCompile(`\[` + name + `\]\([^)]+\)`).FindString(list)
			names = append(names, cmp.Or(link, name))
		}
		lines = append(lines, "- "+group[1]+": "+strings.Join(names, ", "))
	}
	if len(lines) == 0 {
		t.Error("--help lists no commands")
	}
	compare(t, "usage.md", before+begin+strings.Join(lines, "\n")+end+after)
}
