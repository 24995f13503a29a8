package cli

import (
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/project"
)

// What stands in the way of writing decides about the exit code, and the worst of it
// counts.
func TestCode(t *testing.T) {
	finding := func(exit diag.Exit) diag.Diagnostic {
		for _, r := range diag.Rules() {
			if r.Exit == exit {
				return diag.New(r.ID, diag.Span{}, "x").WithSeverity(diag.Error)
			}
		}
		t.Fatalf("no rule ends with %v", exit)
		return diag.Diagnostic{}
	}
	for _, c := range []struct {
		name  string
		found diag.List
		want  int
	}{
		{"nothing", nil, OK},
		{"a finding", diag.List{finding(diag.Findings)}, Findings},
		{"a wrong call", diag.List{finding(diag.Findings), finding(diag.Usage)}, Usage},
		{"a fault", diag.List{finding(diag.Fault), finding(diag.Findings)}, Fault},
		{"a warning", diag.List{finding(diag.Fault).WithSeverity(diag.Warning)}, OK},
	} {
		out := &outcome{run: &project.Run{Found: c.found}}
		out.run.Options.FailOn = diag.Error
		if got := out.code(); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestParseReports(t *testing.T) {
	t.Chdir(t.TempDir())
	formats := []string{"json", "sarif"}
	got, err := parseReports([]string{"json=a.json", "sarif=b=c"}, formats)
	if err != nil || len(got) != 2 || got[0] != (reportFile{"json", "a.json"}) || got[1] != (reportFile{"sarif", "b=c"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, s := range []string{"a.json", "json=", "text=a", "json=none/a.json"} {
		if got, err := parseReports([]string{s}, formats); err == nil {
			t.Errorf("%s: %v", s, got)
		}
	}
}
