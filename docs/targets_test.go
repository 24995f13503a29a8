package docs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/config"
	"cardwright/internal/hosting"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// What lists the servers lists those of the table: the configuration's schema,
// which editors and validation read, and which -update rewrites. Their page shows each.
func TestServersAreListed(t *testing.T) {
	const schemaFile = "../schema/config.schema.json"
	root, found := source.ParseJSON(schemaFile, []byte(read(t, schemaFile)), source.Limits{}.WithDefaults())
	if len(found) > 0 {
		t.Fatal(found)
	}
	var names []*source.Node
	for _, name := range hosting.Targets() {
		names = append(names, source.NewText(name))
	}
	replace(root.Get("properties").Get("servers").Get("items"), "enum", array(names...))
	compare(t, schemaFile, string(schema.Write(root)))

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

// The schema of the configuration has a definition for each kind of source, made
// from its row, and a row in the list of them. With -update both are rewritten.
func TestSourcesFollowTheirTable(t *testing.T) {
	const file = "../schema/config.schema.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, found := source.ParseJSON(file, data, source.Limits{}.WithDefaults())
	if len(found) > 0 {
		t.Fatal(found)
	}
	definitions := root.Get("definitions")
	known := definitions.Get("source-" + string(mapping.TypeSkills)).Get("properties")
	var kept []source.Member
	for _, m := range definitions.Members {
		if m.Key == "source" {
			m.Value = anySource(m.Value)
			kept = append(kept, m)
			for _, f := range mapping.Formats() {
				kept = append(kept, source.Member{Key: "source-" + string(f.Type), Value: sourceDefinition(f, known)})
			}
		} else if !strings.HasPrefix(m.Key, "source-") {
			kept = append(kept, m)
		}
	}
	definitions.Members = kept
	compare(t, file, string(schema.Write(root)))

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

// anySource is the definition that chooses one by the type of the source.
func anySource(old *source.Node) *source.Node {
	var types, choices []*source.Node
	for _, f := range mapping.Formats() {
		name := source.NewText(string(f.Type))
		types = append(types, name)
		choices = append(choices, object(
			"if", object(
				"properties", object("type", object("const", name)),
				"required", array(source.NewText("type"))),
			"then", object("$ref", source.NewText("#/definitions/source-"+string(f.Type)))))
	}
	replace(old.Get("properties").Get("type"), "enum", array(types...))
	replace(old, "allOf", array(choices...))
	return old
}

// sourceDefinition is that of the sources of one format. A key that several have
// is defined as for skills.
func sourceDefinition(f mapping.Format, known *source.Node) *source.Node {
	path := *known.Get("path")
	path.Members = slices.Clone(path.Members)
	replace(&path, "description", source.NewText(f.Path+", relative to this file and inside the project."))
	properties := object(
		"type", object("const", source.NewText(string(f.Type)), "description", source.NewText("Kind of source.")),
		"path", &path)
	for _, key := range f.Keys {
		if known.Get(key.Name) == nil { // of this format alone
			properties.Set(key.Name, object("type", source.NewText("boolean"), "description", source.NewText(key.Doc), "default",
				source.NewBool(false)))
			continue
		}
		value := *known.Get(key.Name)
		if value.Members = slices.Clone(value.Members); key.Doc != "" {
			replace(&value, "description", source.NewText(key.Doc))
		}
		properties.Set(key.Name, &value)
	}
	return object(
		"type", source.NewText("object"),
		"description", source.NewText(f.Title),
		"properties", properties,
		"required", array(source.NewText("type"), source.NewText("path")),
		"additionalProperties", source.NewBool(false))
}

// object makes an object of keys and values in turn.
func object(members ...any) *source.Node {
	n := &source.Node{Kind: source.Object}
	for i := 0; i < len(members); i += 2 {
		n.Set(members[i].(string), members[i+1].(*source.Node)) //nolint:errcheck // a mistake here panics, as it should
	}
	return n
}

// replace changes a member that the object has.
func replace(n *source.Node, key string, value *source.Node) { n.Member(key).Value = value }

func array(items ...*source.Node) *source.Node { return &source.Node{Kind: source.Array, Items: items} }
