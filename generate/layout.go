package generate

import (
	"cmp"
	"context"
	"path"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// checkLayout refuses to move a card that is published because the number of agents has
// changed and no layout was chosen: its clients would not find it.
func checkLayout(_ context.Context, r *run) error {
	c := r.Config
	if !c.Auto {
		return nil
	}
	manifest, _ := site.ParseManifest(site.ManifestName, r.Published.File(false, site.ManifestName))
	from, hint := site.CardPath, "write layout: path to move it, or give the other agents a configuration of their own"
	if c.Layout == config.Single {
		a := &c.Agents[0]
		from = path.Join(cmp.Or(a.Path, a.ID), site.CardPath)
		hint = "write layout: path to keep it there, or layout: single to move it"
	}
	if manifest.Environment == r.Environment && slices.Contains(manifest.Files, from) &&
		r.Published.File(false, from) != nil {
		r.report(diag.New(diag.ConfigValue, c.Node.Get("agents").Span,
			"the card %q would move, because the number of agents has changed and layout is auto", from).
			WithPointer("/agents").WithHint(hint))
	}
	return nil
}
