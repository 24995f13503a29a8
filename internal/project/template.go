package project

import (
	"strings"
	"text/template"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/schema"
)

// starterTemplate is the configuration that init writes.
func starterTemplate() *template.Template {
	return template.Must(template.New("starter").Funcs(template.FuncMap{"quote": quote}).
		Parse(`{{with .Schema}}# yaml-language-server: $schema={{.}}
{{end}}# Configuration of cardwright, which generates A2A Agent Cards.
# All keys: cardwright schema config. Check this file: cardwright lint.
version: 1

# The output directory. Commit it to review changes of the cards in pull requests,
# and run "cardwright generate --check" in CI.
out: {{.Out}}

{{if .BaseURL}}# Where that directory is served. Relative URLs below are appended to it.
# This one is a placeholder.
baseUrl: {{.BaseURL}}
{{else}}# Where that directory is served; relative URLs below would be appended to it.
# baseUrl: https://agents.example.com
{{end}}
# List the agents, for machines in .well-known/ai-catalog.json and ard.json, and for
# people in index.html. publisher is your domain name.
# catalog: true
# ard: true
# publisher: example.com
# html: true

agents:{{range $n, $agent := .Agents}}
  - id: {{quote .ID}}
{{- if not .Brings.Name}}
    name: {{quote .Name}}
{{- end}}
{{- if not .Brings.Description}}
    description: {{quote .Description}}
{{- end}}
{{- if not .Brings.Version}}
    version: {{quote .Version}}
{{- end}}
{{- if .Brings.Rest}}
    # {{$.Card}} describes the agent, with its authentication; what is written here
    # overrides it.
{{- else if .Brings.Name}}
    # {{if .Brings.Version}}name and version are those{{else}}The name is that{{end
    }} of forge.yaml; what is written here overrides it.
{{- end}}

{{if .Brings.Interfaces}}{{else if .AtBase}}    # Forge answers at baseUrl, in A2A 0.3; what is written here overrides it.
    # interfaces: [{url: /, binding: JSONRPC, versions: ["0.3"]}]
{{else if .FastAgent}}    # fast-agent answers at /a2a/jsonrpc and /a2a/rest below baseUrl; what is
    # written here overrides it.
    # interfaces: [{url: /a2a, binding: JSONRPC, versions: ["1.0"]}]
{{else}}{{if not $n}}    # Where clients call the agent. versions: ["1.0", "0.3"] makes a card that
    # clients of both protocol versions can read.
{{end}}    interfaces:
      - url: {{quote .URL}}
        binding: {{quote .Binding}}
        versions: [{{range $i, $v := .Versions}}{{if $i}}, {{end}}{{quote $v}}{{end}}]
{{end}}
{{if and (not $n) (not .Brings.Rest)}}    # capabilities: {streaming: true}

{{end}}{{if and (not $n) (not .Brings.Rest)}}    {{if .Secured}}# How clients authenticate, where that is not what the source says.
{{else}}# How clients authenticate. Without this, the agent is open to everyone.
{{end}}    # securitySchemes:
    #   token: {type: http, scheme: bearer}
    # security: [{token: []}]

{{end}}    skills:
{{- if .Sources}}
      from:
{{- range .Sources}}
        - {type: {{.Type}}, path: {{quote .Path}}{{if .Whole}}, whole: true{{end}}{{with index
          $.Exclude .Path}}, exclude: [{{range $i, $v := .}}{{if $i}}, {{end}}{{quote $v}}{{end}}]{{end}}}
{{- end}}
{{- if not $n}}
      # For skills without tags.
{{- end}}
      {{if .Forge}}# {{end}}defaultTags: [{{quote .ID}}]
{{- if not $n}}
      # exclude: ["internal-*"]
{{- end}}
{{- end}}
{{- if .Unskilled}}
      # No SKILL.md was found; name their directory here when there is one.
      # from:
      #   - {type: skills, path: skills}
      add:
        - id: chat
          name: Chat
          description: "TODO(init): say what somebody can ask this agent for"
          tags: [chat]
{{- end}}
{{end}}`))
}

// quote writes a text as a double-quoted YAML scalar, in which nothing is a
// variable and nothing is hidden. What the JSON printer writes for a string is
// one, but for the characters that nobody sees.
func quote(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	s = strings.TrimSpace(string(schema.Write(source.NewText(s))))
	return lint.Reveal(s, diag.Escape)
}
