package trials

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const oneAgent = "  - id: a%d\n" + agent + oneSkillAdded

// sites are trials of what a configuration consists of beside its own text, and of
// what is published beside cards.
func sites() []growth {
	return []growth{
		{"site: included files", 15, 500, func(p *input, n int) [][]string {
			for i := range n {
				p.write(fmt.Sprintf("teams/%d/agents.yaml", i), fmt.Sprintf("defaults: {owner: team-%d}\nagents:\n"+oneAgent, i, i))
			}
			p.write("cardwright.yaml", head+"include: [\"teams/*/agents.yaml\"]\n")
			return [][]string{lint(), lint("--agent", "a0")}
		}},
		{"site: patterns of include", 400, 1000, func(p *input, n int) [][]string {
			for i := range n {
				p.write(fmt.Sprintf("teams/%d/agents.yml", i), "")
			}
			p.write("cardwright.yaml", head+"include:\n"+each(n, "  - \"**/a%d*.yaml\"\n")+"agents:\n"+fmt.Sprintf(oneAgent, 0))
			return [][]string{lint()}
		}},
		{"site: policies", 50, 100, func(p *input, n int) [][]string {
			p.write("policy.json", `{"properties": {"name": {"minLength": 2}}, "required": ["x"]}`)
			p.write("cardwright.yaml", config("policies:\n"+strings.Repeat("  - policy.json\n", n), oneSkillAdded))
			return [][]string{lint()}
		}},
		{"site: a policy and agents", 15, 500, func(p *input, n int) [][]string {
			p.write("policy.json", `{"properties": {"name": {"minLength": 200}}}`)
			p.write("cardwright.yaml", head+"policies: [policy.json]\nagents:\n"+each(n, oneAgent))
			return [][]string{lint()}
		}},
		{"site: a policy and skills", 40, 2000, func(p *input, n int) [][]string {
			p.write("policy.json",
				`{"properties": {"skills": {"items": {"required": ["examples"], "properties": {"tags": {"minItems": 3}}}}}}`)
			p.write("cardwright.yaml", config("policies: [policy.json]\n",
				"    skills:\n      add:\n"+each(n, addedSkill)))
			return [][]string{lint()}
		}},
		{"site: skills that are published with files", 15, 250, func(p *input, n int) [][]string {
			for i := range n {
				p.write(fmt.Sprintf("skills/s%d/SKILL.md", i), fmt.Sprintf(skill, i))
				p.write(fmt.Sprintf("skills/s%d/notes.md", i), "notes\n")
			}
			p.write("cardwright.yaml", config("agentSkills: [\"s*\"]\nservers: [nginx, apache]\n", skillsBelow))
			return [][]string{{"generate", "--force"}, {"generate", "--check"}, {"verify", "dist"}}
		}},
		{"site: published skills of agents that a run keeps", 15, 250, func(p *input, n int) [][]string {
			for i := range n {
				p.write(fmt.Sprintf("skills/s%d/s%d/SKILL.md", i, i), fmt.Sprintf(skill, i))
			}
			p.write("cardwright.yaml", head+"layout: path\nagentSkills: [\"s*\"]\nagents:\n"+
				each(n, "  - id: a%d\n"+agent+"    skills: {from: [{type: skills, path: skills/s%[1]d}]}\n"))
			p.run("generate", "--force")
			return [][]string{{"generate", "--agent", "a0"}}
		}},
		{"site: files of a published skill", 40, 900, func(p *input, n int) [][]string {
			p.write("skills/s0/SKILL.md", fmt.Sprintf(skill, 0)+each(n, "[x](f%d.md)\n"))
			for i := range n {
				p.write(fmt.Sprintf("skills/s0/f%d.md", i), "notes\n")
			}
			p.write("cardwright.yaml", config("agentSkills: [\"s*\"]\n", skillsBelow))
			return [][]string{{"generate", "--force"}, {"generate", "--check"}}
		}},
		{"site: a large file of a published skill", 20000, 500000, func(p *input, n int) [][]string {
			p.write("skills/s0/SKILL.md", fmt.Sprintf(skill, 0))
			p.write("skills/s0/notes.md", strings.Repeat("api_key=a\u200b ", n))
			p.write("cardwright.yaml", config("agentSkills: [\"s*\"]\n", skillsBelow))
			return [][]string{lint()}
		}},
		{"git: cards in a commit", 15, 200, func(p *input, n int) [][]string {
			text := fleet(p, n)
			p.run("generate", "--force")
			p.commit()
			p.write("cardwright.yaml", strings.ReplaceAll(text, "version: 1.0.0", "version: 1.1.0"))
			p.run("generate", "--force")
			return [][]string{{"diff", "--git", "HEAD"}, {"diff", "--git", "HEAD", "--format", "json"}}
		}},
		{"git: other files in a commit", 200, 2500, func(p *input, n int) [][]string {
			for i := range n {
				p.write(fmt.Sprintf("other/%d/x%d.yaml", i, i), "x: y\n")
			}
			p.write("base.yaml", "out: dist\n")
			p.write("cardwright.yaml", config("extends: base.yaml\n", oneSkillAdded))
			p.run("generate", "--force")
			p.commit()
			return [][]string{{"diff", "--git", "HEAD"}}
		}},
	}
}

// commit commits the project to a new repository.
func (p *input) commit() {
	p.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A", "-f"}, {"commit", "-q", "-m", "all"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+p.dir,
			"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@acme.example", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@acme.example")
		if out, err := cmd.CombinedOutput(); err != nil {
			p.Skipf("git %v: %v\n%s", args, err, out)
		}
	}
}
