package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/probe"
	"cardwright/internal/publish"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) verifyCommand() *ucli.Command {
	var o verifyOptions
	return &ucli.Command{
		Name:      "verify",
		Usage:     "verify signed cards and output trees",
		UsageText: "cardwright verify [flags] CARD|DIR...",
		Description: `Says of each signature by which key it is good, or why it is refused. One good
signature a card is enough. Keys come from where you say, never from the card.
Of a directory that generate or catalog wrote, everything is checked: files, sidecars,
copies, catalogue, manifest and signatures.

Examples:
  cardwright verify agent-card.json --jwks jwks.json
  cardwright verify agent-card.json --jwks-url https://agents.acme.example/.well-known/jwks.json
  cardwright verify dist --key file:card-key.pub.json`,
		Flags: append(o.flags(),
			&ucli.StringSliceFlag{Name: "key", Usage: "a key to trust: file:`PATH` or env:NAME (repeatable)"},
			&ucli.StringSliceFlag{Name: "jwks", Usage: "a key set `FILE` to trust (repeatable)"},
			&ucli.StringFlag{Name: "jwks-url", Usage: "fetch the key set to trust from this https `URL`", Destination: &o.url},
			&ucli.BoolFlag{Name: "all", Usage: "every signature has to be good, and every card signed", Destination: &o.all},
		),
		Action: func(c *ucli.Context) error {
			o.keys, o.sets = c.StringSlice("key"), c.StringSlice("jwks")
			return a.verify(c.Context, &o, c.Args().Slice())
		},
	}
}

// verifyOptions are the flags of verify.
type verifyOptions struct {
	findingOptions
	keys []string
	sets []string
	url  string
	all  bool
}

// trusts tells whether any key was named.
func (o *verifyOptions) trusts() bool { return len(o.keys) > 0 || len(o.sets) > 0 || o.url != "" }

// verified is what became of the signatures of one card.
type verified struct {
	cardFile
	results []sign.Result
}

func (a *app) verify(ctx context.Context, o *verifyOptions, names []string) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(names) == 0 {
		return usageError("cardwright verify agent-card.json --jwks jwks.json", "verify needs a card or a directory")
	}
	run := &built{options: &o.findingOptions, project: &project{}, given: names}
	keys, found, err := o.trusted(ctx)
	if err != nil {
		return err
	}
	run.found = found
	var cards []verified
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			cards = append(cards, o.verifyTree(run, name, keys)...)
			continue
		}
		c, err := a.readCard(run.project, name, source.Limits{})
		if err != nil {
			return err
		}
		if !o.trusts() {
			return usageError("--key, --jwks or --jwks-url", "to verify %s, say whose signature to trust", diag.Quote(name))
		}
		cards = append(cards, o.verifyCard(run, c, keys, diag.Error))
	}
	run.found = o.settle(run.found)
	if o.format == "text" && !a.quiet {
		for _, c := range cards {
			a.tellVerified(c)
		}
	}
	if err := a.printFindings(run, signatures(cards)); err != nil {
		return err
	}
	if run.failed() {
		return done(exitFindings)
	}
	return nil
}

// trusted gathers the keys that were named.
func (o *verifyOptions) trusted(ctx context.Context) ([]sign.Key, diag.List, error) {
	var keys []sign.Key
	var found diag.List
	for _, ref := range o.keys {
		k, more, err := readKey(ref)
		if err != nil {
			return nil, nil, err
		}
		keys, found = append(keys, k.Public()), append(found, more...)
	}
	for _, name := range o.sets {
		data, err := readSet(name)
		if err != nil {
			return nil, nil, err
		}
		more, faults := sign.ParseJWKS(name, data, source.Limits{})
		keys, found = append(keys, more...), append(found, faults...)
	}
	if o.url != "" {
		data, err := probe.Fetch(ctx, o.url)
		if err != nil {
			return nil, nil, usageError("", "%s", err)
		}
		more, faults := sign.ParseJWKS(o.url, data, source.Limits{})
		keys, found = append(keys, more...), append(found, faults...)
	}
	return keys, found, nil
}

func readSet(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError("", "cannot read the key set %s: %s", diag.Quote(name), reason(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(source.Limits{}.WithDefaults().Card)+1))
	if err != nil {
		return nil, usageError("", "cannot read the key set %s: %s", diag.Quote(name), reason(err))
	}
	return data, nil
}

