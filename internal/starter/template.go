package starter

import (
	"bytes"
	"strings"
	"text/template"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// page is what the configuration is written from.
type page struct {
	Out, BaseURL string
	Agents       []*agent
}

const starterText = `# All keys: cardwright schema config
version: 1
out: {{quote .Out}}  # the cards: commit them to review them in pull requests
{{if .BaseURL}}baseUrl: {{quote .BaseURL}}{{else -}}
# baseUrl: https://agents.acme.example  # set this: where the cards and the agents are served{{end}}
agents:
{{- range .Agents}}
  - id: {{quote .ID}}
{{- if .Name}}
    name: {{quote .Name}}{{with .NameFrom}}  # {{.}}{{end}}
{{- end}}
{{- if .Description}}
    description: {{quote .Description}}{{with .DescriptionFrom}}  # {{.}}{{end}}
{{- else if not .Described}}
    # description: say in a sentence what the agent does
{{- end}}
{{- with .Version}}
    version: {{.}}  # no manifest gives one: raise it when the card changes
{{- end}}
{{- with .Provider}}
    provider: {organization: {{quote .Organization}}, url: {{quote .URL}}}  # the owner of the git remote
{{- end}}
{{- with .URL}}
    interfaces: [{url: {{quote .}}}]  # below baseUrl
{{- end}}
{{- if not .Sources}}
    # skills:  # no SKILL.md was found: describe a skill here, or add skills/NAME/SKILL.md and "from"
    #   add:
    #     - {id: chat, name: Chat, description: What a caller gets., tags: [chat]}
{{- else if $.Several}}
    skills: {
        {{- with .Include}}include: [{{list .}}], {{end}}
        {{- with .Exclude}}exclude: [{{list .}}], {{end -}}
        from: [{{range $i, $s := .Sources}}{{if $i}}, {{end}}{{template "source" $s}}{{end}}]}
{{- else}}
    skills:
      from:
{{- range .Sources}}
        - {{template "source" .}}
{{- end}}
{{- if .Example}}
      # add:  # no skill was found: describe one here
      #   - {id: chat, name: Chat, description: What a caller gets., tags: [chat]}
{{- end}}
{{- end}}
{{- end}}
{{define "source"}}{type: {{.Type}}, path: {{quote .Path}}{{with .Flag}}, {{.}}: true{{end}}
{{- with .Exclude}}, exclude: [{{list .}}]{{end}}}{{end}}`

// render writes the configuration.
func render(p page) []byte {
	var b bytes.Buffer
	t := template.Must(template.New("config").Funcs(template.FuncMap{"quote": quote, "list": list}).Parse(starterText))
	if err := t.Execute(&b, p); err != nil {
		panic(err) // the template names a field that is not there
	}
	return b.Bytes()
}

// Several reports whether the configuration has more than one agent.
func (p page) Several() bool { return len(p.Agents) > 1 }

// Described reports whether a source describes the agent.
func (a *agent) Described() bool { return a.card.Description != "" }

// list writes the items of a YAML list in lines of about a hundred characters.
func list(texts []string) string {
	const width = 70
	var b strings.Builder
	line := 0
	for i, t := range texts {
		t = quote(t)
		switch line += len(t); {
		case i > 0 && line > width:
			b.WriteString(",\n          ")
			line = len(t)
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(t)
	}
	return b.String()
}

// quote writes a text as a double-quoted YAML scalar in which nothing is a variable and
// nothing is invisible. A JSON string is one.
func quote(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	s = strings.TrimSpace(string(schema.Write(source.NewText(s))))
	return lint.Reveal(s, diag.Escape)
}
