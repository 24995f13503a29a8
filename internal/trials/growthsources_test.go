package trials

import (
	"fmt"
	"strings"
)

// from is a trial of a source of skills.
func from(name, kind string, quick, full int, prepare func(p *input, n int)) growth {
	return growth{"source: " + name, quick, full, func(p *input, n int) [][]string {
		p.write("cardwright.yaml", config("",
			"    skills: {publishSchemas: true, from: [{type: "+kind+", path: "+sourcePath(kind)+"}]}\n"))
		prepare(p, n)
		return [][]string{lint()}
	}}
}

func sourcePath(kind string) string {
	if kind == "mcp" || kind == "card" {
		return "src/" + kind + ".json"
	}
	return "src"
}

func sources() []growth {
	const tool = `{"name": "t%d", "description": "Reads one pull request.", "inputSchema": {"type": "object", ` +
		`"properties": {"a": {"type": "string", "description": "x"}}}}`
	return []growth{
		from("skills", "skills", 30, 2000, func(p *input, n int) {
			for i := range n {
				p.write(fmt.Sprintf("src/s%d/SKILL.md", i), fmt.Sprintf(skill, i))
			}
		}),
		from("skills that lack everything", "skills", 30, 2000, func(p *input, n int) {
			for i := range n {
				p.write(fmt.Sprintf("src/s%d/SKILL.md", i), "---\ndescription: x\n---\n")
			}
		}),
		from("skills of one name", "skills", 30, 2000, func(p *input, n int) {
			for i := range n {
				p.write(fmt.Sprintf("src/%d/s/SKILL.md", i), fmt.Sprintf(skill, 0)+fmt.Sprint(i))
			}
		}),
		from("directories without skills", "skills", 60, 2000, func(p *input, n int) {
			p.write("src/SKILL.md", fmt.Sprintf(skill, 0))
			for i := range n {
				p.write(fmt.Sprintf("src/s%d/README.md", i), "x")
			}
		}),
		{"source: excluded names and directories", 60, 1500, func(p *input, n int) [][]string {
			p.write("cardwright.yaml", config("", "    skills: {from: [{type: skills, path: src, exclude: ["+join(n, "x%d")+
				"]}]}\n"))
			for i := range n {
				p.write(fmt.Sprintf("src/s%d/SKILL.md", i), fmt.Sprintf(skill, i))
			}
			return [][]string{lint()}
		}},
		{"source: excluded patterns and directories", 2500, 1500, func(p *input, n int) [][]string {
			p.write("cardwright.yaml", config("", "    skills: {from: [{type: skills, path: src, exclude: ["+
				join(n, "\"abcdef%d*\"")+"]}]}\n"))
			for i := range n / 50 {
				p.write(fmt.Sprintf("src/s%d/SKILL.md", i), fmt.Sprintf(skill, i))
			}
			return [][]string{lint()}
		}},
		from("MCP tools", "mcp", 40, 750, func(p *input,
			n int,
		) {
			p.write("src/mcp.json", `{"tools": [`+join(n, tool)+"]}")
		}),
		from("MCP tools of one name", "mcp", 40, 750, func(p *input, n int) {
			p.write("src/mcp.json", `{"tools": [`+join(n, strings.Replace(tool, "t%d", "t", 1))+"]}")
		}),
		from("faulty schemas of MCP tools", "mcp", 100, 200, func(p *input, n int) {
			schema := `{"type": "object", "required": [` + join(n, `"r%d"`) + `], "properties": {` +
				join(n, `"p%d": {"type": "x", "default": "y", "$ref": "z"}`) + "}}"
			p.write("src/mcp.json", `{"tools": [`+strings.TrimSuffix(
				strings.Repeat(`{"name": "t", "description": "x", "inputSchema": `+schema+"},", 5), ",")+"]}")
		}),
		from("packs", "packs", 30, 1500, func(p *input, n int) {
			for i := range n {
				p.write(fmt.Sprintf("src/p%d/helmdeck-pack.yaml", i),
					fmt.Sprintf("name: p%d\nversion: 1.0.0\ndescription: Reads one pull request.\n", i))
			}
		}),
		from("inputs of a pack", "packs", 60, 1500, func(p *input, n int) {
			p.write("src/p/helmdeck-pack.yaml",
				"name: p\nversion: 1.0.0\ndescription: Reads one pull request.\ninput_schema:\n  required: ["+join(n, "i%d")+
					"]\n  properties:\n"+each(n, "    i%d: string\n"))
		}),
		from("tools and providers of Forge", "forge", 60, 1500, func(p *input, n int) {
			p.write("src/forge.yaml", "agent_id: x\nversion: 0.1.0\nframework: forge\ntools:\n"+
				each(n, "  - {name: t%d, description: Reads one.}\n")+
				"auth:\n  required: true\n  providers:\n"+each(n,
				"    - {type: oidc, name: p%d, settings: {issuer: \"https://id%[1]d.acme.example\"}}\n"))
		}),
		from("agents of fast-agent", "fast-agent", 30, 1500, func(p *input, n int) {
			for i := range n {
				p.write(fmt.Sprintf("src/p%d.md", i), fmt.Sprintf("---\nname: p%d\ndescription: Reads one pull request.\n---\n", i))
			}
		}),
		from("a card", "card", 60, 2000, func(p *input,
			n int,
		) {
			p.write("src/card.json", card(`"skills": [`+join(n, cardSkill)+"]"))
		}),
	}
}

