package generate

import (
	"context"
	"fmt"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/jsonschema"
	"cardwright/internal/parallel"
	"cardwright/internal/secret"
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
	err := parallel.All(verdicts, func(v *verdict) error {
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
		w.report(diag.New("config-unmatched", firstPlace(w.agent.Node, "/skills/publishSchemas"),
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
		found = append(found, vet(m.schema, m.subject)...)
		if !publish || found.Worst() == diag.Error {
			continue
		}
		out, lost := jsonschema.Publishable(m.schema.Node)
		severity := diag.Info
		if out == nil {
			severity = diag.Warning
			m.subject += " is not published"
		} else {
			params.Set(m.key, out)
		}
		for _, f := range lost {
			found = append(found, schemaFinding(m.schema, f, severity, m.subject+": "+f.Message))
		}
	}
	if len(params.Members) == 0 {
		return nil, found
	}
	return params, found
}

// vet judges one schema.
func vet(s mapping.Schema, subject string) diag.List {
	var found diag.List
	faults := jsonschema.Vet(s.Node)
	for _, f := range faults {
		severity, message := diag.Warning, subject+": "+f.Message
		if f.Rule == ruleSchemaInvalid {
			severity, message = diag.Error, fmt.Sprintf("%s is invalid%s: %s", subject, at(f.Pointer), f.Message)
		}
		found = append(found, schemaFinding(s, f, severity, message))
	}
	if found.Worst() == diag.Error {
		return found
	}
	for _, sample := range jsonschema.Samples(s.Node) {
		if match, ok := secret.InMember(sample.Name, sample.Text); ok {
			f := jsonschema.Fault{Rule: "source-schema-quality", Pointer: sample.Pointer, Hint: "use a made-up value instead"}
			found = append(found, schemaFinding(s, f, diag.Warning,
				fmt.Sprintf("%s shows what looks like %s%s", subject, match.What, at(f.Pointer))))
		}
	}
	return found
}

// ruleSchemaInvalid is the rule about schemas that must not be used.
const ruleSchemaInvalid = "source-schema-invalid"

func at(pointer string) string {
	if pointer == "" {
		return ""
	}
	return " at " + diag.Quote(pointer)
}

func schemaFinding(s mapping.Schema, f jsonschema.Fault, severity diag.Severity, message string) diag.Diagnostic {
	return diag.New(f.Rule, nodePlace(s.Node, f.Pointer), "%s", message).WithSeverity(severity).
		WithPointer(s.Pointer + f.Pointer).WithHint(f.Hint)
}

// publishSchemas declares the extension that holds the schemas of the skills of
// this card.
func (d *draft) publishSchemas(params map[string]*source.Node) {
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
