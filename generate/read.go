package generate

import (
	"context"
	"errors"
	"fmt"
	"path"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// read finds the sources of the agent, maps what they hold into skills, and
// makes the ids unique: skills of the configuration itself come last.
func read(ctx context.Context, w *work) error {
	var skills []mapping.Skill
	var silent []config.Source // gave nothing, and no reason
	for _, src := range w.agent.Skills.From {
		tree, err := w.Open(src.Path)
		if err != nil {
			w.report(diag.New("config-value", src.Span, "the source %s cannot be read: %s", diag.Quote(src.Path), source.Reason(err)))
			continue
		}
		tree.meter = w.meter
		g, err := formatOf(src).read(ctx, w, tree, src)
		if err != nil {
			return err
		}
		if w.meter.empty() {
			return errTooMuchRead
		}
		w.report(g.found...)
		w.brought = append(w.brought, g.brought)
		if skills == nil {
			skills = g.skills // there may be very many, and they are large
		} else {
			skills = append(skills, g.skills...)
		}
		if len(g.skills) == 0 && g.found.Worst() < diag.Warning {
			silent = append(silent, src)
		}
	}
	skills = append(skills, w.agent.Skills.Add...)
	w.unread = w.found.worst() == diag.Error
	kept, found := collide(skills, w.agent.Skills.From)
	w.report(found...)
	w.skills = kept
	if len(kept) > 0 { // else the agent as a whole is reported
		for _, src := range silent {
			w.report(diag.New("source-empty", src.Span, "no skill was found in %s", diag.Quote(src.Path)).WithSeverity(diag.Warning))
		}
	}
	return nil
}

// gathered is what one source gave.
type gathered struct {
	skills  []mapping.Skill
	brought mapping.Brought
	found   diag.List
}

func (w *work) readOptions(src config.Source) readOptions {
	return readOptions{
		SkillOptions: mapping.SkillOptions{RespectInvocation: src.RespectInvocation},
		Limits:       w.Config.Limits,
		NoRepair:     w.Strict,
		TagsFromPath: w.agent.Skills.TagsFromPath,
	}
}

// only reads a source that is one file.
func (w *work) only(tree Tree, src config.Source) (*source.Node, diag.List) {
	root, found, err := w.document(tree, tree.Root)
	if err != nil {
		return nil, diag.List{unusableSource(src, source.Reason(err))}
	}
	return root, found
}

// part reads one of the files of a source. What is wrong in it leaves out no
// more than that file.
func (w *work) part(tree Tree, name string) (*source.Node, diag.List) {
	root, found, err := w.document(tree, name)
	if err != nil {
		return nil, diag.List{unreadable(tree.Show(name), source.Reason(err))}
	}
	for i := range found {
		if found[i].Rule == ruleInvalid {
			found[i].Severity = diag.Warning
		}
		if root == nil {
			found[i].Message += "; the file is left out of the card"
		}
	}
	return root, found
}

// ruleInvalid is the rule about files that are not what their source says.
const ruleInvalid = "source-invalid"

// document reads a file within the bound for a source: JSON, or YAML where its
// name does not end in .json. The tree is nil when there are errors.
func (w *work) document(tree Tree, name string) (*source.Node, diag.List, error) {
	limits := w.Config.Limits.WithDefaults()
	data, found, err := bounded(tree, name, limits.Source, "source")
	if data == nil {
		return nil, found, err
	}
	if path.Ext(name) != ".json" {
		root, found := source.ParseYAML(tree.Show(name), data, ruleInvalid, limits)
		return root, found, nil
	}
	limits.Card = limits.Source
	root, found := source.ParseJSON(tree.Show(name), data, limits)
	for i := range found {
		found[i].Rule = ruleInvalid
	}
	return root, found, nil
}

// bounded reads a file of at most limit bytes. A larger one gives a finding
// that names the bound, and no data.
func bounded(tree Tree, name string, limit int, bound string) ([]byte, diag.List, error) {
	data, err := source.ReadFile(tree.FS, name, limit)
	tree.meter.take(len(data))
	if large := (*source.TooLargeError)(nil); errors.As(err, &large) {
		return nil, diag.List{diag.New("source-bound", diag.Span{File: tree.Show(name)}, "the file has more than %d bytes, the bound for a %s", limit, bound).
			WithHint(fmt.Sprintf("raise the bound with --limit %s=N", bound))}, nil
	}
	return data, nil, err
}
