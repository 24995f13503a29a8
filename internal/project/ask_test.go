package project_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	files "cardwright/internal/tree"
)

// What somebody answers is in the configuration, and what they leave follows its source.
func TestAnswers(t *testing.T) {
	root := fstest.MapFS{
		"plugin.json":          {Data: []byte(`{"name": "harbor", "description": "Runs a harbor.", "version": "1.2.0"}`)},
		"skills/tide/SKILL.md": {Data: []byte("---\nname: tide\ndescription: Forecasts tides.\n---\n")},
	}
	for _, c := range []struct {
		answers    map[string]string
		has, lacks string
	}{
		{nil, "# baseUrl:", "name:"},
		{map[string]string{"Name": "Port"}, `name: "Port"`, "description:"},
		{map[string]string{"Description": "Runs a port."}, `description: "Runs a port."  # your answer`, "name:"},
		{map[string]string{"URL": "https://a.acme.example"}, "\nbaseUrl: \"https://a.acme.example\"\n", "# baseUrl"},
	} {
		s, err := project.NewStarter(context.Background(), root, project.StarterOptions{
			Directory: "x", File: "cardwright.yaml", Blocked: func(string, []files.File) diag.List { return nil },
			Ask: func(question, found string) string {
				word, _, _ := strings.Cut(question, " ")
				if answer, ok := c.answers[word]; ok {
					return answer
				}
				return found
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, agents, _ := strings.Cut(string(s.Text), "agents:")
		if text := string(s.Text); !strings.Contains(text, c.has) || strings.Contains(agents, c.lacks) {
			t.Errorf("%v: has %t %s, or not %s:\n%s", c.answers, strings.Contains(text, c.has), c.has, c.lacks, text)
		}
	}
}
