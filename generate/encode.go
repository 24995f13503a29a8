package generate

import (
	"context"
	"path"
	"slices"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/schema"
)

// encodeCards gives the cards their wire form. What their protocol version cannot
// hold is reported: as an error where leaving it out would change what the
// card says.
func encodeCards(_ context.Context, w *work) error {
	for i := range w.cards {
		d := &w.cards[i]
		d.origins = newOrigins(w, d)
		options := schema.WireOptions{
			Signed:           len(w.agent.Signing) > 0,
			OmitRequirements: slices.Contains(w.agent.Compat, schema.CompatA2AGo430), Place: d.origins.of,
		}
		card := *d.card
		card.Skills = make([]schema.Skill, len(d.skills))
		for i, s := range d.skills {
			card.Skills[i] = s.Skill
		}
		wire, losses := schema.Wire(&card, card.Protocol(), options)
		d.wire = wire
		w.report(losses...)
	}
	return nil
}

// printCards gives the cards their bytes.
func printCards(_ context.Context, w *work) error {
	for i := range w.cards {
		d := &w.cards[i]
		d.file = w.file(w.agent.ID, w.cardPath(d), schema.Write(d.wire)).Hashed()
		reportLarge(w, d)
		if w.Progress != nil {
			w.Progress.Cards.Add(1)
		}
		d.made = Card{
			Agent:    w.agent.ID,
			Name:     d.card.Name,
			Version:  d.card.Version,
			Protocol: d.card.Protocol(),
			Path:     d.file.Path,
			Skills:   len(d.skills),
			Extended: d.extended,
			Digest:   d.file.Digest(),
		}
		if d.extended {
			d.made.Span = d.origins.extendedSpan()
		}
		if w.Wire != nil && w.Wire(d.extended, d.file) {
			d.made.Wire = d.wire
		}
	}
	return nil
}

// files adds the cards of an agent to the result.
func (w *work) files(r *Result) {
	for i := range w.cards {
		d := &w.cards[i]
		r.Cards = append(r.Cards, d.made)
		file := d.file
		if d.extended {
			r.Private = append(r.Private, file)
			continue
		}
		r.Public = append(r.Public, file)
		if d.legacy {
			continue
		}
		w.public = file
		if w.agent.LegacyPath == config.LegacyCopy {
			file.Path = path.Join(w.Config.Dir(w.agent), site.LegacyCardPath)
			file.URL = w.Config.URL(file.Path)
			r.Public = append(r.Public, file)
		}
	}
}

// cardPath is where the card goes, below the root of its tree.
func (w *work) cardPath(d *agentCard) string {
	switch {
	case d.extended:
		return path.Join(w.Config.Dir(w.agent), site.ExtendedCardName)
	case d.legacy:
		return path.Join(w.Config.Dir(w.agent), site.LegacyCardPath)
	}
	return path.Join(w.Config.Dir(w.agent), site.CardPath)
}

// file is a file of the output tree.
func (req *Request) file(agent, name string, data []byte) site.File {
	return site.File{
		Path: name, Data: data, Agent: agent, URL: req.Config.URL(name), Sidecars: true, Turn: site.TurnOf(name),
	}
}

// largeCard is the size in bytes at which readers with the bounds of this tool
// stop.
const largeCard = 4 << 20

func reportLarge(w *work, d *agentCard) {
	if size := len(d.file.Data); size > largeCard {
		w.report(diag.New(diag.CardLarge, firstSpan(w.agent.Node, "/skills/from", "/skills"),
			"the card of %q has %d skills and %.1f MiB, many clients read no more than 4 MiB", w.agent.ID,
			len(d.skills), float64(size)/(1<<20)).
			WithHint("split the skills over several agents, or select some with skills.include"))
	}
}
