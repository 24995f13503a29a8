package trials

import (
	"fmt"
	"slices"
	"strings"
)

// growths are the inputs that a stranger writes, each in the ways in which it can
// grow, and every form in which it comes out.
func growths() []growth {
	return slices.Concat(configs(), sources(), headers(), cards(), differences(), reports(), trees(), sites(), hosts())
}

// each returns n texts made by a format that takes a number.
func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// join is each for the entries of a JSON list or object, without the last comma.
func join(n int, format string) string { return strings.TrimSuffix(each(n, format+","), ",") }

// text returns what writes a file and returns the commands.
func file(name string, text func(n int) string, commands ...[]string) func(*input, int) [][]string {
	return func(p *input, n int) [][]string {
		p.write(name, text(n))
		return commands
	}
}

func lint(args ...string) []string { return append([]string{"lint"}, args...) }

const (
	head = "version: 1\nbaseUrl: https://agents.acme.example\n"

	agent = `    name: Review
    description: Reviews pull requests for defects in code.
    version: 1.0.0
    interfaces: [{url: /a2a}]
`
	skillsBelow = "    skills: {from: [{type: skills, path: skills}]}\n"

	oneSkillAdded = "    skills: {add: [{id: s, name: S, description: Reads one pull request and names each defect., " +
		"tags: [review]}]}\n"

	skill = "---\nname: s%d\ndescription: Reads one pull request and names each defect.\n" +
		"metadata: {a2a-tags: review}\n---\n"
)

// config is a configuration of one agent, with more at its top and of the agent.
func config(top, ofAgent string) string {
	return head + top + "agents:\n  - id: review\n" + agent + ofAgent
}

// card is a 1.0 card with more members.
func card(members string) string {
	return `{"name": "Review", "description": "Reviews pull requests for defects in code.", "version": "1.0.0", ` +
		`"supportedInterfaces": [{"url": "https://agents.acme.example/a2a", "protocolBinding": "JSONRPC", ` +
		`"protocolVersion": "1.0"}], ` +
		`"capabilities": {"streaming": false}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], ` +
		members + "}\n"
}

const oneSkill = `"skills": [{"id": "s", "name": "S", "description": "Reads one pull request.", "tags": ["review"]}]`