// inHeader is a trial of the header of twenty SKILL.md files.
func inHeader(name string, quick int, text func(n int) string) growth {
	const bound = 64 << 10
	full := quick
	for len(text(2*full)) < bound/4 {
		full *= 2
	}
	return growth{"header: " + name, quick, full, func(p *input, n int) [][]string {
		p.write("cardwright.yaml", config("", skillsBelow))
		for i := range 5 {
			p.write(fmt.Sprintf("skills/s%d/SKILL.md", i), "---\nname: s\ndescription: Reads one.\n"+text(n)+"---\n")
		}
		return [][]string{lint()}
	}}
}

func headers() []growth {
	repeat := func(line string) func(int) string {
		return func(n int) string { return strings.Repeat(line, n) }
	}
	lines := func(before, line string) func(int) string {
		return func(n int) string { return before + each(n, line) }
	}
	return []growth{
		inHeader("keys", 150, lines("", "k%d: x\n")),
		inHeader("equal keys", 150, repeat("k: x\n")),
		inHeader("colons", 100, lines("", "k%d: a: b\n")),
		inHeader("colons on one line", 400, func(n int) string { return "x: " + strings.Repeat("a: b ", n) + "\n" }),
		inHeader("quotes", 80, lines("", "k%d: \"a\" b\n")),
		inHeader("a quote that stays open", 80, lines("k: \"\n", "k%d: x\n")),
		inHeader("a bracket that stays open", 80, lines("k: [\n", "k%d: x\n")),
		inHeader("tabs", 100, repeat("k:\n\t- x\n")),
		inHeader("lines without a key", 300, lines("", "nothing %d\n")),
		inHeader("brackets", 300, func(n int) string {
			return "k: " + strings.Repeat("[", n) + strings.Repeat("]", n) +
				"\n"
		}),
		inHeader("brackets that stay open", 200, func(n int) string { return "k: " + strings.Repeat("[", n) + "\n" }),
		inHeader("braces", 200, func(n int) string {
			return "k: " + strings.Repeat("{a: ", n) + strings.Repeat("}", n) +
				"\n"
		}),
		inHeader("lists in lists", 150, func(n int) string { return "k: " + strings.Repeat("- ", n) + "x\n" }),
		inHeader("block text", 400, func(n int) string { return "k: >-\n" + strings.Repeat("  word\n", n) }),
		inHeader("plain text over lines", 400, func(n int) string { return "k: a\n" + strings.Repeat("  word\n", n) }),
		inHeader("indented keys in text", 200, func(n int) string { return "k: a\n" + strings.Repeat("  word: b\n", n) }),
		inHeader("comments", 400, repeat("# word\n")),
		inHeader("escapes", 800, func(n int) string { return "k: \"" + strings.Repeat("\\u0001", n) + "\"\n" }),
		inHeader("aliases", 150, func(n int) string { return "k: &a x\n" + each(n, "k%d: *a\n") }),
		inHeader("metadata", 150, lines("metadata:\n", "  k%d: x\n")),
		inHeader("tags", 150, lines("tags:\n", "  - t%d\n")),
		inHeader("examples", 150, lines("metadata:\n  a2a-examples:\n", "  - Do it %d times\n")),
		inHeader("links in a description", 60, func(n int) string {
			return "metadata: {a2a-description: " + strings.Repeat("word https://10.0.0.1/a ", n) + "}\n"
		}),
		inHeader("carriage returns", 300, repeat("k: x\r")),
	}
}
