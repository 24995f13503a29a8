package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/nearest"
	"cardwright/internal/publish"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) convertCommand() *ucli.Command {
	var o convertOptions
	return &ucli.Command{
		Name:      "convert",
		Usage:     "make a clean card of one that others wrote",
		UsageText: "cardwright convert CARD --to 1.0|0.3|dual [flags]",
		Description: `Reads a card of any version of A2A, and what people write instead of one, says
what had to be repaired, assumed or left out, and writes a valid card of the
version asked for to standard output. CARD is a file, or - for standard input.
Nothing is written when something is missing; --set supplies it.

Examples:
  cardwright convert agent.json --to 1.0 -o agent-card.json
  cardwright convert agent.json --to dual -o public/.well-known/
  cardwright convert agent.json --to 1.0 --set version=1.4.0 --set url=https://agents.acme.example/a2a
  curl -s https://agents.acme.example/.well-known/agent.json | cardwright convert - --to 1.0`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "to", Usage: "write `VERSION` of A2A: 1.0, 0.3 or dual", Destination: &o.to},
			&ucli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`, or into a directory as agent-card.json with its sidecars", Destination: &o.output},
			&ucli.BoolFlag{Name: "in-place", Usage: "write the card back to where it came from", Destination: &o.inPlace},
			&ucli.StringSliceFlag{Name: "set", Usage: "supply a member, `KEY=VALUE`: " + strings.Join(schema.Settable(), ", ") + " (repeatable)"},
			&ucli.StringFlag{Name: "agent", Usage: "from a list of agents, take the one of this `NAME` or id", Destination: &o.read.Agent},
			&ucli.BoolFlag{Name: "drop-unknown", Usage: "leave out members that no version of A2A knows", Destination: &o.read.DropUnknown},
			&ucli.StringSliceFlag{Name: "limit", Usage: "raise a bound, `NAME=N`: card, nesting (repeatable)"},
		),
		Action: func(c *ucli.Context) error {
			return a.convert(c.Context, &o, c.Args().Slice(), c.StringSlice("set"), c.StringSlice("limit"))
		},
	}
}

// convertOptions are the flags of convert.
type convertOptions struct {
	findingOptions
	to      string
	output  string
	inPlace bool
	read    schema.ReadOptions
	limits  source.Limits
}

// finish checks the flags and reads those with a form of their own.
func (o *convertOptions) finish(names, set, limits []string) (err error) {
	if err = o.check(); err != nil {
		return err
	}
	switch {
	case len(names) != 1:
		return usageError("cardwright convert agent.json --to 1.0", "convert takes one card, not %d", len(names))
	case o.to == "":
		return usageError("--to 1.0, --to 0.3 or --to dual", "convert needs to know the version to write")
	case !slices.Contains([]string{"1.0", "0.3", "dual"}, o.to):
		return usageError("use 1.0, 0.3 or dual", "unknown version %s", diag.Quote(o.to))
	case o.inPlace && o.output != "":
		return usageError("", "--in-place and --output exclude each other")
	case o.inPlace && names[0] == "-":
		return usageError("use --output FILE", "--in-place needs a file, and standard input is none")
	case o.output == "" && !o.inPlace && o.format != "text" && o.format != "json":
		return usageError("--output FILE for the card, or --report "+o.format+"=FILE for the findings", "findings as %s and the card cannot both go to standard output", o.format)
	}
	if o.limits, err = parseLimits(limits); err != nil {
		return err
	}
	o.read.Set, err = parseSet(set)
	return err
}

// parseSet reads --set KEY=VALUE.
func parseSet(assignments []string) (map[string]string, error) {
	set := map[string]string{}
	for _, s := range assignments {
		key, value, _ := strings.Cut(s, "=")
		if !slices.Contains(schema.Settable(), key) {
			hint := "one of " + strings.Join(schema.Settable(), ", ")
			if n, ok := nearest.Nearest(key, schema.Settable()); ok {
				hint = "did you mean " + n + "?"
			}
			return nil, usageError(hint, "--set does not know %s", diag.Quote(key))
		}
		if value == "" {
			return nil, usageError("", "--set %s needs a value", key)
		}
		set[key] = value
	}
	return set, nil
}

func (a *app) convert(ctx context.Context, o *convertOptions, names, set, limits []string) error {
	if err := o.finish(names, set, limits); err != nil {
		return err
	}
	run := &built{options: &o.findingOptions, project: &project{}, given: names}
	card, err := a.readCard(run.project, names[0], o.limits)
	if err != nil {
		return err
	}
	node, found := o.converted(card)
	run.found = o.settle(found)
	if node == nil || run.failed() {
		return a.endFindings(run)
	}
	if o.output == "" && !o.inPlace {
		return a.printCard(run, node)
	}
	return a.writeCard(ctx, run, o, card, node)
}

// converted returns the card in its new form, nil when there is none, and all
// that is to be said about it.
func (o *convertOptions) converted(card cardFile) (*source.Node, diag.List) {
	root, found := source.ParseJSONLenient(card.file(), card.data, o.limits)
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	for i := range found {
		found[i].Severity = diag.Info // repaired, and nothing is lost
	}
	r := schema.Read(root, o.read)
	p := schema.Protocol(o.to)
	node, more := r.Convert(p)
	found = slices.Concat(found, r.Found, supply(r.Missing), more)
	if node == nil || len(r.Missing) > 0 {
		return nil, found
	}
	return node, append(found, doubts(r, p, node, found)...)
}

// supply tells which flag supplies what is missing.
func supply(missing diag.List) diag.List {
	for i, d := range missing {
		if key := strings.TrimPrefix(d.Pointer, "/"); slices.Contains(schema.Settable(), key) {
			missing[i].Hint = fmt.Sprintf("--set %s=… supplies it", key)
		}
	}
	return missing
}

// doubts are what lint has against the new card: errors that nothing of what
// was found says already, and all about its endpoints. Those values stay as they
// are, so that none is an error.
func doubts(r *schema.Reading, p schema.Protocol, node *source.Node, told diag.List) diag.List {
	var found diag.List
	said := map[string]bool{}
	for _, d := range told {
		said[d.Rule] = true
	}
	for _, d := range lint.Card(node, lint.Options{Protocol: p}) {
		if said[d.Rule] || d.Severity != diag.Error && !slices.Contains(endpointRules(), d.Rule) {
			continue
		}
		if said[d.Rule+d.Message] {
			continue // a card states an endpoint more than once
		}
		said[d.Rule+d.Message] = true
		d.Severity = min(d.Severity, diag.Warning)
		d.Pointer = inReading(d.Pointer)
		d.Span, d.Related = r.Place(d.Pointer), nil
		if d.Rule == "interface-placeholder" {
			d.Hint = "--set url=… names the real one"
		}
		found = append(found, d)
	}
	return found
}

// endpointRules are the rules about where an agent listens.
func endpointRules() []string {
	return []string{"interface-credentials", "interface-insecure", "interface-is-card", "interface-not-a2a", "interface-placeholder", "interface-private-host", "interface-url-grpc", "interface-url-invalid"}
}

// inReading returns a pointer into a card of any version as [schema.Reading]
// spells it.
func inReading(pointer string) string {
	if pointer == "/url" {
		return "/supportedInterfaces/0"
	}
	return strings.Replace(pointer, "/additionalInterfaces/", "/supportedInterfaces/", 1)
}

// printCard prints the card on standard output, where JSON holds it.
func (a *app) printCard(run *built, node *source.Node) error {
	if run.options.format == "json" {
		return a.printFindings(run, source.Member{Key: "card", Value: node})
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	if _, err := a.Out.Write(inert(schema.Write(node))); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	return nil
}

// writeCard writes the card to the file that was asked for. In an output tree,
// sidecars, copies and the manifest follow.
func (a *app) writeCard(ctx context.Context, run *built, o *convertOptions, card cardFile, node *source.Node) error {
	name, sidecars := o.target(card)
	text := schema.Write(node)
	trees, loose, found := sortOut([]signed{{cardFile{name: name}, text}})
	run.found = append(run.found, found...).Sorted()
	if run.failed() {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil { // while the card is as the findings show it
		return err
	}
	var err error
	if len(loose) == 0 {
		err = a.writeSigned(ctx, trees, nil)
	} else {
		_, err = publish.WriteFile(name, text, sidecars)
	}
	if err == nil && o.format == "text" && !a.quiet {
		a.print(fmt.Sprintf("%s: A2A %s, %s", filepath.ToSlash(name), protocolText(schema.Protocol(o.to)), count(len(node.Get("skills").Items), "skill")))
	}
	return err
}

// target is the file that the card goes to, and whether sidecars go with it: in
// a directory it is published.
func (o *convertOptions) target(card cardFile) (name string, sidecars bool) {
	if o.inPlace {
		return card.name, false
	}
	info, err := os.Stat(o.output)
	if err == nil && info.IsDir() || strings.HasSuffix(filepath.ToSlash(o.output), "/") {
		return filepath.Join(o.output, "agent-card.json"), true
	}
	return o.output, false
}
