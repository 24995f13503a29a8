package cli

import (
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/policy"
	"cardwright/internal/project"
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
	var trials []policy.Trial
	for _, rule := range project.Policies(run.config) {
		more, found := policy.Try(rule, run.project.OpenSource, run.config.Limits)
		trials, run.Found = append(trials, more...), append(run.Found, found...)
	}
	failed := 0
	for _, t := range trials {
		if t.Fault != "" {
			failed++
		}
		if t.Fault != "" || !a.quiet {
			a.print(t.String())
		}
	}
	if run.Found = run.Found.Sorted(); run.Found.Worst() == diag.Error {
		return a.endFindings(run)
	}
	if err := a.printFindings(run); err != nil {
		return err
	}
	if len(trials) == 0 && len(run.Found) == 0 {
		return usageError("add policies: to the configuration", "there is no policy to test")
	}
	if !a.quiet {
		a.print(fmt.Sprintf("%s of policies, %d failed", diag.Count(len(trials), "example"), failed))
	}
	if failed > 0 {
		return done(exitFindings)
	}
	return nil
}
