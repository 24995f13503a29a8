package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/catalog"
	"cardwright/internal/diag"
	"cardwright/internal/glob"
	"cardwright/internal/lint"
	"cardwright/internal/publish"
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

// findCards reads the cards that one argument stands for. What cannot be read
// is a finding, so that the others are judged all the same.
func (a *app) findCards(p *project, name string, limits source.Limits) (files []cardFile, found diag.List) {
	names := []string{name}
	switch info, err := os.Stat(name); {
	case name == "-":
	case err == nil && info.IsDir():
		names = cardsBelow(name, func(file string) bool { return slices.Contains(cardNames, path.Base(file)) })
		if len(names) == 0 {
			return nil, diag.List{unreadable(name, "the directory has no agent-card.json or agent.json in it", "name the card itself; to check the skills of a project, run cardwright lint without arguments")}
		}
	case err != nil && strings.ContainsAny(name, "*?["):
		base, pattern := splitPattern(filepath.ToSlash(name))
		if err := glob.Check(pattern); err != nil {
			return nil, diag.List{unreadable(name, fmt.Sprintf("the pattern has %s", err), "")}
		}
		names = cardsBelow(base, func(file string) bool {
			return glob.Match(pattern, file) && !slices.Contains(besideCards, path.Base(file))
		})
		if len(names) == 0 {
			return nil, diag.List{unreadable(name, "the pattern matches no file", "")}
		}
	}
	for _, n := range names {
		if n != "-" {
			n = filepath.Clean(n) // one name for one file, whose findings count once
		}
		f, err := a.readCard(p, n, limits)
		if err != nil {
			found = append(found, unreadable(n, reason(err), ""))
			continue
		}
		if !isCopy(f, files) {
			files = append(files, f)
		}
	}
	return files, found
}

// besideCards are files of an output tree that a pattern such as **/*.json does
// not mean.
var besideCards = []string{publish.ManifestName, path.Base(catalog.Path), "jwks.json"}

var cardNames = []string{"agent-card.json", "agent.json", "extended-agent-card.json"}

// cardsBelow are the files below a directory, in bytewise order of their
// paths, that are wanted. The path that decides is relative to the directory.
func cardsBelow(dir string, wanted func(file string) bool) []string {
	var names []string
	_ = fs.WalkDir(os.DirFS(dir), ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // what cannot be listed has no card for us
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir() && wanted(file):
			names = append(names, filepath.Join(dir, filepath.FromSlash(file)))
		}
		return nil
	})
	slices.Sort(names)
	return names
}

// splitPattern splits a pattern into the directory that it certainly begins
// with, and the rest.
func splitPattern(pattern string) (dir, rest string) {
	dir, rest = ".", pattern
	for {
		segment, tail, more := strings.Cut(rest, "/")
		if !more || strings.ContainsAny(segment, "*?[") {
			return dir, rest
		}
		if segment == "" {
			segment = "/"
		}
		dir, rest = path.Join(dir, segment), tail
		if segment == "/" {
			dir = "/"
		}
	}
}

// isCopy tells whether the file is the copy of a card for older clients, which
// has the same bytes: its findings would be the same.
func isCopy(f cardFile, others []cardFile) bool {
	return filepath.Base(f.name) == "agent.json" && slices.ContainsFunc(others, func(o cardFile) bool {
		return filepath.Dir(o.name) == filepath.Dir(f.name) && bytes.Equal(o.data, f.data)
	})
}

// place is the output tree that a card is in, and the directory of its agent
// there: the tree is where the manifest is, or the card itself without one.
func (c cardFile) place() (tree, agent string) {
	dir := path.Dir(c.file())
	for at := dir; ; at = path.Dir(at) {
		if _, err := os.Lstat(filepath.FromSlash(path.Join(at, publish.ManifestName))); err == nil {
			return at, strings.TrimSuffix(dir, "/.well-known")
		}
		if at == path.Dir(at) {
			return c.file(), dir
		}
	}
}

// source tells of a file that cards are made from that it is no card itself.
func (c cardFile) source() (diag.Diagnostic, bool) {
	var what string
	switch base := path.Base(c.file()); {
	case strings.EqualFold(base, "SKILL.md"):
		what = "a skill"
	case slices.Contains(configNames, base):
		what = "the configuration of cardwright"
	default:
		return diag.Diagnostic{}, false
	}
	return diag.Diagnostic{Rule: "card-foreign", Severity: diag.Error, Message: "not an agent card: it is " + what, Span: diag.Span{File: c.file(), Line: 1, Column: 1}, Hint: "cardwright lint without arguments checks the skills and the configuration of a project"}, true
}

func unreadable(name, why, hint string) diag.Diagnostic {
	return diag.Diagnostic{Rule: "input-unreadable", Severity: diag.Error, Message: why, Span: diag.Span{File: filepath.ToSlash(name)}, Hint: hint}
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
