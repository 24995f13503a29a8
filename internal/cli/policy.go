package cli

import (
	"context"
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/outcome"
	"cardwright/internal/policy"
	"cardwright/internal/project"
)

func (a *app) policyCommand() *ucli.Command {
	var o projectOptions
	return group("policy", page("policy test", []ucli.Flag{environmentFlag(&o.Environment), allowEnvFlag(&o.AllowEnv)},
		func(_ context.Context, args []string) error {
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
	defer run.Space.Close()
	if run.Failed() {
		return run.End()
	}
	var trials []policy.Trial
	for _, rule := range project.Policies(run.Config) {
		more, found := policy.Try(rule, run.Project.OpenSource, run.Config.Limits)
		trials, run.Found = append(trials, more...), append(run.Found, found...)
	}
	failed := policy.Failed(trials)
	for _, t := range trials {
		if t.Fault != "" || !a.Quiet {
			a.Print(t.String())
		}
	}
	if run.Found = run.Found.Sorted(); run.Found.Worst() == diag.Error {
		return run.End()
	}
	if err := run.Report(); err != nil {
		return err
	}
	if len(trials) == 0 && len(run.Found) == 0 {
		return usageError("add policies: to the configuration", "there is no policy to test")
	}
	run.Tell(fmt.Sprintf("%s of policies, %d failed", diag.Count(len(trials), "example"), failed))
	if failed > 0 {
		return outcome.Done(outcome.Findings)
	}
	return nil
}
