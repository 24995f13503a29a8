package config_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"cardwright/internal/config"
	"cardwright/internal/source"
)

// What an included file may say, and what include may name.
func TestIncluded(t *testing.T) {
	const agent = "agents:\n  - {id: desk, name: Desk, description: Explains., interfaces: [{url: /desk}]"
	const twice = "include leads in a circle"
	large := "defaults: {description: " + strings.Repeat("x", source.MaxSource-1000) + "}\n"
	for _, c := range []struct{ include, text, want string }{
		{"teams/*.yaml, teams/desk.yaml", agent + ", skills: {from: [{type: skills, path: pdf}]}}\n", ""},
		{"teams/desk.yaml", "version: 1\n" + agent + ", rules: {secret-value: error, skill-tags-missing: off}}\n", ""},
		{"teams/desk.yaml", agent + ", rules: {secret-value: warning}}\n", "cannot lower the guarding rule"},
		{"teams/desk.yaml", "defaults: {rules: {text-prompt: off}}\n" + agent + "}\n", "cannot lower the guarding rule"},
		{"teams/desk.yaml", agent + ", signing: {key: env:K}}\n", "cannot say how cards are signed"},
		{"teams/desk.yaml", agent + ", skills: {from: [{type: skills, path: ../pdf}]}}\n", "leads out of the directory"},
		{"teams/desk.yaml", "out: dist\n" + agent + "}\n", `unknown key "out" in an included file`},
		{"teams/desk.yaml", "version: 2\n" + agent + "}\n", "version must be 1"},
		{"teams/desk.yaml", "defaults: []\n" + agent + "}\n", "defaults is an array, must be an object"},
		{"teams/desk.yaml", "version: 1\n", "the included file has no agents"},
		{"none/*.yaml", agent + "}\n", "cannot be read"},
		{"teams/*.yml", agent + "}\n", "matches no file"},
		{"teams/none.yaml", agent + "}\n", "cannot be read"},
		{"../*.yaml", agent + "}\n", "cannot be read"},
		{"teams/**/../x", agent + "}\n", "has .. behind a wildcard"},
		{"${x}.yaml", agent + "}\n", "files are read before variables are replaced"},
		{"teams/*.yaml", large + "agents:\n" + strings.Repeat("  - {}\n", 33), "make more than"},
		{"c.yaml", agent + "}\n", twice},
		{"*.yaml", agent + "}\n", twice},
	} {
		main := "version: 1\nbaseUrl: https://acme.example\n" +
			`include: ["` + strings.ReplaceAll(c.include, ", ", `", "`) + "\"]\n"
		got, found := load(main, config.Options{Files: &config.Files{
			FS:   fstest.MapFS{"teams/desk.yaml": {Data: []byte(c.text)}, "c.yaml": {Data: []byte(main)}},
			Name: "c.yaml", Show: func(name string) string { return name },
		}})
		if (c.want == "") != (found == nil) || !strings.Contains(strings.Join(found, "\n"), c.want) {
			t.Errorf("%s, %.300s: got %q, want %q", c.include, c.text, found, c.want)
		}
		if c.want == "" && len(got.Agents) != 1 {
			t.Errorf("%s: %d agents", c.include, len(got.Agents))
		}
		if from := got.Agents; c.include == "teams/*.yaml, teams/desk.yaml" && from[0].Skills.From[0].Path != "teams/pdf" {
			t.Errorf("the path is %s", from[0].Skills.From[0].Path)
		}
	}
}
