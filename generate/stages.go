package generate

import (
	"context"
	"errors"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/mapping"
)

// stage is a step of a run. It reports what it finds and goes on; an error is about the
// environment.
type stage struct {
	name string
	// agent does the step for one agent. It does not see other agents, which go through
	// the same steps at the same time.
	agent func(context.Context, *work) error
	// all does the step for all agents together, in the order of the configuration.
	all func(context.Context, *run) error
}

// stages are all steps of a run, in their order. Whatever makes, changes or checks a file
// of a tree is one of them.
//
// config.Load is none: it says where the sources and the output are, which package project
// opens before the first row. A configuration with errors makes no run. The last row is
// project.Run.publish: findings of the level of --fail-on end the run there. Else each tree
// gets its sidecars and its manifest, and package publish compares it with the disk. Where
// nothing stands in the way of any tree, it writes each file by a temporary one and a rename:
// the manifest of old and new files, the files that differ, no file before what it has the tag
// of; then it removes what is no longer made, and writes the manifest of the new files.
func stages() []stage {
	return []stage{
		{name: "begin", all: begin},                // read the policies, and begin the agents of the configuration
		{name: "read", agent: readSources},         // find the sources, parse and map their skills
		{name: "override", agent: overrideSkills},  // replace members of skills by the overlay
		{name: "select", agent: selectSkills},      // choose the skills of the public and of the extended card
		{name: "complete", agent: completeSkills},  // fill in the tags and descriptions of the chosen skills
		{name: "assemble", agent: assembleCards},   // join the skills of each card with the configuration
		{name: "schemas", agent: checkSchemas},     // check the schemas of skills, and publish them
		{name: "encode", agent: encodeCards},       // give the cards the wire form of their protocol version
		{name: "lint", agent: lintCards},           // check the wire form by JSON Schemas and rules
		{name: "sign", agent: signCards},           // add the signatures
		{name: "policies", agent: checkPolicies},   // check the cards by the policies
		{name: "print", agent: printCards},         // give the cards their bytes
		{name: "skills", agent: publishSkills},     // gather the files of the skills that are published
		{name: "successor", agent: checkSuccessor}, // check the cards by those that they replace
		{name: "conclude", agent: conclude},        // let go of all that made the cards
		{name: "layout", all: checkLayout},         // refuse to move a card because of the number of agents
		{name: "collect", all: collect},            // put cards and findings into the order of the agents
		{name: "caching", all: checkCaching},       // check the cache policy of the site
		{name: "agents", all: checkAgents},         // check the cards against the other agents'
		{name: "keys", all: publishKeys},           // write the key sets
		{name: "borrowed", all: checkBorrowed},     // verify signatures that were taken over from published cards
		{name: "site", all: listAgents},            // write the files that list the agents and skills of each site
		{name: "extended", all: checkExtended},     // report extended cards that have no directory
		{name: "servers", all: configureServers},   // write the server configuration
		{name: "ignored", all: checkIgnored},       // report cards that git ignores
		{name: "findings", all: joinFindings},      // join findings that are the same for several agents
		{name: "publish", all: publish},            // write the trees, or compare them with the disk
	}
}

// leaves reports whether a run leaves a stage out. generate, --check and --watch take all
// rows; lint, serve and diff take those that make cards. They have no keys either: "sign"
// then checks what a signature needs, and signs nothing.
func (req *Request) leaves(s stage) bool {
	switch s.name {
	case "successor": // --check compares with the disk anyway, --watch has work in progress, serve shows what is there
		return req.Base == nil
	case "layout": // nothing is moved by a run that writes nothing
		return req.Published == nil
	case "extended", "servers", "publish": // only a run with an output has directories
		return req.Output == nil
	case "ignored": // the output is in no git work tree
		return req.Output == nil || req.Output.Ignores == nil
	}
	return false
}

// run is all agents together.
type run struct {
	*Request
	agents   []*work
	budget   *mapping.Budget
	policies []policy
	markets  mapping.Markets
	sets     []keySet
	result   Result
	found    diag.List
}

// work begins an agent.
func (r *run) work(agent *config.Agent) *work {
	return &work{
		Request: r.Request, agent: agent, budget: r.budget, policies: r.policies, markets: &r.markets,
		faults: map[fault]bool{},
	}
}

// begin reads what the configuration names for all agents, and begins them.
func begin(_ context.Context, r *run) error {
	r.policies, r.found = readPolicies(r.Request)
	r.budget = mapping.NewBudget()
	if r.Progress != nil {
		r.budget.Skills = &r.Progress.Skills
	}
	for i := range r.Config.Agents {
		r.agents = append(r.agents, r.work(&r.Config.Agents[i]))
	}
	return nil
}

// report adds findings, as the configuration makes them count.
func (r *run) report(found ...diag.Diagnostic) {
	r.found = append(r.found, lint.Switches{Rules: r.Config.Rules}.Apply(found)...)
}

// Run takes a request through the stages. The findings are in the order of the agents;
// sorting them is the caller's business. Files are returned even when there are errors
// among the findings.
func Run(ctx context.Context, req Request) (Result, diag.List, error) {
	r := run{Request: &req}
	rest := stages()
	for len(rest) > 0 {
		n := 0
		for n < len(rest) && rest[n].agent != nil {
			n++
		}
		var err error
		if n > 0 {
			err = r.each(ctx, rest[:n])
		} else if n = 1; !req.leaves(rest[0]) {
			err = rest[0].all(ctx, &r)
		}
		if errors.Is(err, errTooMuchRead) {
			return Result{}, tooMuchRead(&req), nil
		}
		if err != nil {
			return r.result, r.found, err
		}
		rest = rest[n:]
	}
	return r.result, r.found, nil
}

// each takes the agents through stages, several agents at a time.
func (r *run) each(ctx context.Context, stages []stage) error {
	return files.All(r.agents, func(w *work) error {
		for _, s := range stages {
			if r.leaves(s) {
				continue
			}
			if err := s.agent(ctx, w); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

// collect puts the cards and the findings of the agents into their order.
func collect(_ context.Context, r *run) error {
	for _, w := range r.agents {
		w.files(&r.result)
		r.found = append(r.found, w.found...)
	}
	return nil
}
