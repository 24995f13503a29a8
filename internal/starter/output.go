package starter

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/site"
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
{{- range .Members}}
    {{.Key}}: {{.Value}}{{with .Comment}}  # {{.}}{{end}}
{{- end}}
{{- if not .Sources}}
    # skills:  # no SKILL.md was found: describe a skill here, or add skills/NAME/SKILL.md and "from"
    #   add:
    #     - {id: chat, name: Chat, description: What a caller gets., tags: [chat]}
{{- else if or (gt (len $.Agents) 1) (gt (len .Sources) 5)}}
    skills: {
        {{- with .Include}}include: [{{list .}}], {{end -}}
        {{- with .Exclude}}exclude: [{{list .}}], {{end -}}
        from: [{{range $i, $s := .Sources}}{{if $i}}, {{end}}{{template "source" $s}}{{end}}]}
{{- else}}
    skills:
      from:
{{- range .Sources}}
        - {{template "source" .}}
{{- end}}
{{- if .Empty}}
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

// list writes the items of a YAML list in at most five lines.
func list(texts []string) string {
	var lines []string
	for items := range slices.Chunk(texts, max(4, len(texts)/4)) {
		var quoted []string
		for _, text := range items {
			quoted = append(quoted, quote(text))
		}
		lines = append(lines, strings.Join(quoted, ", "))
	}
	return strings.Join(lines, ",\n          ")
}

// quote writes a text as a double-quoted YAML scalar in which nothing is a variable and
// nothing is invisible. A JSON string is one.
func quote(s string) string {
	s = strings.ReplaceAll(s, "${", "$${")
	s = strings.TrimSpace(string(schema.Write(source.NewText(s))))
	return lint.Reveal(s, diag.Escape)
}

// output chooses the directory for the cards: one that git keeps and that nothing else
// fills.
func (p *project) output() string {
	if p.Out != "" {
		return p.Out
	}
	_, err := fs.Stat(p.root, "dist")
	usable := func(dir string, free bool) bool {
		return p.keeps(dir) && (free || isFile(p.root, path.Join(dir, site.ManifestName)))
	}
	switch {
	case usable("dist", err != nil):
		return "dist"
	case usable("public", isFile(p.root, "public/index.html")):
		return "public"
	}
	return "agent-cards"
}

// keeps reports whether git takes the cards in a directory, at the latest with the
// .gitignore that init writes there: lines of it override lines of the directories above,
// unless one of these ignores the directory itself.
func (p *project) keeps(dir string) bool {
	ours := !isFile(p.root, path.Join(dir, files.IgnoreName))
	return !p.ignoresDir(dir) && (ours || !p.ignoresOutput(dir))
}

// ignoresDir reports whether git ignores a directory, or one above it.
func (p *project) ignoresDir(dir string) bool {
	return dir != "." && (p.Ignored(dir, true) || p.ignoresDir(path.Dir(dir)))
}

// ignoresOutput reports whether git ignores a file in an output directory that belongs
// into a commit.
func (p *project) ignoresOutput(out string) bool {
	below := "."
	if len(p.agents) > 1 {
		below = p.agents[0].ID
	}
	card, copied := path.Join(out, below, site.CardPath), path.Join(out, below, site.LegacyCardPath)
	names := []string{card, copied, path.Join(out, site.ManifestName), path.Join(out, files.IgnoreName)}
	return p.Ignored(path.Join(out, below), true) || p.Ignored(path.Dir(card), true) ||
		slices.ContainsFunc(names, func(name string) bool { return p.Ignored(name, false) })
}

// gitIgnore keeps the sidecars out of git, and the cards in it where a pattern of the
// repository ignores files of their names.
func (p *project) gitIgnore(out string) []byte {
	lines := []string{
		"# Sidecars follow from the files beside them. Delete these two lines to commit them.",
		"*" + site.ETagSuffix, "*" + site.ChecksumSuffix,
	}
	if p.ignoresOutput(out) {
		lines = append(lines, "!.gitignore", "!.well-known/", "!*.json")
		if len(p.agents) > 1 {
			lines = append(lines, "!*/")
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
