package cardfile

import (
	"context"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cardwright/internal/client"
	"cardwright/internal/convert"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
)

// Promise reads a card of any dialect.
func (f Input) Promise() (*Promise, error) {
	root, found := source.ParseJSONLenient(f.Path(), f.Data, source.Limits{})
	if root == nil || found.Worst() == diag.Error {
		return nil, diag.UsageError("", "%s is not a card: it is not JSON", diag.Quote(f.Path()))
	}
	r := convert.Read(root, convert.ReadOptions{})
	if r.Card == nil {
		return nil, diag.UsageError("run cardwright lint to see what is wrong with it", "%s is not a card",
			diag.Quote(f.Path()))
	}
	return &Promise{Reading: r, root: root}, nil
}

// Promised reads the card that is checked: a file, or what a URL sends.
func (r Reader) Promised(ctx context.Context, name string, timeout time.Duration) (*Promise, error) {
	if strings.Contains(name, "://") {
		return Served(ctx, name, timeout)
	}
	file, err := r.Read(name)
	if err != nil && strings.Contains(name, ":") {
		err = diag.UsageError("a URL must begin with http:// or https://", "%s", err)
	}
	if err != nil {
		return nil, err
	}
	card, err := file.Promise()
	if err == nil {
		card.Below = r.belowRoot(name)
	}
	return card, err
}

// Served reads the card that an agent serves.
func Served(ctx context.Context, address string, timeout time.Duration) (*Promise, error) {
	u, err := client.CardURL(address)
	if err != nil {
		return nil, diag.UsageError("", "%s", err)
	}
	body, err := client.Card(ctx, u, timeout)
	if err != nil {
		return nil, diag.UsageError("check the URL, and that the agent is running", "%s", err)
	}
	card, err := Input{Name: u.String(), Data: body}.Promise()
	if err == nil {
		card.From = u
	}
	return card, err
}

// Promise is the card that an agent is checked against.
type Promise struct {
	*convert.Reading
	From  *url.URL // where it was fetched, nil for a file
	Below string   // of a file: its directory in the output tree, as [Reader.belowRoot] returns it
	root  *source.Node
}

// LintOther returns the findings about another card of the agent, without those
// that this card has too.
func (c *Promise) LintOther(n *source.Node) diag.List {
	own := map[string]bool{}
	for _, d := range lint.Card(c.root, lint.Options{}) {
		own[d.Rule] = true
	}
	return slices.DeleteFunc(lint.Card(n, lint.Options{}), func(d diag.Diagnostic) bool { return own[d.Rule] })
}

// belowRoot is the path of a card's directory in the output tree that it lies
// in, "" at its root or outside of any.
func (r Reader) belowRoot(name string) string {
	_, file, ok := r.outputTree(filepath.Clean(name))
	below, inside := strings.CutSuffix(path.Dir(file), ".well-known")
	if !ok || !inside {
		return ""
	}
	return strings.Trim(below, "/")
}
