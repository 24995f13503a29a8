package generate

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/secret"
	"cardwright/schema"
)

// lintCards checks the cards against the JSON Schemas and the rules of their
// protocol version, and puts each fault at the place in the source that caused
// it.
func lintCards(_ context.Context, w *work) error {
	for _, key := range []string{"id", "path", "host"} { // which are in URLs and in lists
		if n := w.agent.Node.Get(key); n != nil {
			checkText(w, key, n.Text, n.Span)
		}
	}
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
			finding.Span = w.spanOf(d, finding.Pointer)
			for j := range finding.Related {
				finding.Related[j].Span = w.spanOf(d, finding.Related[j].Pointer)
			}
			blameBase(w, d, &finding)
			w.reportCard(finding)
		}
	}
	return nil
}

// blameBase moves a finding about the host of a URL to baseUrl, where the URL has
// it from, or says that it is not set: then the card is good for looking at only.
func blameBase(w *work, d *agentCard, finding *diag.Diagnostic) {
	base := w.Config.Node.Get("baseUrl")
	url, found := d.wire.Find(finding.Pointer)
	if !ofHost(finding.Rule) || !found ||
		!strings.HasPrefix(url.Text, cmp.Or(w.Config.BaseURL, schema.NoBase)) {
		return
	}
	for _, entry := range w.agent.Node.Get("interfaces").Elements() {
		u := entry.Get("url")
		if u != nil && u.Span == finding.Span && (strings.Contains(u.Text, "://") ||
			base != nil && (strings.Contains(u.Text, "#") || secret.IsTemplate(u.Text))) {
			return // the fault is in the path
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

// lacks reports whether a finding is about a missing member of the card.
func lacks(d diag.Diagnostic) bool {
	switch d.Rule {
	case diag.CardMemberMissing, diag.CardVersionUnknown, diag.InterfaceNone:
		return strings.LastIndexByte(d.Pointer, '/') <= 0
	}
	return false
}
