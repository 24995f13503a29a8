package trials

import (
	"fmt"
	"strings"
)

// fleet is a project of n agents on hosts of their own, with everything that is
// written about them.
func fleet(p *input, n int) string {
	p.Helper()
	text := head + "layout: host\ncatalog: true\npublisher: acme.example\nhtml: true\n" +
		"servers: [nginx, apache, caddy]\nagents:\n" +
		each(n, "  - id: a%d\n"+agent+"    host: a%[1]d.acme.example\n"+skillsBelow)
	p.write("skills/good/SKILL.md", fmt.Sprintf(skill, 0))
	p.write("cardwright.yaml", text)
	return text
}

// ofFleet is a trial of the output tree of a fleet.
func ofFleet(name string, quick int, prepare func(p *input, text string) [][]string) growth {
	const full = 150
	return growth{"tree: " + name, quick, full, func(p *input, n int) [][]string {
		text := fleet(p, n)
		p.run("generate", "--force")
		return prepare(p, text)
	}}
}

func trees() []growth {
	return []growth{
		ofFleet("generated again", 8, func(*input, string) [][]string { return [][]string{{"generate"}} }),
		ofFleet("drift", 4, func(p *input, text string) [][]string {
			p.write("cardwright.yaml", strings.ReplaceAll(text, "version: 1.0.0", "version: 1.1.0"))
			return [][]string{
				{"generate", "--check"},
				{"generate", "--check", "--format", "json"},
				{"generate", "--check", "--format", "sarif"},
			}
		}),
		ofFleet("stale files", 8, func(p *input, text string) [][]string {
			first, _, _ := strings.Cut(text, "  - id: a1\n")
			p.write("cardwright.yaml", first)
			return [][]string{{"generate", "--check", "--format", "json"}}
		}),
		ofFleet("verified", 10, func(*input, string) [][]string { return [][]string{{"verify", "dist"}} }),
		ofFleet("compared", 10, func(p *input, text string) [][]string {
			p.write("cardwright.yaml", strings.ReplaceAll(text, "version: 1.0.0", "version: 1.1.0"))
			p.run("generate", "--out", "next", "--force")
			return [][]string{{"diff", "dist", "next"}, {"diff", "dist", "next", "--format", "json"}}
		}),
		ofFleet("judged", 10, func(*input, string) [][]string { return [][]string{lint("dist"), lint("dist/**/*.json")} }),
		ofFleet("listed", 10, func(*input, string) [][]string {
			return [][]string{{"catalog", "dist", "--out", "list", "--publisher", "acme.example", "--force"}}
		}),
		{"tree: signed", 8, 150, func(p *input, n int) [][]string {
			fleet(p, n)
			p.run("generate", "--force")
			p.run("key", "new")
			sign := []string{"sign", "--key", "file:card-key.pem"}
			for i := range n {
				sign = append(sign, fmt.Sprintf("dist/a%d.acme.example/.well-known/agent-card.json", i))
			}
			return [][]string{sign, {"verify", "dist"}}
		}},
		{"tree: agents on one host", 10, 250, func(p *input, n int) [][]string {
			text := head + "layout: path\ncatalog: true\npublisher: acme.example\nhtml: true\n" +
				"servers: [nginx, apache, caddy, vercel]\nagents:\n" +
				each(n, "  - id: a%d\n"+agent+skillsBelow)
			p.write("skills/good/SKILL.md", fmt.Sprintf(skill, 0))
			p.write("cardwright.yaml", text)
			p.run("generate", "--force")
			return [][]string{{"generate"}}
		}},
		{"tree: a card edited by hand", 60, 2000, func(p *input, n int) [][]string {
			p.write("cardwright.yaml", config("", "    skills:\n      add:\n"+each(n, addedSkill)))
			p.run("generate", "--force")
			p.write("cardwright.yaml", config("", "    skills:\n      add:\n"+
				each(n, strings.Replace(addedSkill, "one", "another", 1))))
			return [][]string{{"generate", "--check"}, {"generate", "--check", "--format", "json"}}
		}},
		{"manifest: files that are not there", 100, 5000, func(p *input, n int) [][]string {
			fleet(p, 1)
			p.write("dist/cardwright.manifest.json", `{"version": 1, "files": [`+
				join(n, `{"path": "x%06d/.well-known/agent-card.json", "agent": "a", "size": 1, "sha256": "`+
					strings.Repeat("0", 64)+
					`", "etag": "\"`+strings.Repeat("0", 64)+
					`\"", "contentType": "application/json", "url": "https://x%[1]d.acme.example"}`)+"]}\n")
			return [][]string{{"generate", "--check", "--format", "json"}, {"verify", "dist"}}
		}},
	}
}
