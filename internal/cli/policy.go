package cli

import (
	"context"
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/policy"
	"cardwright/internal/project"
)

func (a *app) policyCommand() *ucli.Command {
	var o projectOptions
	return group("policy", page("policy test", []ucli.Flag{environmentFlag(&o.Environment), allowEnvFlag(&o.AllowEnv)},
		func(ctx context.Context, args []string) error {
			if len(args) > 0 {
				return usageError("", "policy test takes no arguments")
			}
			return a.testPolicies(&o)
		}))
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
