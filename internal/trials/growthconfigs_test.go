package trials

import "strings"

// inConfig is a trial of a configuration.
func inConfig(name string, quick, full int, text func(n int) string, flags ...string) growth {
	return growth{"config: " + name, quick, full, file("cardwright.yaml", text, lint(flags...))}
}

func configs() []growth {
	return []growth{
		inConfig("a long variable used often", 4000, 5000, func(n int) string {
			return config("vars: {long: "+strings.Repeat("x", 10*n)+"}\n",
				oneSkillAdded+"    documentationUrl: "+strings.Repeat("${long}", n)+"\n")
		}),
		inConfig("variables that are used", 100, 5000, func(n int) string {
			return config("vars:\n"+each(n, "  v%d: x\n"), oneSkillAdded+"    defaultInputModes:\n"+
				each(n, "      - text/${v%d}\n"))
		}),
		inConfig("variables that are not set", 150, 5000, func(n int) string {
			return config("vars:\n"+each(n, "  v%06d: x\n"), oneSkillAdded+"    defaultInputModes:\n"+
				each(n, "      - text/${w%06d}\n"))
		}),
		inConfig("variables of the environment", 200, 5000, func(n int) string {
			return config("vars:\n"+each(n, "  v%d: ${V%[1]d:-x}\n"), oneSkillAdded)
		}),
		inConfig("variables and signing keys", 200, 2500, func(n int) string {
			return config("vars:\n"+each(n, "  v%d: ${V%[1]d:-x}\n")+"defaults:\n  signing:\n"+
				each(n, "    - {key: \"env:K%d\"}\n"), oneSkillAdded)
		}),
		inConfig("unknown keys", 100, 15000, func(n int) string { return config(each(n, "key%d: x\n"), oneSkillAdded) }),
		inConfig("unknown keys of an agent", 100, 15000,
			func(n int) string { return config("", oneSkillAdded+each(n, "    key%d: x\n")) }),
		inConfig("unknown rules", 500, 10000, func(n int) string {
			return config("rules:\n"+each(n, "  rule-%d: off\n"),
				oneSkillAdded)
		}),
		inConfig("equal keys", 100, 15000, func(n int) string {
			return config(strings.Repeat("out: x\n", n),
				oneSkillAdded)
		}),
		inConfig("agents", 10, 500, func(n int) string {
			return head + "layout: host\nagents:\n" + each(n, "  - id: a%d\n"+agent+"    host: a%[1]d.acme.example\n"+
				oneSkillAdded)
		}),
		inConfig("agents with faults", 30, 2000, func(n int) string {
			return head + "agents:\n" + each(n, "  - id: a%d\n    nam: x\n    version: [1]\n")
		}),
		inConfig("agents of one id", 20, 500, func(n int) string {
			return head + "agents:\n" +
				strings.Repeat("  - id: a\n"+agent+oneSkillAdded, n)
		}),
		inConfig("agents with large defaults", 1000, 2000, func(n int) string {
			return head + "defaults:\n  description: " + strings.Repeat("word ", 20*n) + "\nagents:\n" + each(n, "  - id: a%d\n")
		}),
		inConfig("an environment over agents", 20, 1000, func(n int) string {
			return head + "environments: {e: {agents: [" + join(n, "{id: a%d, version: 2.0.0}") + "]}}\nagents:\n" +
				each(n, "  - id: a%d\n"+agent+oneSkillAdded)
		}, "--env", "e"),
		inConfig("an environment over keys", 100, 5000, func(n int) string {
			return config("vars:\n"+each(n, "  v%d: x\n")+"environments:\n  e:\n    vars:\n"+each(n, "      v%d: y\n"),
				oneSkillAdded)
		}, "--env", "e"),
		inConfig("environments", 100, 5000, func(n int) string {
			return config("environments:\n"+each(n, "  e%d: {out: x}\n"), oneSkillAdded)
		}, "--env", "e"),
		inConfig("security schemes", 60, 2000, func(n int) string {
			return config("", oneSkillAdded+"    security: ["+join(n, "{s%d: []}")+"]\n    securitySchemes:\n"+
				each(n, "      s%d: {type: apiKey, in: header, name: X}\n"))
		}),
		inConfig("security schemes with faults of form", 60, 2500, func(n int) string {
			return config("", oneSkillAdded+"    securitySchemes:\n"+each(n, "      s%d: {type: apikey, in: heade, name: X}\n"))
		}),
		inConfig("security schemes with faults of rules", 100, 1500, func(n int) string {
			return config("", oneSkillAdded+"    securitySchemes:\n"+
				each(n, "      s%d: {type: openIdConnect, openIdConnectUrl: \"http://x%[1]d.acme.example\"}\n"))
		}),
		inConfig("auth providers", 60, 2000, func(n int) string {
			return config("", oneSkillAdded+"    auth:\n      providers:\n"+
				each(n, "        - {type: oidc, name: p%d, settings: {issuer: \"https://id%[1]d.acme.example\"}}\n"))
		}),
		inConfig("interfaces", 60, 1250, func(n int) string {
			return strings.Replace(config("", oneSkillAdded), "[{url: /a2a}]",
				"["+join(n, "{url: \"http://x%d.acme.example/a2a\", versions: [\"1.0\", \"0.3\"]}")+"]", 1)
		}),
		inConfig("extensions", 100, 2000, func(n int) string {
			return config("", oneSkillAdded+"    capabilities:\n      extensions:\n"+
				each(n, "        - {uri: \"https://acme.example/ext/%d\", params: {a%[1]d: 1}}\n"))
		}),
		inConfig("params", 400, 5000, func(n int) string {
			return config("", oneSkillAdded+
				"    capabilities:\n      extensions:\n        - uri: https://acme.example/ext\n          params:\n"+
				each(n, "            k%d: https://user:pass@acme.example\n"))
		}),
		inConfig("skills spelled out", 40, 2000, func(n int) string {
			return config("",
				"    skills:\n      add:\n"+each(n, addedSkill))
		}),
		inConfig("skills of one id", 60, 2000, func(n int) string {
			return config("", "    skills:\n      add:\n"+strings.Repeat(strings.ReplaceAll(addedSkill, "%d", "0"), n))
		}),
		inConfig("examples of a skill", 100, 5000, func(n int) string {
			return config("", "    skills:\n      add:\n        - {id: s, name: S, description: Reads one., tags: [review], "+
				"examples: ["+join(n, "\" \"")+"]}\n")
		}),
		inConfig("overlays of no skill", 150, 2000, func(n int) string {
			return config("", "    skills:\n      add:\n"+each(n, strings.ReplaceAll(addedSkill, "%d", "%06d"))+
				"      overlay:\n"+each(n, "        t%06d: {name: x}\n"))
		}),
		inConfig("patterns and skills", 60, 1500, func(n int) string {
			return config("", "    skills:\n      include: [\"s*\", "+join(n, "s%d")+"]\n      extended: ["+join(n, "\"a%d*\"")+
				"]\n      add:\n"+each(n, addedSkill))
		}),
		inConfig("sources", 60, 1000, func(n int) string {
			return config("", "    skills:\n      from:\n"+strings.Repeat("        - {type: skills, path: skills}\n", n))
		}),
		inConfig("nesting", 50, 5000, func(n int) string {
			return config("x: "+strings.Repeat("[", n)+strings.Repeat("]", n)+"\n", oneSkillAdded)
		}),
		inConfig("what is no YAML", 100, 10000, func(n int) string {
			return config("",
				oneSkillAdded+each(n, "    k%d: a: b\n"))
		}),
	}
}

const addedSkill = "        - {id: s%d, name: S, description: Reads one pull request and names each defect., " +
	"tags: [review]}\n"
