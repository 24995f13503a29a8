package generate

import (
	"context"
	"sync/atomic"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Request is what one run is asked for.
type Request struct {
	Config *config.Config
	Strict bool // no repairs
	// Environment is the one that the tree is made for, "" for none.
	Environment string
	Notes       bool // also report what rules find that is merely worth knowing
	// Progress is kept up to date while the run goes on, unless it is nil.
	Progress *Progress
	// Wire reports which cards to keep in memory, for callers that ask where a value
	// came from. None are kept without it.
	Wire func(extended bool, card site.File) bool
	// Open finds the path of a source, as the configuration spells it.
	Open func(path string) (mapping.Tree, error)
	// Ignored reports whether git ignores a file, as findings spell it, which is not
	// published then. Nil is for none.
	Ignored func(file string) bool
	// Keys finds the keys to sign with; nothing is signed without it.
	Keys      *KeyRing
	Published *Published // what is on disk
	// Base is what is on disk, to judge what takes its place. Nothing is compared
	// without it.
	Base *Published
	// Output is where the trees go, nil for runs that make cards only to look at them.
	Output *Output
}

// Output is where the trees of a run go.
type Output struct {
	Private bool // extended cards have a directory
	// Configure makes the configuration of servers: the files that belong into the web
	// root, and the others.
	Configure func() (public, others []site.File, found diag.List)
	// Ignores returns the line that makes git ignore a file of the public tree, nil
	// where there is none.
	Ignores func(file string) *IgnoreLine
	// Publish writes the trees, or compares them with those on disk, and decides by the
	// findings whether to do so. It may be nil.
	Publish func(context.Context, Result, diag.List) error
}

// IgnoreLine is the line of a .gitignore that makes git ignore a file.
type IgnoreLine struct {
	Span diag.Span
	Text string
	Card string // the file, as findings spell it
}

// Progress is how far a run is.
type Progress struct{ Skills, Cards atomic.Int64 }

// Result is what a run made.
type Result struct {
	Cards   []Card
	Public  []site.File // the output tree, without sidecars and manifest
	Private []site.File // extended cards, likewise
	Servers []site.File // server configuration that is not served itself
	Indexes []Index
}

// Index is a file of the output tree that lists the agents of a site, or the
// skills that are published with their files.
type Index struct {
	Path   string // below the root of the tree
	Kind   string // for people: "AI Catalog", "page"
	Agents int
	Skills []site.Skill
}

// Card is one card of a [Result].
type Card struct {
	Agent    string
	Name     string
	Version  string
	Protocol schema.Protocol
	Path     string // below the root of its tree
	Skills   int
	Extended bool      // an extended card, in the private tree
	Span     diag.Span // of what makes the agent have it
	Digest   site.Digest
	Wire     *source.Node // of the cards that [Request.Wire] keeps, with the place that each value came from
}
