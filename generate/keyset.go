package generate

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/schema"
)

const (
	jwksPath = ".well-known/jwks.json"
	jwksType = "application/jwk-set+json"
)

// keySet is the file with the public keys of the agents of one host.
type keySet struct {
	path    string // below the root of the output tree
	keys    []sign.Key
	partial bool      // some keys are not at hand
	span    diag.Span // in the configuration
}

// keySets are the files with the public keys of all agents that sign.
func (req *Request) keySets(agents []*work) []keySet {
	var sets []keySet
	for _, w := range agents {
		if len(w.signers) == 0 {
			continue
		}
		name := req.keySetPath(w.agent)
		i := slices.IndexFunc(sets, func(s keySet) bool { return s.path == name })
		if i < 0 {
			i = len(sets)
			sets = append(sets, keySet{path: name, partial: len(req.Agents) > 0, span: w.signers[0].span})
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
			sets[i].keep(req.publishedKeys(sets[i].path))
		}
	}
	return sets
}

// keySetPath is where the keys of an agent are published: at the root of its
// host.
func (req *Request) keySetPath(a *config.Agent) string {
	if req.Config.Layout == config.Host {
		return path.Join(a.Host, jwksPath)
	}
	return jwksPath
}

func (req *Request) publishedKeys(name string) []sign.Key {
	if req.Published == nil {
		return nil
	}
	keys, _ := sign.ParseJWKS(name, req.Published(false, name), req.Config.Limits)
	return keys
}

// keep adds the keys that are published now and of whose names the set has none.
func (s *keySet) keep(published []sign.Key) {
	known := map[string]bool{}
	for _, k := range s.keys {
		known[k.Name()] = true
	}
	for _, k := range published {
		if !known[k.Name()] {
			s.keys = append(s.keys, k)
		}
	}
}

// keySetFiles are the sets as they are published.
func (req *Request) keySetFiles(sets []keySet) ([]schema.File, diag.List) {
	var files []schema.File
	var found diag.List
	for _, s := range sets {
		set, err := sign.JWKS(s.keys)
		if err != nil {
			found = append(found, diag.Diagnostic{Rule: "config-value", Severity: diag.Error, Message: err.Error(), Span: s.span, Hint: "give each key a kid of its own, or its agents hosts of their own"})
			continue
		}
		files = append(files, req.file("", s.path, jwksType, schema.Write(set)))
	}
	return files, found
}

// checkBorrowed holds signatures that were taken over from the published cards
// against the key sets: without a private key a check must still notice that
// one was tampered with. A card whose payload has changed is out of date anyway.
func (w *work) checkBorrowed(sets []keySet) diag.List {
	var found diag.List
	for i := range w.cards {
		d := &w.cards[i]
		if !d.borrowed {
			continue
		}
		name, data := d.file.Path, d.file.Data
		if !bytes.Equal(data, w.Published(d.extended, name)) {
			continue
		}
		for _, fault := range w.faults(name, data, sets) {
			found = append(found, diag.Diagnostic{Rule: "signature-invalid", Severity: diag.Error, Message: fault, Span: w.signers[0].span, Hint: "run cardwright generate where the key is, and commit what it writes"})
		}
	}
	return found
}

// faults says what is wrong with the signatures on a card of the agent.
func (w *work) faults(name string, card []byte, sets []keySet) []string {
	i := slices.IndexFunc(sets, func(s keySet) bool { return s.path == w.keySetPath(w.agent) })
	results, found := sign.Verify(name, card, sets[i].keys, w.Config.Limits)
	var faults []string
	for _, d := range found {
		faults = append(faults, fmt.Sprintf("%q has no good signature: %s", name, d.Message))
	}
	for _, r := range results {
		switch {
		case !r.Good():
			faults = append(faults, fmt.Sprintf("the signature %s of %q is refused: %s", r.Pointer, name, r.Fault))
		case r.Open():
			faults = append(faults, fmt.Sprintf("the signature %s of %q does not cover all that the card says", r.Pointer, name))
		}
	}
	if len(found) == 0 && len(results) < len(w.signers) {
		faults = append(faults, fmt.Sprintf("%q has %d of the %d signatures that the configuration asks for", name, len(results), len(w.signers)))
	}
	return faults
}
