package project

import (
	"slices"
	"strings"
	"text/template"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// starterTemplate is the configuration that init writes.
func starterTemplate() *template.Template {
	return template.Must(template.New("starter").Funcs(template.FuncMap{"quote": quote, "list": list}).
		Parse(`{{with .Schema}}# yaml-language-server: $schema={{.}}
{{end}}# What cardwright generates cards from. All keys: docs/config.md or cardwright schema config.
version: 1
out: {{.Out}}  # the cards; commit it to review them in pull requests
{{with .BaseURL}}baseUrl: {{quote .}}
{{- else}}# baseUrl: https://agents.acme.example  # {{if .Unplaced}}set this: {{end}}where the cards and
{{- " the agents are served"}}{{end}}
{{- if .Alike}}
defaults:
  skills:
    tagsFromPath: true  # the directories of a skill are tags of it
    readable: [names, tags, examples, descriptions]  # of the author's words, see docs/mapping.md
{{- end}}
agents:
{{- range .Agents}}
  - id: {{quote .ID}}{{with .IDFrom}}  # {{.}}{{end}}
{{- with .Name}}
    name: {{quote .}}
{{- end}}
{{- if .Description}}
    description: {{quote .Description}}  # {{.DescriptionFrom}}
{{- end}}
{{- with .Version}}
    version: {{.}}  # no manifest gives one: raise it when the card changes
{{- end}}
{{- with .URL}}
    interfaces: [{url: {{quote .}}}]  # below baseUrl
{{- end}}
    skills:
{{- if .Sources}}
      from:
{{- range .Sources}}
        - {type: {{.Type}}, path: {{quote .Path}}{{range .Flags}}, {{.}}: true{{end}}
        {{- with .Exclude}}, exclude: [{{list .}}]{{end}}}
        {{- with .Gives}}  # {{.}}{{end}}
{{- end}}
{{- if and .Spoken (not $.Alike)}}
      tagsFromPath: true  # the directories of a skill are tags of it
      readable: [names, tags, examples, descriptions]  # of the author's words, see docs/mapping.md
{{- end}}
{{- end}}
{{- if .Add}}
      add:  # there is no SKILL.md yet
        - {id: chat, name: Chat, description: {{quote .Chat}}, tags: [chat]}
{{- end}}
{{- end}}
`))
}

// Alike reports whether there are several agents, and the words of all their skills may
// be made readable.
func (s *Starter) Alike() bool {
	return len(s.Agents) > 1 && !slices.ContainsFunc(s.Agents, func(a *starterAgent) bool { return !a.Spoken() })
}

// Unplaced reports whether a URL of an agent waits for baseUrl.
func (s *Starter) Unplaced() bool {
	return s.BaseURL == "" && slices.ContainsFunc(s.Agents, func(a *starterAgent) bool {
		return a.URL != "" || slices.ContainsFunc(a.brought.Interfaces, func(i schema.Interface) bool {
			return strings.HasPrefix(i.URL, schema.NoBase)
		})
	})
}

// Spoken reports whether the words of skills may be made readable: those of a card, and
// what Forge, fast-agent and Helmdeck serve, stay as they are there.
func (a *starterAgent) Spoken() bool {
	return !slices.ContainsFunc(a.Sources, func(s *starterSource) bool {
		return !s.excludable() && s.Type != mapping.TypePackage
	})
}

// Chat describes the only skill of an agent that has none.
func (a *starterAgent) Chat() string {
	if a.Description != "" {
		return a.Description
	}
	return a.brought.Description
}

func list(texts []string) string {
	var quoted []string
	for _, t := range texts {
		quoted = append(quoted, quote(t))
	}
	return strings.Join(quoted, ", ")
}

// quote writes a text as a double-quoted YAML scalar, in which nothing is a
// variable and nothing is hidden. What the JSON printer writes for a string is
// one, but for the characters that nobody sees.
func quote(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	s = strings.TrimSpace(string(schema.Write(source.NewText(s))))
	return lint.Reveal(s, diag.Escape)
}
