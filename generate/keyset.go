package generate

import (
	"context"
	"fmt"
	"path"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/internal/site"
	"cardwright/schema"
)

// keySet is the file with the public keys of the agents of one host.
type keySet struct {
	path    string // below the root of the output tree
	keys    []sign.Key
	partial bool      // some keys are not at hand
	fault   string    // why the published keys cannot be distinguished, "" when they can
	span    diag.Span // in the configuration
}

// keySetsOf are the files with the public keys of all agents that sign.
func keySetsOf(req *Request, agents []*work) []keySet {
	var sets []keySet
	known := map[string]int{}
	for _, w := range agents {
		if len(w.signers) == 0 {
			continue
		}
		name := req.keySetPath(w.agent)
		i, ok := known[name]
		if !ok {
			i = len(sets)
			known[name] = i
			sets = append(sets, keySet{path: name, span: w.signers[0].span})
		}
		set := &sets[i]
		for _, s := range w.signers {
			if s.key.CanSign() {
				set.keys = append(set.keys, s.public())
			} else {
				set.partial = true
			}
		}
		set.keys = append(set.keys, w.retired...)
	}
	for i := range sets {
		if sets[i].partial {
			sets[i].keep(publishedKeys(req, sets[i].path), expectKeys(req, sets[i].path, agents))
		}
	}
	return sets
}

// keySetPath is where the keys of an agent are published: at the root of its
// host.
func (req *Request) keySetPath(a *config.Agent) string {
	return path.Join(req.siteDir(a), site.KeySetPath)
}

func publishedKeys(req *Request, name string) []sign.Key {
	keys, _ := sign.ParseJWKS(name, req.Published.File(false, name))
	return keys
}

// expectedKeys are the keys of a set by the configuration: their names, and how
// many there may be whose names only those know who have them.
type expectedKeys struct {
	names   map[string]bool
	unnamed int
}

// expectKeys returns which keys the agents of a set sign with or publish, as far
// as they are not at hand.
func expectKeys(req *Request, name string, agents []*work) expectedKeys {
	expected := expectedKeys{names: map[string]bool{}}
	for i := range req.Config.Agents {
		a := &req.Config.Agents[i]
		if req.keySetPath(a) != name {
			continue
		}
		here := slices.IndexFunc(agents, func(w *work) bool { return w.agent == a })
		for j, s := range a.Signing {
			switch {
			case s.Kid != "":
				expected.names[s.Kid] = true
			case here < 0 || j >= len(agents[here].signers) || !agents[here].signers[j].key.CanSign():
				expected.unnamed++
			}
			if here < 0 {
				expected.unnamed += len(s.Publish)
			}
		}
	}
	return expected
}

// keep adds the keys that are published now, as far as the set has none of their
// names and the configuration asks for them: what lies in the output directory
// may have been put there by anyone, and clients trust each key of the set.
// Where there are more than keys without a name here, it is unknown which.
func (s *keySet) keep(published []sign.Key, expected expectedKeys) {
	known := map[string]bool{}
	for _, k := range s.keys {
		known[k.Name()] = true
	}
	var unnamed []sign.Key
	for _, k := range published {
		switch {
		case known[k.Name()]:
		case expected.names[k.Name()]:
			s.keys = append(s.keys, k)
		default:
			unnamed = append(unnamed, k)
		}
	}
	if expected.unnamed == 0 {
		return
	}
	if s.keys = append(s.keys, unnamed...); len(unnamed) > expected.unnamed {
		s.fault = fmt.Sprintf("%q has %d keys that the configuration does not name, "+
			"and %d of its agents' keys have no kid there", s.path, len(unnamed), expected.unnamed)
	}
}

// publishKeys writes the sets with the public keys.
func publishKeys(_ context.Context, r *run) error {
	r.sets = keySetsOf(r.Request, r.agents)
	for _, s := range r.sets {
		if s.fault != "" {
			r.report(diag.New(diag.ConfigValue, s.span, "%s", s.fault).
				WithHint("give each key a kid in the configuration, " +
					"or run cardwright generate where all keys are"))
			continue
		}
		set, err := sign.JWKS(s.keys)
		if err != nil {
			r.report(diag.New(diag.ConfigValue, s.span, "%s", err.Error()).
				WithHint("give each key its own kid, or each agent its own host"))
			continue
		}
		r.result.Public = append(r.result.Public, r.file("", s.path, schema.Write(set)))
	}
	return nil
}

// checkBorrowed verifies signatures that were taken over from the published
// cards: without a private key a check must still notice that one was tampered
// with. A card whose payload has changed is out of date anyway.
func checkBorrowed(_ context.Context, r *run) error {
	for _, w := range r.agents {
		for i := range w.cards {
			d := &w.cards[i]
			if !d.borrowed || !w.Published.Holds(d.extended, d.file.Path, d.file.Data) {
				continue
			}
			for _, fault := range signatureFaults(w, d.file.Path, d.file.Data, r.sets) {
				r.report(diag.New(diag.SignatureInvalid, w.signers[0].span, "%s", fault).
					WithHint("run cardwright generate on a machine that has the key, and commit the result"))
			}
		}
	}
	return nil
}

// signatureFaults says what is wrong with the signatures on a card of the agent.
func signatureFaults(w *work, name string, card []byte, sets []keySet) []string {
	i := slices.IndexFunc(sets, func(s keySet) bool { return s.path == w.keySetPath(w.agent) })
	verdict, results, found := sign.Verify(name, card, sign.Trust{Keys: sets[i].keys, All: true})
	var faults []string
	for _, d := range found {
		faults = append(faults, fmt.Sprintf("%q: %s", name, d.Message))
	}
	if verdict != sign.Unreadable && len(results) < len(w.signers) {
		faults = append(faults, fmt.Sprintf("%q has %d of the %d signatures in the configuration", name,
			len(results), len(w.signers)))
	}
	return faults
}
