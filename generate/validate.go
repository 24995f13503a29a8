package generate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/schema"
)

// validate checks the cards against the JSON Schemas and the rules of their
// protocol version, and puts each fault at the place in the source that caused
// it. Faults of the public card are not reported again for the extended one,
// which repeats it.
func validate(_ context.Context, w *work) error {
	type fault struct {
		rule    diag.RuleID
		message string
		span    diag.Span
	}
	reported := map[fault]bool{}
	options := lint.Options{Keep: w.agent.Rules, Least: diag.Warning}
	if w.Notes {
		options.Least = diag.Info
	}
	for i := range w.cards {
		d := &w.cards[i]
		options.Protocol, options.Extended = d.card.Protocol(), d.extended
		for _, finding := range lint.Card(d.wire, options) {
			if w.incomplete && lacks(finding) {
				continue // reported already, in the words of the configuration
			}
			if finding.Rule == diag.SignatureMissing && len(w.agent.Signing) > 0 {
				continue // it comes behind the rules
			}
			finding.Span = w.place(d, finding.Pointer)
			for j := range finding.Related {
				finding.Related[j].Span = w.place(d, finding.Related[j].Pointer)
			}
			blameBase(w, d, &finding)
			f := fault{finding.Rule, finding.Message, finding.Span}
			if f.rule == ruleRefused {
				finding.Hint = refusedHint(options.Protocol)
			}
			if !reported[f] || !d.extended && !d.legacy {
				w.found.add(ofCard, finding)
			}
			reported[f] = true
		}
	}
	return nil
}

// blameBase moves a finding about the host of a URL to baseUrl, where the URL has
// it from, or says that it is not set: then the card is good for looking at only.
func blameBase(w *work, d *draft, finding *diag.Diagnostic) {
	base := w.Config.Node.Get("baseUrl")
	url, found := d.wire.Find(finding.Pointer)
	if !ofHost(finding.Rule) || !found ||
		!strings.HasPrefix(url.Text, cmp.Or(w.Config.BaseURL, schema.NoBase)) {
		return
	}
	for _, entry := range w.agent.Node.Get("interfaces").Elements() {
		if u := entry.Get("url"); u != nil && u.Span == finding.Span && strings.Contains(u.Text, "://") {
			return
		}
	}
	if base != nil {
		finding.Span, finding.Pointer = base.Span, "/baseUrl"
		finding.Message = strings.Replace(finding.Message, diag.Quote(url.Text), diag.Quote(w.Config.BaseURL), 1)
		return
	}
	finding.Span, finding.Pointer = diag.Top(w.Config.Node.Span.File), "/baseUrl"
	finding.Message = fmt.Sprintf("baseUrl is not set, so the URLs of the card begin with %s", schema.NoBase)
	finding.Hint = "set baseUrl to where the agents are served, or pass --base-url"
}

// ofHost reports whether a rule is about the scheme, host or port of an interface.
func ofHost(rule diag.RuleID) bool {
	switch rule {
	case diag.InterfacePlaceholder, diag.InterfaceInsecure, diag.InterfacePrivateHost, diag.InterfaceURLInvalid:
		return true
	}
	return false
}

// ruleRefused is about cards that clients of one SDK refuse, right as they are.
const ruleRefused = diag.CompatA2AGoSecurity

// reportOnce makes one finding of those about an SDK: where the first of them
// is, with the others as related places.
func reportOnce(found diag.List) diag.List {
	first := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Rule == ruleRefused })
	if first < 0 {
		return found
	}
	for i := first + 1; i < len(found); i++ {
		d := &found[i]
		if d.Rule != ruleRefused {
			continue
		}
		if d.Span != found[first].Span {
			found[first].Related = append(found[first].Related, diag.Related{Span: d.Span, Message: "and here"})
		}
		d.Span, d.Message, d.Severity = found[first].Span, found[first].Message, found[first].Severity
	}
	return found
}

func refusedHint(p schema.Protocol) string {
	hint := "the card is correct; see issue 430 of a2aproject/a2a-go"
	if p.Has(schema.Flat) && p.Has(schema.Listed) {
		hint += ", or leave them to 0.3 with compat: [a2a-go-430]"
	}
	return hint
}

// lacks reports whether a finding is about a missing member of the card.
func lacks(d diag.Diagnostic) bool {
	switch d.Rule {
	case diag.CardMemberMissing, diag.CardVersionUnknown, diag.InterfaceNone:
		return strings.LastIndexByte(d.Pointer, '/') <= 0
	}
	return false
}
