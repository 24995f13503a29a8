package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/mapping"
	"cardwright/schema"
)

// The page about hosting shows each server.
func TestServersAreListed(t *testing.T) {
	page, err := os.ReadFile("hosting.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range hosting.Targets() {
		if !strings.Contains(string(page), "cardwright generate --server "+name) {
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
	if diff := cmp.Diff(config.FileNames(), entry.FileMatch); diff != "" {
		t.Errorf("files (-read +schemastore.json):\n%s", diff)
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
