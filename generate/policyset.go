package generate

import (
	"path"
	"sync"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/internal/walk"
)

// openPolicy finds a file that the configuration names at a place.
type openPolicy func(path string, by diag.Span) (walk.Tree, error)

// PolicySet reads policies, each once. It is safe for concurrent use.
type PolicySet struct {
	open   openPolicy
	limits source.Limits
	work   jsonschema.Work
	mu     sync.Mutex
	rules  map[config.Policy]func() (*Policy, diag.List)
}

// NewPolicySet returns a set that has read nothing yet.
func NewPolicySet(open openPolicy, limits source.Limits) *PolicySet {
	return &PolicySet{open: open, limits: limits, rules: map[config.Policy]func() (*Policy, diag.List){}}
}

// get returns what [PolicySet.read] does.
func (s *PolicySet) get(p config.Policy) (*Policy, diag.List) {
	s.mu.Lock()
	read := s.rules[p]
	if read == nil {
		read = sync.OnceValues(func() (*Policy, diag.List) { return s.read(p) })
		s.rules[p] = read
	}
	s.mu.Unlock()
	return read()
}

// read reads the schema of a policy and makes the policy. It is nil where there are
// errors among the findings.
func (s *PolicySet) read(p config.Policy) (*Policy, diag.List) {
	limits := s.limits.WithDefaults()
	tree, err := s.open(p.Schema.Value, p.Schema.Span)
	var data []byte
	if err == nil {
		data, err = files.ReadFile(tree.FS, tree.Root, limits.Source)
	}
	if err != nil {
		return nil, diag.List{diag.New("config-file", p.Schema.Span, "the schema %s of the policy %q cannot be read: %s",
			diag.Quote(p.Schema.Value), p.ID, files.Reason(err))}
	}
	var root *source.Node
	var found diag.List
	if path.Ext(tree.Root) == ".json" {
		root, found = source.ParseJSON(tree.Show(tree.Root), data, limits)
		for i := range found {
			found[i].Rule = "config-value"
		}
	} else {
		root, found = source.ParseYAML(tree.Show(tree.Root), data, "config-value", limits)
	}
	if root == nil || found.Worst() == diag.Error {
		return nil, found
	}
	return NewPolicy(p, root, &s.work)
}