// verifyTree checks an output tree and the signatures of its cards. Where no
// keys were named, those of the tree show at least that it fits together.
func (o *verifyOptions) verifyTree(run *built, dir string, keys []sign.Key) []verified {
	files, found := publish.Verify(dir)
	for i, d := range found {
		if path.Base(filepath.ToSlash(d.Span.File)) == publish.ManifestName && files == nil {
			found[i].Hint = d.Hint + "; of a directory that it did not write, name the cards"
		}
	}
	remedy := remedyFor(dir)
	for i := range found {
		if found[i].Hint == publish.Remedy {
			found[i].Hint = remedy
		}
	}
	run.found = append(run.found, found...)
	_, _ = run.project.directory(dir) // so that findings can show the cards
	unsigned := diag.Error
	if !o.trusts() {
		more, faults := ownKeys(dir, files)
		keys, run.found = append(keys, more...), append(run.found, faults...)
		if !o.all {
			unsigned = diag.Info
		}
	}
	var cards []verified
	for _, f := range files {
		if f.ContentType == catalog.MediaType {
			run.found = append(run.found, catalog.Check(shown(dir, f), f.Data, files, remedy)...)
		}
		if standsAlone(f, files) {
			cards = append(cards, o.verifyCard(run, cardFile{shown(dir, f), f.Data}, keys, unsigned))
		}
	}
	if !o.trusts() && slices.ContainsFunc(cards, func(c verified) bool { return len(c.results) > 0 }) {
		run.found = append(run.found, diag.Diagnostic{
			Rule: "verify-own-keys", Severity: diag.Info, Span: diag.Span{File: dir},
			Message: "the signatures were held against the key set of the tree itself, which shows that they fit together, and not who made them",
			Hint:    "name a key that you trust with --key, --jwks or --jwks-url",
		})
	}
	return cards
}

// remedyFor is what brings a tree back to what cardwright wrote.
func remedyFor(dir string) string {
	if indexes, others := manifestLists(dir); indexes && !others {
		return "run the cardwright catalog again that wrote it"
	}
	return publish.Remedy
}

// ownKeys are the keys that the tree publishes.
func ownKeys(dir string, files []schema.File) (keys []sign.Key, found diag.List) {
	for _, f := range files {
		if path.Base(f.Path) == "jwks.json" {
			more, faults := sign.ParseJWKS(shown(dir, f), f.Data, source.Limits{})
			keys, found = append(keys, more...), append(found, faults...)
		}
	}
	return keys, found
}

// standsAlone tells whether a file of the tree is a card, and not the copy of one.
func standsAlone(f schema.File, files []schema.File) bool {
	dir, base := path.Split(f.Path)
	return isCard(f.Path) || base == "agent.json" && !slices.ContainsFunc(files, func(o schema.File) bool { return o.Path == dir+"agent-card.json" })
}

func shown(dir string, f schema.File) string { return path.Join(filepath.ToSlash(dir), f.Path) }

// verifyCard checks the signatures of one card. A card without any is a
// finding of the given severity.
func (o *verifyOptions) verifyCard(run *built, c cardFile, keys []sign.Key, unsigned diag.Severity) verified {
	results, found := sign.Verify(c.file(), c.data, keys, source.Limits{})
	run.found = append(run.found, found...)
	if len(results) == 0 && found == nil {
		run.found = append(run.found, diag.Diagnostic{
			Rule: "signature-missing", Severity: unsigned, Span: diag.Span{File: c.file()},
			Message: "the card has no signature", Hint: "cardwright sign",
		})
	}
	good := slices.ContainsFunc(results, sign.Result.Good)
	covered := slices.ContainsFunc(results, func(r sign.Result) bool { return r.Good() && !r.Open() })
	for _, r := range results {
		d := diag.Diagnostic{Severity: diag.Error, Span: r.Span, Pointer: r.Pointer}
		switch {
		case !r.Good():
			d.Rule, d.Message = "signature-invalid", "the signature is refused: "+r.Fault
			if good && !o.all {
				d.Severity = diag.Warning
			}
		case len(r.Uncovered) > 0:
			d.Rule = "signature-uncovered"
			d.Message = fmt.Sprintf("the signature is good under the reading %q, which does not cover %s", r.Reading, few(r.Uncovered))
			d.Hint = "anybody can have put these members there: do not rely on them"
			if !r.Open() || covered {
				d.Severity = diag.Warning
			}
		default:
			continue
		}
		run.found = append(run.found, d)
	}
	return verified{c, results}
}

// few lists the places for a message.
func few(uncovered []sign.Divergence) string {
	const most = 5
	list := pointers(uncovered[:min(len(uncovered), most)])
	if more := len(uncovered) - len(list); more > 0 {
		return strings.Join(list, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(list, ", ")
}

func pointers(uncovered []sign.Divergence) []string {
	var list []string
	for _, d := range uncovered {
		list = append(list, d.Pointer)
	}
	return list
}

func (a *app) tellVerified(c verified) {
	for _, r := range c.results {
		if r.Good() {
			a.print(fmt.Sprintf("%s: good signature by %s (%s, reading %s)", c.file(), r.Kid, r.Alg, r.Reading))
		}
	}
}

// signatures is what verify adds to the findings in a machine format.
func signatures(cards []verified) source.Member {
	list := &source.Node{Kind: source.Array}
	for _, c := range cards {
		for _, r := range c.results {
			n := &source.Node{Kind: source.Object}
			n.SetText("file", c.file())
			n.SetText("pointer", r.Pointer)
			n.SetText("alg", string(r.Alg))
			n.SetText("kid", r.Kid)
			n.SetText("jku", r.JKU)
			n.Set("good", source.NewBool(r.Good()))
			n.SetText("reading", string(r.Reading))
			n.SetTexts("uncovered", pointers(r.Uncovered))
			n.SetText("fault", r.Fault)
			list.Items = append(list.Items, n)
		}
	}
	return source.Member{Key: "signatures", Value: list}
}
