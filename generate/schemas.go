package generate

import (
	"context"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/jsonschema"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// checkSchemas judges the JSON Schemas of the skills that are on a card, and puts
// them on the cards where the configuration wants that.
func checkSchemas(ctx context.Context, w *work) error {
	type verdict struct {
		skill  *mapping.Skill
		params *source.Node // of the extension, for this skill
		found  diag.List
	}
	var verdicts []*verdict
	for _, s := range w.cards[len(w.cards)-1].skills { // an extended card has all skills
		if s.Input.Node != nil || s.Output.Node != nil {
			verdicts = append(verdicts, &verdict{skill: s})
		}
	}
	err := files.All(verdicts, func(v *verdict) error {
		v.params, v.found = checkSchema(v.skill, w.agent.Skills.PublishSchemas)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	params := map[string]*source.Node{}
	for _, v := range verdicts {
		w.report(v.found...)
		if v.params != nil {
			params[v.skill.ID] = v.params
		}
	}
	if !w.agent.Skills.PublishSchemas {
		return nil
	}
	if len(params) == 0 {
		w.report(diag.New(diag.ConfigUnmatched, firstSpan(w.agent.Node, "/skills/publishSchemas"),
			"skills.publishSchemas is true, but no skill has a schema").WithSeverity(diag.Info))
	}
	for i := range w.cards {
		w.cards[i].publishSchemas(params)
	}
	return nil
}

// checkSchema judges the schemas of one skill, and returns them as a card may hold
// them if that is asked for.
func checkSchema(s *mapping.Skill, publish bool) (params *source.Node, found diag.List) {
	params = &source.Node{Kind: source.Object}
	for _, m := range []struct {
		key, subject string
		schema       mapping.Schema
	}{
		{"inputSchema", "the input schema of " + diag.Quote(s.ID), s.Input},
		{"outputSchema", "the output schema of " + diag.Quote(s.ID), s.Output},
	} {
		if m.schema.Node == nil {
			continue
		}
		faults := jsonschema.Vet(m.schema.Node)
		for _, f := range faults {
			found = append(found, diag.New(diag.SourceSchemaInvalid, nodeSpan(m.schema.Node, f.Pointer), "%s is invalid%s: %s",
				m.subject, at(f.Pointer), f.Message).WithPointer(m.schema.Pointer+f.Pointer).WithHint(f.Hint))
		}
		if !publish || faults != nil {
			continue
		}
		written, lost := jsonschema.NonEmpty(m.schema.Node)
		switch {
		case written == nil:
			found = append(found, schemaLoss(m.schema, m.subject+" is not published: a card cannot hold the empty values in it"))
		case written.Is(source.Object):
			params.Set(m.key, written)
		}
		if lost > 0 {
			found = append(found, schemaLoss(m.schema, fmt.Sprintf(
				"%s is published without its defaults and examples that hold empty values (%d)", m.subject, lost)).
				WithSeverity(diag.Info))
		}
	}
	if len(params.Members) == 0 {
		return nil, found
	}
	return params, found
}

// schemaLoss reports what a card cannot hold: readers drop null, "", [] and {} before they
// check a signature.
func schemaLoss(s mapping.Schema, message string) diag.Diagnostic {
	return diag.New(diag.ProtocolLoss, s.Node.Span, "%s", message).WithPointer(s.Pointer)
}

func at(pointer string) string {
	if pointer == "" {
		return ""
	}
	return " at " + diag.Quote(pointer)
}

// publishSchemas declares the extension that holds the schemas of the skills of
// this card.
func (d *agentCard) publishSchemas(params map[string]*source.Node) {
	own := &source.Node{Kind: source.Object}
	for _, s := range d.skills {
		if p := params[s.ID]; p != nil {
			own.Set(s.ID, p)
		}
	}
	if len(own.Members) == 0 {
		return
	}
	d.card.Capabilities.Extensions = append(slices.Clone(d.card.Capabilities.Extensions), schema.Extension{
		URI:         schema.SkillSchemas,
		Description: "JSON Schemas of what skills take and give, by the id of the skill.",
		Params:      own,
	})
}
