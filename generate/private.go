package generate

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// shown is a skill on a card: how public it is there, and the marks by which its
// copies are found.
type shown struct {
	Mark
	level mapping.Visibility
}

// divide decides on which cards the skills are.
func (w *work) divide(overlaid map[string]Trace) (public, extended []*mapping.Skill) {
	d := Divide(w.skills, w.agent.Skills, Traces{
		Agent: w.agent.ID, Private: w.private, Overlaid: overlaid, Elsewhere: w.elsewhere,
	})
	w.report(d.Found...)
	w.private = d.Private
	if len(w.Config.Agents)+len(w.Config.Doubts) > 1 && w.elsewhere == nil {
		for _, t := range d.Shown {
			for _, doubt := range w.Config.Doubts { // a run for all fails for these files anyway
				if len(w.Agents) > 0 && doubt.Covers(t.Origin.File, t.Names()...) {
					w.doubted = append(w.doubted, t.Doubted(doubt.File))
				}
			}
			for _, m := range t.Marks() {
				w.shown = append(w.shown, shown{m, t.Visibility})
			}
		}
	}
	return d.Public, d.Extended
}

// keepPrivate makes the agents again that may show what another agent keeps private.
// Most often there are none, so no agent waits to know what the others keep private.
func (r *run) keepPrivate(ctx context.Context) error {
	r.meter = walk.NewMeter(r.Config.Limits)
	others, err := r.others(ctx)
	if err != nil {
		return err
	}
	doubt := r.work(nil) // a file of include that has errors
	for _, w := range r.agents {
		doubt.private = append(doubt.private, w.doubted...)
	}
	others = append(others, doubt)
	keepers := map[shown][]*work{} // two of them are enough
	for _, w := range slices.Concat(r.agents, others) {
		r.private.Add(w.private...)
		r.veiled = append(r.veiled, w.private...)
		for _, t := range w.private {
			for _, m := range t.Marks() {
				key := shown{m, t.Visibility}
				if n := len(keepers[key]); n == 0 || n == 1 && keepers[key][0] != w {
					keepers[key] = append(keepers[key], w)
				}
			}
		}
	}
	var again []*work
	for i, w := range r.agents {
		kept := func(s shown, level mapping.Visibility) bool {
			return s.level != level && slices.ContainsFunc(keepers[shown{s.Mark, level}], func(o *work) bool { return o != w })
		}
		if slices.ContainsFunc(w.shown, func(s shown) bool {
			return kept(s, mapping.Hidden) || s.level == mapping.Public && kept(s, mapping.Extended)
		}) {
			r.agents[i] = r.work(w.agent)
			r.agents[i].elsewhere = &r.private
			again = append(again, r.agents[i])
		}
		w.shown = nil
	}
	err = r.make(ctx, again)
	for _, w := range again { // which now has copies of what others keep private
		r.veiled = append(r.veiled, w.private...)
	}
	return err
}

// others reads the skills of the agents that the run leaves alone, as far as that
// tells what they keep private. What is wrong with them is their own business.
func (r *run) others(ctx context.Context) ([]*work, error) {
	var others []*work
	for i := range r.Config.Agents {
		if a := &r.Config.Agents[i]; len(r.Agents) > 0 && !slices.Contains(r.Agents, a.ID) {
			others = append(others, r.work(a))
		}
	}
	return others, parallel.All(others, func(w *work) error {
		if err := read(ctx, w); err != nil {
			return err
		}
		w.divide(w.overlay())
		w.skills, w.brought, w.found, w.shown = nil, nil, nil, nil
		return ctx.Err()
	})
}

// privateTool reports whether a tool of an MCP server is private as a skill, which is
// a finding.
func (r *run) privateTool(tool *mapping.Skill) bool {
	trace := TraceOf(tool)
	kept := r.private.Match(trace)
	if kept == nil {
		return false
	}
	r.veiled = append(r.veiled, trace.Veiled(tool))
	r.report(diag.New("source-excluded", tool.Origin, "the tool %s is not listed: %s",
		diag.Quote(tool.ID), kept.Why()).WithSeverity(diag.Warning).
		WithRelated(diag.Related{Span: kept.Origin, Message: "the skill of that agent"}))
	return true
}

// privateFiles reports the files of a published skill that are copies of a private
// one.
func (r *run) privateFiles(s discovery.Skill) diag.List {
	var found diag.List
	for _, f := range s.Files {
		if f.Path == discovery.SkillName || !bytes.HasPrefix(f.Data, []byte("---")) {
			continue // the skill itself has been judged with the others of its agent
		}
		file := path.Join(path.Dir(s.Span.File), f.Path)
		header, _ := source.ReadFrontmatter(bytes.NewReader(f.Data), file, source.FrontmatterOptions{Limits: r.Config.Limits})
		if header == nil {
			continue
		}
		skill, _ := mapping.SkillMD(header, mapping.SkillFile{File: walk.File{Path: file}}, mapping.SkillOptions{})
		if skill == nil {
			continue
		}
		trace := TraceOf(skill)
		if kept := r.private.Match(trace); kept != nil {
			r.veiled = append(r.veiled, trace.Veiled(skill))
			found = append(found, diag.New("agent-skills-file", diag.Top(file),
				"the file is a copy of the skill %s: %s", diag.Quote(kept.ID), kept.Why()).
				WithHint("move it out of the published skill").
				WithRelated(diag.Related{Span: kept.Origin, Message: "the skill of that agent"}))
		}
	}
	return found
}

// mostVeiled is how many private skills one line may name. More of them have their
// line hidden, and quotations of the first.
const mostVeiled = 16

// veil keeps what is private out of the findings about it: the line that they are at
// is not shown, and its texts are not quoted.
func (r *run) veil(found diag.List) {
	private := map[diag.Span][]Trace{} // by file and line
	place := func(at diag.Span) diag.Span {
		if strings.EqualFold(path.Ext(at.File), ".md") { // all of it is about one skill
			at.Line = 0
		}
		return diag.Span{File: at.File, Line: at.Line}
	}
	for _, t := range r.veiled {
		for _, at := range t.Lines {
			if at = place(at); len(private[at]) < mostVeiled {
				private[at] = append(private[at], t)
			}
		}
	}
	for i := range found {
		d := &found[i]
		traces := private[place(d.Span)]
		d.Secret = d.Secret || traces != nil
		for j, related := range d.Related {
			traces = append(slices.Clip(traces), private[place(related.Span)]...)
			d.Related[j].Message = unquoted(related.Message, traces)
		}
		d.Message, d.Hint = unquoted(d.Message, traces), unquoted(d.Hint, traces)
	}
}

var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// unquoted returns a message without its quotations of private skills, whose ids may
// be told.
func unquoted(message string, private []Trace) string {
	if len(private) == 0 {
		return message
	}
	return quotation.ReplaceAllStringFunc(message, func(quoted string) string {
		text, err := strconv.Unquote(quoted)
		text = strings.TrimSuffix(text, "…")
		for _, t := range private {
			if err == nil && text != t.ID && t.Says(text) {
				return `"…"`
			}
		}
		return quoted
	})
}
