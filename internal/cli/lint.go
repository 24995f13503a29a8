package cli

import (
	"context"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) lintCommand() *ucli.Command {
	var o lintOptions
	return &ucli.Command{
		Name:      "lint",
		Aliases:   []string{"validate"},
		Usage:     "check cards, or the project and the cards it makes",
		UsageText: "cardwright lint [flags] [CARD...]",
		Description: `Without arguments it checks the project: configuration, skills and the cards they
make, each finding at its place in the source. CARD is a file, a pattern, a
directory (every agent-card.json and agent.json below it) or - for standard
input, whoever wrote it. Each card is judged by the rules of the protocol
version that its shape tells.

Examples:
  cardwright lint
  cardwright lint dist 'cards/**/*.json'
  curl -s https://agents.acme.example/.well-known/agent-card.json | cardwright lint -
  cardwright lint --only secret-value,text-invisible --format json dist`,
		Flags: append(o.flags(),
			&ucli.StringFlag{Name: "protocol", Usage: "judge by the rules of `VERSION` of A2A: 1.0, 0.3 or dual", Destination: &o.protocol},
			&ucli.StringSliceFlag{Name: "only", Usage: "only the rule with this `ID` (repeatable, or with commas)"},
			&ucli.StringSliceFlag{Name: "skip", Usage: "not the rule with this `ID` (repeatable, or with commas)"},
		),
		Action: func(c *ucli.Context) error {
			o.finish(c)
			o.only, o.skip = words(c.StringSlice("only")), words(c.StringSlice("skip"))
			return a.lint(c.Context, &o)
		},
	}
}

// lintOptions are the flags of lint.
type lintOptions struct {
	projectOptions
	protocol string
	only     []string
	skip     []string
}

func (o *lintOptions) validate() error {
	switch o.protocol {
	case "", "1.0", "0.3", "dual":
	default:
		return usageError("use 1.0, 0.3 or dual", "unknown protocol %s", diag.Quote(o.protocol))
	}
	if err := knownRules(slices.Concat(o.only, o.skip)...); err != nil {
		return err
	}
	return o.check()
}

func (a *app) lint(ctx context.Context, o *lintOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	judge := a.lintCards
	if len(o.dirs) == 0 {
		judge = a.lintProject
	}
	run, err := judge(ctx, o)
	if err != nil {
		return err
	}
	run.found = lint.Switches{Only: o.only, Skip: o.skip}.Apply(run.found)
	run.data = true
	if run.failed() {
		return a.endFindings(run)
	}
	return a.printFindings(run)
}

// lintProject judges the sources and the cards they make.
func (a *app) lintProject(ctx context.Context, o *lintOptions) (*built, error) {
	return a.build(ctx, &o.projectOptions, func(run *built, r *generate.Request) {
		r.Notes = true
		r.Base = run.project.onDisk(run.project.outDir(run.config), "")
	})
}

// lintCards judges the cards that were named.
func (a *app) lintCards(_ context.Context, o *lintOptions) (*built, error) {
	limits, err := parseLimits(o.limits)
	if err != nil {
		return nil, err
	}
	collectMore()
	run := &built{options: &o.findingOptions, project: &project{}, given: o.dirs}
	for _, name := range o.dirs {
		files, found := a.findCards(run.project, name, limits)
		run.found = append(run.found, found...)
		trees := map[string][]lint.Named{}
		for _, f := range files {
			if d, ok := f.source(); ok {
				run.found = append(run.found, d)
				continue
			}
			card, found := source.ParseJSON(f.file(), f.data, limits.WithDefaults())
			run.found = append(run.found, found...)
			run.found = append(run.found, judge(card, schema.Protocol(o.protocol))...)
			run.found = append(run.found, dialect(f, card, limits)...)
			if card != nil {
				tree, agent := f.place()
				trees[tree] = append(trees[tree], lint.Named{Agent: agent, Card: card})
			}
		}
		for _, tree := range trees {
			run.found = append(run.found, lint.Tree(tree)...)
		}
	}
	run.found = o.settle(run.found)
	return run, nil
}

// dialect says what a card is written in, unless that is A2A, and what convert
// would do about it: of one that is no JSON, too, where the text has no more than
// slips.
func dialect(f cardFile, card *source.Node, limits source.Limits) diag.List {
	var slips diag.List
	if card == nil {
		if card, slips = source.ParseJSONLenient(f.file(), f.data, limits); slips.Worst() == diag.Error {
			return nil
		}
	}
	if d, ok := schema.Read(card, schema.ReadOptions{}).Summary(len(slips)); ok {
		return diag.List{d}
	}
	return nil
}

// judge returns the findings about a card, and about its signatures where it
// has any and no error: one that has must be signed again in any case. A member
// on which verifiers disagree is that, and not unknown or empty as well.
func judge(card *source.Node, p schema.Protocol) diag.List {
	found := lint.Card(card, lint.Options{Protocol: p})
	if card.Get("signatures") == nil || found.Worst() == diag.Error {
		return found
	}
	hazards := sign.Check(card, sign.Options{AllowDivergent: true})
	told := map[string]bool{}
	for _, d := range hazards {
		told[d.Pointer] = true
	}
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return told[d.Pointer] && (d.Rule == "card-member-unknown" || d.Rule == "capability-unknown" || d.Rule == "card-empty-optional")
	})
	return append(found, hazards...)
}

// words splits values of a repeatable flag at commas.
func words(values []string) []string {
	var out []string
	for _, v := range values {
		for word := range strings.SplitSeq(v, ",") {
			if word = strings.TrimSpace(word); word != "" {
				out = append(out, word)
			}
		}
	}
	return out
}
