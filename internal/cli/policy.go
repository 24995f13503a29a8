package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/policy"
	"cardwright/internal/project"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

func (a *app) policyCommand() *ucli.Command {
	var o projectOptions
	return &ucli.Command{
		Name:      "policy",
		Usage:     "test the house rules of the configuration",
		UsageText: "cardwright policy test",
		Description: `A policy is a JSON Schema for the cards of an organization; see docs/policies.md.
generate and lint check the cards with the policies of the configuration.

Example:
  cardwright policy test`,
		Subcommands: []*ucli.Command{{
			Name:      "test",
			Usage:     "test the policies with cards that must pass and cards that must fail",
			UsageText: "cardwright policy test [flags]",
			Description: `For each policy, looks beside its schema for a directory named like the policy or
like the schema. Cards in it named ok*.json must satisfy the policy, and those
named bad*.json must not. A policy without both kinds of cards is a warning.

Examples:
  cardwright policy test
  cardwright policy test --env production`,
			Flags: []ucli.Flag{
				environmentFlag(&o.Environment),
				allowEnvFlag(&o.AllowEnv),
			},
			Action: func(c *ucli.Context) error {
				if c.Args().Present() {
					return usageError("", "policy test takes no arguments")
				}
				return a.testPolicies(&o)
			},
		}},
	}
}

func (a *app) testPolicies(o *projectOptions) error {
	run, err := a.configured(o)
	if err != nil {
		return err
	}
	defer run.space.Close()
	if run.failed() {
		return a.endFindings(run)
	}
	request := &generate.Request{Config: run.config, Open: run.project.OpenSource}
	tests := policyTests{app: a, project: run.project, request: request}
	for _, rule := range project.Policies(run.config) {
		run.Found = append(run.Found, tests.try(rule)...)
	}
	if run.Found = run.Found.Sorted(); run.Found.Worst() == diag.Error {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	if tests.ran == 0 && len(run.Found) == 0 {
		return usageError("add policies: to the configuration", "there is no policy to test")
	}
	if !a.quiet {
		a.print(fmt.Sprintf("%s of policies, %d failed", diag.Count(tests.ran, "example"), tests.failed))
	}
	if tests.failed > 0 {
		return done(exitFindings)
	}
	return nil
}

// notPolicies are the ids that no policy of the project has.
func (run *outcome) notPolicies(ids []string) []string {
	if run.config == nil {
		return ids
	}
	policies := project.Policies(run.config)
	return slices.DeleteFunc(ids, func(id string) bool {
		return slices.ContainsFunc(policies, func(p config.Policy) bool { return p.ID == id })
	})
}

// policyTests try policies on examples.
type policyTests struct {
	*app
	project     *workspace.Project
	request     *generate.Request
	ran, failed int
}

// try runs the examples of a policy. The findings are about the policy itself.
func (t *policyTests) try(p config.Policy) diag.List {
	rule, found := policy.Read(p, t.request.Open, t.request.Config.Limits)
	if rule == nil {
		return found
	}
	examples, more := t.examples(p)
	found = append(found, more...)
	verdicts := map[bool]int{}
	for _, file := range examples {
		want := strings.HasPrefix(path.Base(file), "ok")
		verdicts[want]++
		t.run(rule, file, want)
	}
	for want, name := range map[bool]string{true: "ok*.json", false: "bad*.json"} {
		if verdicts[want] == 0 {
			found = append(found, diag.New("config-file", p.Schema.Span, "the policy %q has no example %s", p.ID, name).
				WithSeverity(diag.Warning).WithHint("add one in "+path.Join(path.Dir(p.Schema.Value), p.ID)))
		}
	}
	return found
}

// examples are the paths in the project of the cards that a policy is tried on.
func (t *policyTests) examples(p config.Policy) (files []string, found diag.List) {
	dir, base := path.Split(p.Schema.Value)
	stem, _, _ := strings.Cut(base, ".")
	for _, name := range slices.Compact([]string{path.Join(dir, p.ID), path.Join(dir, stem)}) {
		tree, err := t.project.OpenSource(name)
		if err != nil {
			continue // it is as far away as the schema, which could be read
		}
		entries, err := fs.ReadDir(tree.FS, tree.Root)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			found = append(found, diag.New("config-file", p.Schema.Span, "the examples %s of the policy %q cannot be read: %s",
				diag.Quote(name), p.ID, safefile.Reason(err)))
		}
		for _, e := range entries {
			if ok, _ := path.Match("ok*.json", e.Name()); ok {
				files = append(files, path.Join(tree.Root, e.Name()))
			} else if bad, _ := path.Match("bad*.json", e.Name()); bad {
				files = append(files, path.Join(tree.Root, e.Name()))
			}
		}
	}
	return files, found
}

// run tries a policy on one card, and says how that went.
func (t *policyTests) run(rule *policy.Policy, file string, want bool) {
	t.ran++
	tree := t.project.Whole
	shown := tree.Show(file)
	limits := source.Limits{}.WithDefaults()
	data, err := safefile.ReadFile(tree.FS, file, limits.Card)
	fault := ""
	switch card, found := parseCard(shown, data, limits); {
	case err != nil:
		fault = "cannot be read: " + safefile.Reason(err)
	case card == nil:
		fault = "is not JSON: " + found[0].Message
	default:
		judged := rule.Judge(card)
		if want && len(judged) > 0 {
			at, _ := card.Find(judged[0].Pointer)
			fault = fmt.Sprintf("is refused: %s: %s", at.Span, judged[0].Hint)
		} else if !want && len(judged) == 0 {
			fault = "is allowed"
		}
	}
	if fault != "" {
		t.failed++
		t.print(fmt.Sprintf("FAIL  %s: %s %s", rule.ID, shown, fault))
		return
	}
	if !t.quiet {
		t.print(fmt.Sprintf("ok    %s: %s", rule.ID, shown))
	}
}

// parseCard reads a card for a policy to judge, nil where it is no JSON.
func parseCard(name string, data []byte, limits source.Limits) (*source.Node, diag.List) {
	card, found := source.ParseJSON(name, data, limits)
	if found.Worst() == diag.Error {
		return nil, found
	}
	return card, found
}
