package generate

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/parallel"
	"cardwright/internal/sign"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Request is what one run is asked for.
type Request struct {
	Config *config.Config
	Agents []string // ids of the agents to generate, all when empty
	Strict bool     // no repairs
	Notes  bool     // also report what rules find that is merely worth knowing
	// Open finds the path of a source, as the configuration spells it.
	Open func(path string) (Tree, error)
	// Keys finds the keys to sign with; nothing is signed without it.
	Keys *KeyRing
	// Published returns a file of the public or private tree as it is on disk,
	// nil when there is none.
	Published func(private bool, path string) []byte
	// Base returns a file of either tree as it was published before, to judge
	// what takes its place. Nothing is compared without it.
	Base func(private bool, path string) []byte
}

// Tree is a directory tree that a source is read from.
type Tree struct {
	FS   fs.FS
	Root string                   // slash path of the source within FS, "." for all of it
	Show func(name string) string // how findings spell the path of a file in FS
}

// Result is what a run made.
type Result struct {
	Cards   []Card
	Public  []schema.File // the output tree, without sidecars and manifest
	Private []schema.File // extended cards, likewise
	Indexes []Index
}

// Index is a file of the output tree that lists the agents of a site.
type Index struct {
	Path   string // below the root of the tree
	Kind   string // for people: "AI Catalog", "page"
	Agents int
}

// Card is one card of a [Result].
type Card struct {
	Agent    string
	Name     string
	Version  string
	Protocol schema.Protocol
	Path     string // below the root of its tree
	Skills   int
	Extended bool // an extended card, in the private tree
	Digest   schema.Digest
}

// work is one agent on its way through the stages.
type work struct {
	*Request
	agent  *config.Agent
	skills []mapping.Skill // after read: all that were found, first of each id
	// brought is what the sources say of the card, in their order.
	brought []mapping.Brought
	cards   []draft    // after assemble: the public card, then the extended one
	found   diag.List  // of the sources and of what their cards cannot hold
	judged  diag.List  // of the rules
	signers []signer   // the keys of the agent
	retired []sign.Key // keys that are only published
	refused diag.List  // why cards are not signed, which nothing silences
	told    diag.List  // after settle: all findings, as they count
	named   lint.Named // after settle: the public card beside others
	unread  bool       // a source could not be read
	// incomplete tells that the card lacks a member which only the configuration
	// or a source can supply, and that this has been reported.
	incomplete bool
	made       schema.File // the public card, once it is written
}

// draft is a card that is being made.
type draft struct {
	card     *schema.Card     // without skills
	brought  []mapping.Place  // of the members that sources brought
	skills   []*mapping.Skill // of the card, in its order, with their places
	extended bool
	extends  *mapping.Skill // the first that is only on the extended card, nil when there is none
	wire     *source.Node
	borrowed bool // the signatures are those of the published card
	file     schema.File
	made     Card // after printCards
}

// stages are the steps every agent goes through, in this order. A stage
// reports what it finds and goes on; an error is about the environment.
func stages() []func(context.Context, *work) error {
	return []func(context.Context, *work) error{
		read,      // discover the sources, parse and map their skills
		assemble,  // join configuration and skills into the cards
		gate,      // judge the schemas of skills, and publish them
		encode,    // give the cards the wire form of their protocol version
		validate,  // hold the wire form against schema and rules
		signCards, // add the signatures
		printCards,
		succeed, // hold the cards against those that they take the place of
		settle,  // make the findings count as configuration and skills want
	}
}

// Run makes the files of the selected agents. The findings are in the order
// of the agents; sorting them is the caller's business. Files are returned
// even when there are errors among the findings.
func Run(ctx context.Context, req Request) (Result, diag.List, error) {
	var agents []*work
	for i := range req.Config.Agents {
		agent := &req.Config.Agents[i]
		if len(req.Agents) == 0 || slices.Contains(req.Agents, agent.ID) {
			agents = append(agents, &work{Request: &req, agent: agent})
		}
	}
	err := parallel.All(agents, func(w *work) error {
		for _, stage := range stages() {
			if err := stage(ctx, w); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return Result{}, nil, err
	}
	var result Result
	var found diag.List
	for _, w := range agents {
		w.files(&result)
		found = append(found, w.told...)
	}
	found = append(found, beside(agents)...)
	sets := req.keySets(agents)
	files, faults := req.keySetFiles(sets)
	result.Public, found = append(result.Public, files...), append(found, faults...)
	for _, w := range agents {
		found = append(found, w.checkBorrowed(sets)...)
	}
	faults, err = req.addSites(&result, agents)
	return result, append(found, faults...), err
}

// rules is what the configuration says of rules for this agent.
func (w *work) rules() map[string]diag.Severity {
	rules := maps.Clone(w.Config.Rules)
	maps.Copy(rules, w.agent.Rules)
	return rules
}

func (w *work) report(d diag.Diagnostic) { w.found = append(w.found, d) }

// settle puts the findings together, and lets go of all that made the cards:
// of a thousand agents, only what is published has to stay in memory.
func settle(_ context.Context, w *work) error {
	w.told = append(w.switched(), w.refused...)
	w.named = w.name()
	w.skills, w.brought, w.found, w.judged = nil, nil, nil, nil
	for i := range w.cards {
		d := &w.cards[i]
		d.card, d.brought, d.skills, d.wire = nil, nil, nil, nil
	}
	return nil
}

// switched are the findings about the agent, as the configuration and the
// skills themselves want them counted.
func (w *work) switched() diag.List {
	ignored := map[string][]string{}
	for i := range w.skills {
		if s := &w.skills[i]; len(s.Ignore) > 0 {
			ignored[s.Origin.File] = s.Ignore
		}
	}
	switches := lint.Switches{Rules: w.rules()}
	judged := slices.DeleteFunc(switches.Apply(w.judged), func(d diag.Diagnostic) bool {
		return d.Severity == diag.Info && !w.Notes
	})
	return slices.DeleteFunc(append(switches.Apply(w.found), judged...), func(d diag.Diagnostic) bool {
		return slices.Contains(ignored[d.Span.File], d.Rule)
	})
}
