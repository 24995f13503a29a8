package cli

import (
	"errors"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

// What stands in the way of writing decides about the exit code, and the worst of it
// counts.
func TestExit(t *testing.T) {
	finding := func(exit diag.Exit) diag.Diagnostic {
		for _, r := range diag.Rules() {
			if r.Exit == exit {
				return diag.New(r.ID, diag.Span{}, "x").WithSeverity(diag.Error)
			}
		}
		t.Fatalf("no rule ends with %v", exit)
		return diag.Diagnostic{}
	}
	for name, c := range map[string]struct {
		found diag.List
		want  error
	}{
		"nothing":      {nil, nil},
		"a finding":    {diag.List{finding(diag.Findings)}, exitError(Findings)},
		"a wrong call": {diag.List{finding(diag.Findings), finding(diag.Usage)}, exitError(Usage)},
		"a fault":      {diag.List{finding(diag.Fault), finding(diag.Findings)}, exitError(Fault)},
		"a warning":    {diag.List{finding(diag.Fault).WithSeverity(diag.Warning)}, nil},
	} {
		run := &project.Run{Found: c.found, Options: project.Options{FailOn: diag.Error}}
		if got := new(app).result(run).exit(); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
