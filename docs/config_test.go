package docs_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/source"
	"cardwright/schema"
)

var update = flag.Bool("update", false, "rewrite generated pages and the output in examples")

// TestConfigReference holds docs/config.md against the JSON Schema that
// validates configurations.
func TestConfigReference(t *testing.T) {
	data, ok := schema.Document("config")
	if !ok {
		t.Fatal("no schema named config")
	}
	root, found := source.ParseJSON("config.schema.json", data, source.Limits{}.WithDefaults())
	if len(found) > 0 {
		t.Fatal(found)
	}
	compare(t, "config.md", reference(read(t, "testdata/config-head.md"), root))
}

// compare fails when a generated page is not current, or rewrites it.
func compare(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/%s is not current, run go test ./docs -update (-want +got):\n%s", name, diff)
	}
}

// reference writes the page: its head, a list for the top level, then one per
// definition, in the order in which they are first used.
func reference(head string, root *source.Node) string {
	p := page{root: root, queued: map[string]bool{"environment": true}}
	p.out.WriteString(head + "\n")
	p.section("Top level", root)
	p.out.WriteString("`environments.NAME` holds any of these keys but `version`, `environments` " +
		"and `include`.\nEach environment needs its own output directory, from `out` or `--out`: a run stops " +
		"before it replaces the tree\nof another environment, or of none. `--force` replaces it.\n\n")
	for len(p.queue) > 0 {
		name := p.queue[0]
		p.queue = p.queue[1:]
		def := root.Get("definitions").Get(name)
		p.section(title(name), def)
	}
	return strings.TrimRight(p.out.String(), "\n") + "\n"
}

type page struct {
	root   *source.Node
	out    strings.Builder
	queue  []string
	queued map[string]bool
	seen   map[string]bool // the rows so far, without what stands before the last part of their keys
	again  []string        // keys of the current parent whose row is the same as one above
}

func (p *page) section(heading string, def *source.Node) {
	fmt.Fprintf(&p.out, "## %s\n\n%s\n\n", heading, text(def.Get("description")))
	if family := strings.HasSuffix(heading, " scheme") || strings.HasSuffix(heading, " source"); !family {
		p.seen = map[string]bool{}
	}
	var rows []string
	p.rows(&rows, "", def)
	if len(p.again) > 0 {
		rows = append(rows, "-"+p.asAbove()+"\n")
	}
	if len(rows) > 0 {
		p.out.WriteString(strings.Join(rows, "") + "\n")
	}
}

// asAbove returns the keys whose rows are left out.
func (p *page) asAbove() string {
	if len(p.again) == 0 {
		return ""
	}
	keys := strings.Join(p.again, ", ")
	p.again = nil
	return " As above: " + keys + "."
}

// rows lists what stands below a schema: one row a key, keys of inner objects
// with dots, entries of lists with [], of maps with NAME.
func (p *page) rows(rows *[]string, prefix string, n *source.Node) {
	if all := n.Get("allOf"); all != nil && n.Get("properties") != nil {
		for _, branch := range all.Items {
			p.link(branch.Get("then"))
		}
	}
	required := map[string]bool{}
	if r := n.Get("required"); r != nil {
		for _, item := range r.Items {
			required[item.Text] = true
		}
	}
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			p.row(rows, prefix+m.Key, m.Value, required[m.Key])
		}
	}
	if values := n.Get("additionalProperties"); values.Is(source.Object) && n.Get("properties") == nil && prefix == "" {
		p.row(rows, "NAME", values, false)
	}
	if items := n.Get("items"); items != nil && prefix == "" {
		p.rows(rows, "[].", items)
		if inner := items.Get("additionalProperties"); inner.Is(source.Object) {
			p.row(rows, "[].NAME", inner, false)
		}
	}
}

