package generate

import (
	"context"
	"errors"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// stage is a step of a run. It reports what it finds and goes on; an error is
// about the environment. Steps for each agent do not see other agents, which
// go through them at the same time.
type stage struct {
	agent func(context.Context, *work) error
	all   func(*run) error
}

// stages are all steps of a run, in their order.
func stages() []stage {
	return []stage{
		{agent: read},             // discover the sources, parse and map their skills
		{agent: assemble},         // join configuration and skills into the cards
		{agent: checkSchemas},     // judge the schemas of skills, and publish them
		{agent: encode},           // give the cards the wire form of their protocol version
		{agent: validate},         // judge the wire form by JSON Schemas and rules
		{agent: signCards},        // add the signatures
		{agent: checkPolicies},    // judge the cards by the policies
		{agent: printCards},       // give the cards their bytes
		{agent: publishSkills},    // gather the files of the skills that are published with them
		{agent: comparePublished}, // judge the cards by those that they replace
		{agent: conclude},         // make the findings count as configuration and skills want
		{all: keepPlaces},         // refuse to move a card because of the number of agents
		{all: collect},            // put cards and findings into the order of the agents
		{all: judgeCaching},       // judge the cache policy of the site
		{all: compareAgents},      // judge the cards by those of the other agents
		{all: publishKeys},        // write the key sets
		{all: checkBorrowed},      // verify signatures that were taken over from published cards
		{all: listAgents},         // write the files that list the agents of each site
	}
}

// run is all agents together, once each is made.
type run struct {
	*Request
	agents   []*work
	meter    *walk.Meter
	policies []policy
	markets  mapping.Markets
	sets     []keySet
	result   Result
	found    diag.List
}

// work begins an agent.
func (r *run) work(agent *config.Agent) *work {
	return &work{
		Request: r.Request, agent: agent, meter: r.meter, policies: r.policies, markets: &r.markets,
	}
}

// make takes agents through the stages, several at a time.
func (r *run) make(ctx context.Context, agents []*work) error {
	return parallel.All(agents, func(w *work) error {
		for _, s := range stages() {
			if s.agent == nil {
				continue
			}
			if err := s.agent(ctx, w); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
}

func (r *run) report(found ...diag.Diagnostic) { r.found = append(r.found, found...) }

// Run makes the files of the selected agents. The findings are in the order
// of the agents; sorting them is the caller's business. Files are returned
// even when there are errors among the findings.
func Run(ctx context.Context, req Request) (Result, diag.List, error) {
	r := run{Request: &req}
	r.policies, r.found = readPolicies(&req)
	r.meter = walk.NewMeter(req.Config.Limits)
	if req.Progress != nil {
		r.meter.Skills = &req.Progress.Skills
	}
	for i := range req.Config.Agents {
		r.agents = append(r.agents, r.work(&req.Config.Agents[i]))
	}
	err := r.make(ctx, r.agents)
	if errors.Is(err, errTooMuchRead) {
		return Result{}, tooMuchRead(&req), nil
	}
	if err != nil {
		return Result{}, nil, err
	}
	for _, s := range stages() {
		if s.all == nil {
			continue
		}
		if err := s.all(&r); err != nil {
			return r.result, r.found, err
		}
	}
	return r.result, reportOnce(r.found).Named(), nil
}

// collect puts the cards and the findings of the agents into their order.
func collect(r *run) error {
	for _, w := range r.agents {
		w.files(&r.result)
		r.report(w.concluded.found...)
	}
	return nil
}
