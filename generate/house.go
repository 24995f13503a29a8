package generate

import (
	"context"
	"path"
	"sync"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/policy"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
)

// house reads the schemas of the house rules, each once. It is safe for
// concurrent use.
type house struct {
	*Request
	mu    sync.Mutex
	rules map[config.Policy]*houseRule
}

// houseRule is a policy, or why it cannot be used.
type houseRule struct {
	once   sync.Once
	policy *policy.Policy
	found  diag.List
}

func newHouse(req *Request) *house {
	return &house{Request: req, rules: map[config.Policy]*houseRule{}}
}

func (h *house) rule(p config.Policy) *houseRule {
	h.mu.Lock()
	r := h.rules[p]
	if r == nil {
		r = &houseRule{}
		h.rules[p] = r
	}
	h.mu.Unlock()
	r.once.Do(func() { r.policy, r.found = ReadPolicy(h.Request, p) })
	return r
}

// ReadPolicy reads the schema of a policy and makes the policy. It is nil where
// there are errors among the findings.
func ReadPolicy(req *Request, p config.Policy) (*policy.Policy, diag.List) {
	limits := req.Config.Limits.WithDefaults()
	tree, err := req.Open(p.Schema.Value)
	var data []byte
	if err == nil {
		data, err = safefile.ReadFile(tree.FS, tree.Root, limits.Source)
	}
	if err != nil {
		return nil, diag.List{diag.New("config-file", p.Schema.Span, "the schema %s of the policy %q cannot be read: %s",
			diag.Quote(p.Schema.Value), p.ID, safefile.Reason(err))}
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
	return policy.New(p, root)
}

// holdPolicies judges the cards by the house rules. The extended card repeats the
// public one, and what is said of that is not said again.
func holdPolicies(_ context.Context, w *work) error {
	type fault struct {
		rule, hint string
		span       diag.Span
	}
	said := map[fault]bool{}
	for _, p := range w.agent.Policies {
		rule := w.house.rule(p)
		w.found.add(ofSignature, rule.found...)
		if rule.policy == nil {
			continue
		}
		for i := range w.cards {
			d := &w.cards[i]
			for _, finding := range rule.policy.Judge(d.wire) {
				finding.Span = w.place(d, finding.Pointer)
				f := fault{finding.Rule, finding.Hint, finding.Span}
				if !said[f] || !d.extended {
					w.found.add(ofHouse, finding)
				}
				said[f] = true
			}
		}
	}
	return nil
}
