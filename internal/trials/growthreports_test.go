package trials

import (
	"fmt"
	"strings"
)

// between is a trial of two cards that differ.
func between(name string, quick, full int, text func(n, edition int) string) growth {
	return growth{"diff: " + name, quick, full, func(p *input, n int) [][]string {
		p.write("old.json", text(n, 1))
		p.write("new.json", text(n, 2))
		return [][]string{{"diff", "old.json", "new.json"}, {"diff", "new.json", "old.json", "--format", "json"}}
	}}
}

func differences() []growth {
	edited := func(e int, text string) string { return strings.ReplaceAll(text, "EDITION", fmt.Sprint(e)) }
	half := func(n, e int) int { return n / e }
	return []growth{
		between("skills that changed", 60, 1500, func(n, e int) string {
			return edited(e, skillsOf(join(n, strings.Replace(cardSkill, "one", "EDITION", 1))))
		}),
		between("skills that were renamed", 60, 2000, func(n, e int) string {
			return edited(e, skillsOf(join(n, strings.Replace(cardSkill, `"s%[1]d"`, `"EDITION-%[1]d"`, 1))))
		}),
		between("skills of one id", 60, 2000, func(n, e int) string {
			return edited(e, skillsOf(join(n, `{"id": "s", "name": "S%d-EDITION", "description": "x", "tags": ["review"]}`)))
		}),
		between("skills that are gone", 80, 2000, func(n, e int) string { return skillsOf(join(half(n, e), cardSkill)) }),
		between("tags", 300, 5000, func(n, e int) string {
			return edited(e, skillsOf(`{"id": "s", "name": "S", "description": "x", "tags": [`+join(n, `"t%d-EDITION"`)+"]}"))
		}),
		between("interfaces", 60, 2000, func(n, e int) string {
			return edited(e, reached(join(n,
				`{"url": "https://a%d.acme.example/EDITION", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}`)))
		}),
		between("interfaces and skills", 60, 2000, func(n, e int) string {
			list := join(n, `{"url": "https://a%d.acme.example", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}`)
			skills := join(n, strings.Replace(cardSkill, "one", "EDITION", 1))
			return edited(e, strings.Replace(skillsOf(skills), `"protocolVersion": "1.0"}`,
				`"protocolVersion": "1.0"}, `+list, 1))
		}),
		between("versions of an interface", 60, 2000, func(n, e int) string {
			return edited(e, reached(join(n,
				`{"url": "https://a.acme.example/", "protocolBinding": "JSONRPC", "protocolVersion": "EDITION.%d"}`)))
		}),
		between("schemes", 60, 2000, func(n, e int) string {
			return edited(e, card(oneSkill+`, "securitySchemes": {`+
				join(n, `"s%d-EDITION": {"apiKeySecurityScheme": {"location": "header", "name": "X"}}`)+"}"))
		}),
		between("requirements", 60, 2000, func(n, e int) string {
			return edited(e, card(oneSkill+`, "securityRequirements": [`+
				join(n, `{"schemes": {"s%d-EDITION": {"list": ["a"]}, "t": {"list": ["x%[1]d"]}}}`)+"]"))
		}),
		between("a requirement of many schemes", 100, 2000, func(n, e int) string {
			return edited(e, card(oneSkill+`, "securityRequirements": [{"schemes": {`+
				join(n, `"s%d-EDITION": {"list": ["a"]}`)+"}}]"))
		}),
		between("unknown members", 150, 5000, func(n, e int) string {
			return edited(e,
				card(oneSkill+","+join(n, `"x%d": EDITION`)))
		}),
		between("params", 80, 2500, func(n, e int) string {
			return edited(e, able(`"extensions": [`+join(n, `{"uri": "https://acme.example/%d", "params": {"a": EDITION}}`)+"]"))
		}),
	}
}

func reports() []growth {
	const faulty = `{"id": "s%d", "name": "", "description": "Use http://10.0.0.1/x", "tags": [1]}`
	var all []growth
	for _, f := range []string{"text", "json", "sarif", "github"} {
		all = append(all,
			growth{"report: findings in a configuration, " + f, 300, 10000, file("cardwright.yaml", func(n int) string {
				return config(each(n, "key%d: x\n"), oneSkillAdded)
			}, lint("--format", f))},
			growth{
				"report: findings on one line, " + f, 100, 250,
				file("card.json", func(n int) string { return skillsOf(join(n, faulty)) }, lint("--format", f, "card.json")),
			},
			growth{"report: findings on many lines, " + f, 100, 250, file("card.json", func(n int) string {
				return strings.ReplaceAll(skillsOf(join(n, faulty)), ",", ",\n")
			}, lint("--format", f, "card.json"))},
		)
	}
	for _, f := range []string{"text", "json", "sarif", "github", "markdown"} {
		all = append(all, growth{"report: changes of one-line cards, " + f, 100, 1500, func(p *input, n int) [][]string {
			for e := 1; e <= 2; e++ {
				gone := join(n/e, strings.ReplaceAll(cardSkill, "s%[1]d", "gone%[1]d"))
				p.write(fmt.Sprintf("%d.json", e), skillsOf(gone+","+join(n, strings.Replace(cardSkill, "one", fmt.Sprint(e), 1))))
			}
			return [][]string{{"diff", "--format", f, "1.json", "2.json"}}
		}})
	}
	return all
}
