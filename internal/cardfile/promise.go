package cardfile

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// Promise reads a card of any dialect.
func (f File) Promise() (*Promise, error) {
	root, found := source.ParseJSONLenient(f.Path(), f.Data, source.Limits{})
	if root == nil || found.Worst() == diag.Error {
		return nil, diag.UsageError("", "%s is not a card: it is not JSON", diag.Quote(f.Path()))
	}
	r := dialect.Read(root, dialect.ReadOptions{})
	if r.Card == nil {
		return nil, diag.UsageError("run cardwright lint to see what is wrong with it", "%s is not a card",
			diag.Quote(f.Path()))
	}
	return &Promise{r, root}, nil
}

// Promise is the card that an agent is checked against.
type Promise struct {
	*dialect.Reading
	root *source.Node
}

// LintOther returns the findings about another card of the agent, but for what
// this one is at fault for too.
func (c *Promise) LintOther(n *source.Node) diag.List {
	own := map[string]bool{}
	for _, d := range lint.Card(c.root, lint.Options{}) {
		own[d.Rule] = true
	}
	return slices.DeleteFunc(lint.Card(n, lint.Options{}), func(d diag.Diagnostic) bool { return own[d.Rule] })
}

// BelowRoot is the path of a card's directory in the output tree that it lies
// in, "" at its root or outside of any.
func (r Reader) BelowRoot(name string) string {
	dir, file := path.Split(filepath.ToSlash(filepath.Clean(name)))
	below, ok := strings.CutSuffix(dir, ".well-known/")
	if !ok || file == "" {
		return ""
	}
	for root := path.Clean(below); ; root = path.Dir(root) {
		if r.has(filepath.Join(filepath.FromSlash(root), tree.ManifestName)) {
			return strings.Trim(strings.TrimPrefix(path.Clean(below), root), "/")
		}
		if root == path.Dir(root) {
			return ""
		}
	}
}
