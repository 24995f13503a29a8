package generate

import (
	"cmp"
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/mapping"
	"cardwright/schema"
)

// readSources finds the sources of the agent, maps what they hold into skills, and
// makes the ids unique: skills of the configuration itself come last.
func readSources(ctx context.Context, w *work) error {
	var skills []mapping.Skill
	var silent []mapping.Source // gave nothing, and no reason
	if w.publishes() {
		w.skillDirs = map[string]mapping.SkillDir{}
	}
	reader := mapping.Reader{
		NoRepair: w.Strict, Secured: secures(w.agent.Node),
		DefaultTags: w.agent.Skills.DefaultTags, SkillDirs: w.skillDirs,
		Markets: w.markets,
	}
	for i, src := range w.agent.Skills.From {
		tree, err := w.Open(src.Path)
		if err != nil {
			w.report(diag.New(diag.ConfigValue, src.Span, "the source %s cannot be read: %s", diag.Quote(src.Path),
				files.Reason(err)))
			continue
		}
		tree.Budget = w.budget
		if reader.BaseURL = w.Config.BaseURL; mapping.FormatOf(src).ServesAtBase && w.agent.Node.Get("interfaces") == nil {
			reader.BaseURL = cmp.Or(reader.BaseURL, schema.NoBase)
		}
		g, err := reader.Read(ctx, tree, src)
		if err != nil {
			return err
		}
		if w.budget.Empty() {
			return errTooMuchRead
		}
		w.report(g.Found...)
		w.parts = append(w.parts, g.CardPart)
		for j := range g.Skills {
			g.Skills[j].Source = &w.agent.Skills.From[i]
		}
		if skills == nil {
			skills = g.Skills // there may be very many, and they are large
		} else {
			skills = append(skills, g.Skills...)
		}
		if len(g.Skills) == 0 && g.Found.Worst() < diag.Warning && !mapping.FormatOf(src).DescribesOnly {
			silent = append(silent, src)
		}
	}
	skills = append(skills, w.agent.Skills.Add...)
	w.unread = w.found.Worst() == diag.Error
	kept, found := unique(skills, w.headerKey("id", "other-id"))
	w.report(found...)
	w.skills = kept
	if len(kept) > 0 { // else the agent as a whole is reported
		for _, src := range silent {
			severity := diag.Warning
			if src.Whole {
				severity = diag.Info // the rest of the card is there
			}
			w.report(diag.New(diag.SourceEmpty, src.Span, "no skill was found in %s", diag.Quote(src.Path)).
				WithSeverity(severity))
		}
	}
	return nil
}