func (p *page) row(rows *[]string, key string, n *source.Node, required bool) {
	meaning := strings.ReplaceAll(text(n.Get("description")), ", relative to this file and inside the project", "")
	if meaning == "Kind of scheme." || meaning == "Kind of source." {
		return // the heading says it
	}
	if required {
		meaning += " Required."
	}
	kind := p.kind(n)
	if d := n.Get("default"); d != nil && value(d) != "`false`" {
		kind += ", default " + value(d)
	}
	last := key[strings.LastIndex(key, ".")+1:]
	row := fmt.Sprintf("` (%s): %s", kind, strings.TrimSpace(meaning))
	if meaning != "" && key != "path" && p.seen[last+row] {
		p.again = append(p.again, "`"+last+"`")
		return
	}
	p.seen[last+row] = true
	above := p.again
	p.again = nil
	index := len(*rows)
	*rows = append(*rows, "- `"+key+strings.TrimSuffix(row, ": ")+"\n")
	defer func() {
		(*rows)[index] = strings.TrimSuffix((*rows)[index], "\n") + p.asAbove() + "\n"
		p.again = above
	}()
	if n.Get("$ref") != nil {
		return
	}
	p.rows(rows, key+".", n)
	if items := n.Get("items"); items != nil && items.Get("$ref") == nil {
		p.rows(rows, key+"[].", items)
	}
	if values := n.Get("additionalProperties"); values.Is(source.Object) && values.Get("$ref") == nil {
		p.rows(rows, key+".NAME.", values)
	}
}

// kind says what type of value a schema takes.
func (p *page) kind(n *source.Node) string {
	if link := p.link(n); link != "" {
		return link
	}
	if n.Get("allOf") != nil {
		return p.link(n.Get("allOf").Items[0])
	}
	if enum := n.Get("enum"); enum != nil {
		var words []string
		for _, item := range enum.Items {
			words = append(words, "`"+item.Text+"`")
		}
		return strings.Join(words, ", ")
	}
	if c := n.Get("const"); c != nil {
		return "`" + c.Text + "`"
	}
	if other := n.Get("else"); other != nil {
		if text(n.Get("if").Get("type")) == "array" {
			return p.kind(other) + ", or a list of them"
		}
		return p.kind(other) + ", or " + p.kind(n.Get("then"))
	}
	t := n.Get("type")
	switch {
	case t.Is(source.Array):
		var words []string
		for _, item := range t.Items {
			words = append(words, item.Text)
		}
		return strings.Join(words, " or ")
	case text(t) == "array":
		return "list of " + plural(p.kind(n.Get("items")))
	case text(t) == "object" && n.Get("additionalProperties").Is(source.Object):
		return "map of " + plural(p.kind(n.Get("additionalProperties")))
	case text(t) == "object":
		return "map"
	case text(t) == "boolean":
		return "true or false"
	}
	return text(t)
}

// link names the definition that a schema refers to, and queues its section.
func (p *page) link(n *source.Node) string {
	name, ok := strings.CutPrefix(text(n.Get("$ref")), "#/definitions/")
	if !ok {
		return ""
	}
	if !p.queued[name] {
		p.queued[name] = true
		p.queue = append(p.queue, name)
	}
	if name == "environment" {
		return "any key of the top level"
	}
	return "[" + name + "](#" + strings.ToLower(strings.ReplaceAll(title(name), " ", "-")) + ")"
}

func title(name string) string {
	return map[string]string{
		"agent": "Agent", "listed": "Listed elsewhere", "policy": "Policy", "rules": "Rules", "source": "Source",
		"security": "Security", "signing": "Signing",
		"scheme":        "Security scheme",
		"scheme-apiKey": "apiKey scheme", "scheme-http": "http scheme", "scheme-oauth2": "oauth2 scheme",
		"scheme-openIdConnect": "openIdConnect scheme", "scheme-mutualTLS": "mutualTLS scheme",
		"source-skills": "skills source", "source-plugin": "plugin source", "source-package": "package source",
		"source-mcp": "mcp source", "source-packs": "packs source",
		"source-forge": "forge source", "source-fast-agent": "fast-agent source", "source-card": "card source",
	}[name]
}

func plural(kind string) string {
	if kind == "string" || kind == "map" {
		return kind + "s"
	}
	return kind
}

func value(n *source.Node) string {
	if n.Is(source.Array) {
		var items []string
		for _, item := range n.Items {
			items = append(items, item.Text)
		}
		return "`[" + strings.Join(items, ", ") + "]`"
	}
	return "`" + n.Text + "`"
}

func text(n *source.Node) string {
	if n == nil {
		return ""
	}
	return n.Text
}
