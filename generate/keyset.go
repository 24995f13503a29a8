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
	"cardwright/internal/source"
	"cardwright/schema"
)

// keySet is the file with the public keys of the agents of one host.
type keySet struct {
	path    string // below the root of the output tree
	keys    []sign.Key
	named   map[string]bool // by the configuration, among the keys that are not at hand
	unnamed int             // how many of them are not
	span    diag.Span       // in the configuration
}

// keySetsOf are the files with the public keys of all agents that sign.
func (r *run) keySetsOf() []keySet {
	var sets []keySet
	known := map[string]int{}
	for _, w := range r.agents {
		if len(w.signers) == 0 {
			continue
		}
		name := r.keySetPath(w.agent)
		i, ok := known[name]
		if !ok {
			i = len(sets)
			known[name] = i
			sets = append(sets, keySet{path: name, named: map[string]bool{}, span: w.signers[0].span})
		}
		set := &sets[i]
		for _, s := range w.signers {
			switch {
			case s.key.CanSign():
				set.keys = append(set.keys, s.public())
			case s.options.Kid != "":
				set.named[s.options.Kid] = true
			default:
				set.unnamed++
			}
		}
		set.keys = append(set.keys, w.retired...)
	}
	return sets
}

// keySetPath is where the keys of an agent are published: at the root of its
// host.
func (req *Request) keySetPath(a *config.Agent) string {
	return path.Join(req.siteDir(a), site.KeySetPath)
}

// keep adds the keys that are published now, as far as the set has none of their
// names and the configuration asks for them: what lies in the output directory
// may have been put there by anyone, and clients trust each key of the set.
// Where there are more than keys without a name here, it is unknown which.
func (s *keySet) keep(published []sign.Key) error {
	known := map[string]bool{}
	for _, k := range s.keys {
		known[k.Name()] = true
	}
	unnamed := 0
	for _, k := range published {
		switch {
		case known[k.Name()]:
		case s.named[k.Name()]:
			s.keys = append(s.keys, k)
		case s.unnamed > 0:
			s.keys = append(s.keys, k)
			unnamed++
		}
	}
	if unnamed > s.unnamed {
		return fmt.Errorf("%q has %d keys that the configuration does not name, and %d of its agents' keys have no kid there",
			s.path, unnamed, s.unnamed)
	}
	return nil
}

// publishKeys writes the sets with the public keys.
func publishKeys(_ context.Context, r *run) error {
	r.sets = r.keySetsOf()
	for i := range r.sets {
		s := &r.sets[i]
		published, _ := sign.ParseJWKS(s.path, r.Published.File(false, s.path))
		var set *source.Node
		err := s.keep(published)
		if err == nil {
			set, err = sign.JWKS(s.keys)
		}
		if err != nil {
			r.report(diag.New(diag.ConfigValue, s.span, "%s", err).
				WithHint("give each key its own kid in the configuration, or each agent its own host"))
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
