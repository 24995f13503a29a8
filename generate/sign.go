package generate

import (
	"context"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// KeyRing finds keys. A key that is not at hand, as in a check of a pull
// request from a fork, has no private half.
type KeyRing struct {
	// Private finds the key that the configuration names, and what is to be
	// said about it. It is asked for the keys of the selected agents only.
	Private func(config.Signing) (sign.Key, diag.List, error)
	// Public finds further keys to publish, at a reference that the configuration lists.
	Public func(s config.Signing, ref string) ([]sign.Key, diag.List, error)
}

// signer is a key that an agent signs with.
type signer struct {
	key     sign.Key // without private half: not at hand
	options sign.Options
	span    diag.Span // in the configuration
}

// public is the key under the name that its signatures have.
func (s signer) public() sign.Key {
	k := s.key.Public()
	if s.options.Kid != "" {
		k.Kid = s.options.Kid
	}
	return k
}

// signCards adds the signatures of the agent's keys to its cards, as far as
// these are fit for it.
func signCards(_ context.Context, w *work) error {
	if len(w.agent.Signing) == 0 {
		return nil
	}
	if err := findKeys(w); err != nil {
		return err
	}
	for i := range w.cards {
		if d := &w.cards[i]; signable(w, d) {
			addSignatures(w, d)
		}
	}
	return nil
}

// findKeys gets the keys of the agent: those it signs with, and those it only
// publishes.
func findKeys(w *work) error {
	if w.Keys == nil {
		return nil
	}
	for _, s := range w.agent.Signing {
		checkText(w, "kid", s.Kid, s.Span)
		checkText(w, "jku", s.JKU, s.Span)
		key, found, err := w.Keys.Private(s)
		if err != nil {
			return err
		}
		if w.report(found...); found.Worst() == diag.Error {
			continue
		}
		w.signers = append(w.signers, signer{key, sign.Options{Alg: s.Alg, Kid: s.Kid, JKU: s.JKU}, s.Span})
		for _, ref := range s.Publish {
			keys, found, err := w.Keys.Public(s, ref)
			if err != nil {
				return err
			}
			if w.report(found...); found.Worst() == diag.Error {
				continue
			}
			for _, key := range keys {
				checkText(w, "kid", key.Kid, s.Span)
				w.retired = append(w.retired, key.Public())
			}
		}
	}
	return nil
}

// checkText checks a text that goes into signatures or the key set, after the rules.
func checkText(w *work, member, text string, at diag.Span) {
	names := source.NewObject(1)
	names.Set(member, &source.Node{Kind: source.String, Text: text, Span: at})
	w.report(lint.Texts(names)...)
}

// signable reports whether the card can be signed. No switch silences why not: an
// unsigned card would go out for a signed one.
func signable(w *work, d *agentCard) bool {
	_, found := sign.Check(d.wire)
	for _, f := range found {
		if f.Span = w.agent.Signing[0].Span; f.Pointer != "" {
			f.Span = w.spanOf(d, f.Pointer)
		}
		switch f.Severity {
		case diag.Error:
			w.found = append(w.found, f)
		case diag.Info: // worth knowing for whoever signs
			w.report(f)
		default:
			w.reportCard(f)
		}
	}
	return found.Worst() < diag.Error
}

// addSignatures signs the card with every key; a good signature on the published
// card stays. Where a private key is not at hand, all signatures on that stay:
// whether the card is current is judged by its payload then.
func addSignatures(w *work, d *agentCard) {
	published := w.published(d)
	signed := d.wire
	if published != nil && slices.ContainsFunc(w.signers, func(s signer) bool { return !s.key.CanSign() }) {
		signed = with(signed, published.Member("signatures"))
		d.borrowed = true
	}
	for _, s := range w.signers {
		if !s.key.CanSign() {
			continue
		}
		next, _, err := sign.Sign(signed, published, s.key, s.options)
		if err != nil {
			w.found = append(w.found, diag.New(diag.ConfigValue, s.span, "the card of %q cannot be signed: %s", w.agent.ID, err))
			return
		}
		// Published signatures that are malformed stay as they are, and the check of them
		// reports it.
		if next != nil {
			signed = next
		}
	}
	d.wire = signed
}

// with returns a copy of an object with one member more, the same object when
// there is none to add.
func with(n *source.Node, m *source.Member) *source.Node {
	if m == nil {
		return n
	}
	more := *n
	more.Members = append(slices.Clip(slices.Clone(n.Members)), *m)
	return &more
}

// published is the card that is on disk now, nil when there is none.
func (w *work) published(d *agentCard) *source.Node {
	name := w.cardPath(d)
	card, _ := source.ParseJSON(name, w.Published.File(d.extended, name))
	return card
}
