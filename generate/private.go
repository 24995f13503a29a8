package generate

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
	"cardwright/mapping"
)

// divide decides on which cards the skills are.
func (w *work) divide(overlaid map[string]Trace) (public, extended []*mapping.Skill) {
	public, extended, shown := w.choose(overlaid)
	for i := range w.private {
		if home, ok := w.homes[w.private[i].Origin.File]; ok {
			w.private[i].home = &home
		}
	}
	if !w.publishes() {
		w.homes = nil
	}
	if len(w.Config.Agents) > 1 && w.elsewhere == nil {
		if w.forgets = w.room != nil && w.room.Add(-int64(len(shown))) < 0; !w.forgets {
			w.shown = shown
		}
	}
	return public, extended
}

// mostTraces is how many traces of shown skills, of half a kilobyte, stay in memory until
// it is known what other agents keep private.
const mostTraces = 8_000

// keepPrivate makes the agents again that may show what another agent keeps private.
// Most often there are none, so no agent waits to know what the others keep private.
func (r *run) keepPrivate(ctx context.Context) error {
	r.meter = walk.NewMeter(r.Config.Limits)
	r.guard(r.agents)
	err := parallel.All(r.agents, func(w *work) error {
		shown := w.shown
		if w.forgets && len(r.private.byMark) > 0 {
			again := r.work(w.agent)
			again.room = nil
			if err := again.look(ctx); err != nil {
				return err
			}
			shown = again.shown
		}
		w.shows = slices.ContainsFunc(shown, func(t Trace) bool { return r.private.Match(t) != nil })
		w.shown = nil
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	var again []*work
	for i, w := range r.agents {
		if w.shows {
			r.agents[i] = r.work(w.agent)
			r.agents[i].elsewhere = &r.private
			again = append(again, r.agents[i])
		}
	}
	err = r.make(ctx, again)
	for _, w := range again { // which now has copies of what others keep private
		r.veiled = append(r.veiled, w.private...)
	}
	return err
}

// guard keeps from everybody what the agents keep private.
func (r *run) guard(agents []*work) {
	for _, w := range agents {
		r.private.Add(w.private...)
		r.veiled = append(r.veiled, w.private...)
	}
}

// look reads the skills of the agent as far as that tells what it shows and what it
// keeps private.
func (w *work) look(ctx context.Context) error {
	if err := read(ctx, w); err != nil {
		return err
	}
	overlaid := w.overlay()
	w.stopgaps()
	w.divide(overlaid)
	w.skills, w.brought, w.found = nil, nil, nil
	return nil
}

// privateTool reports whether a tool of an MCP server is private as a skill, which is
// a finding.
func (r *run) privateTool(tool *mapping.Skill) bool {
	trace := traceOf(tool)
	kept := r.private.Match(trace)
	if kept == nil {
		return false
	}
	r.veiled = append(r.veiled, trace.veiled(tool))
	r.report(diag.New("source-excluded", tool.Origin, "the tool %s is not listed: %s",
		diag.Quote(tool.ID), kept.why()).WithSeverity(diag.Warning).
		WithRelated(diag.Related{Span: kept.Origin, Message: "the skill of that agent"}))
	return true
}

// checkWords reports what would become public of private skills by another way than as
// skills: their texts in the members of cards and lists, and their files and texts among
// the files of published skills.
func checkWords(r *run) error {
	if len(r.private.byMark) == 0 {
		return nil
	}
	seen := map[string]bool{} // texts that lists repeat
	for _, f := range r.result.Public {
		if _, ofSkill := discovery.FileOfSkill(f.Path); !ofSkill {
			r.checkTexts(f, Trace{Visibility: mapping.Public}, seen)
		}
	}
	for _, f := range r.result.Private {
		r.checkTexts(f, Trace{Visibility: mapping.Extended, Agent: f.Agent}, map[string]bool{})
	}
	title := tree.File{Path: tree.PagePath} // which else has what the cards have
	r.checkText(title, "/title", r.Config.Title, Trace{Visibility: mapping.Public}, seen)
	for _, w := range r.agents {
		for _, s := range w.bundles {
			r.privateFiles(w, s)
		}
	}
	return nil
}

// checkTexts judges the members of a file, which are as visible as a trace says.
func (r *run) checkTexts(f tree.File, as Trace, seen map[string]bool) {
	if !strings.HasSuffix(f.Path, ".json") {
		return
	}
	root, _ := source.ParseJSON(f.Path, f.Data, source.Limits{})
	each(root, "", func(pointer string, n *source.Node) { r.checkText(f, pointer, n.Text, as, seen) })
}

// checkText judges a text, once.
func (r *run) checkText(f tree.File, pointer, text string, as Trace, seen map[string]bool) {
	if len(text) < telling || seen[text] {
		return
	}
	seen[text] = true
	as.Texts = []string{text}
	if kept := cmp.Or(r.private.Match(as), r.filesOfPrivate().sentences.Match(as)); kept != nil {
		r.privateWords(f, pointer, text, kept)
	}
}

// each calls f for each text in n.
func each(n *source.Node, pointer string, f func(pointer string, n *source.Node)) {
	if n.Is(source.String) {
		f(pointer, n)
	}
	for _, m := range n.Fields() {
		each(m.Value, pointer+"/"+m.Key, f)
	}
	for i, item := range n.Elements() {
		each(item, pointer+"/"+strconv.Itoa(i), f)
	}
}

// privateWords reports a member of a file whose text has words of a private skill, at
// the text of the configuration that it comes from, or at its agent.
func (r *run) privateWords(f tree.File, pointer, text string, kept *Trace) {
	d := diag.New("text-private", r.Config.Node.Span, "%s of %s has the words of the skill %s, but %s",
		pointer, diag.Quote(f.Path), diag.Quote(kept.ID), kept.why()).WithPointer(pointer).
		WithHint("write another text, or make the skill public").
		WithRelated(diag.Related{Span: kept.Origin, Message: "the skill"})
	rules := r.Config.Rules
	text = mapping.Plain(text)
	placed := false
	in := func(n *source.Node) {
		each(n, "", func(_ string, n *source.Node) {
			if !placed && n.Span.File != "" && len(n.Text) >= telling && strings.Contains(text, mapping.Plain(n.Text)) {
				d.Span, placed = n.Span, true
			}
		})
	}
	for _, w := range r.agents {
		if placed || f.Agent != "" && w.agent.ID != f.Agent {
			continue
		}
		in(w.agent.Node)
		if !placed && f.Agent != "" {
			d.Span = w.agent.Node.Span
		}
		if placed || f.Agent != "" {
			rules, d.Owner = w.agent.Rules, w.agent.Owner
			if len(r.Config.Agents) > 1 {
				d.Agent = w.agent.ID
			}
		}
	}
	in(r.Config.Node)
	d.Secret = true
	r.veiled = append(r.veiled, Trace{ID: kept.ID, Texts: kept.Texts, Lines: []diag.Span{d.Span}})
	r.report(counted(rules, diag.List{d})...)
}

// privateFiles reports the files of a published skill that are those of a private one,
// or have the text of one, or half of it.
func (r *run) privateFiles(w *work, s discovery.Skill) {
	files := r.filesOfPrivate()
	for _, f := range s.Files {
		kept := files.same[string(f.Data)]
		if texts, whole := secret.Texts(f.Data); kept == nil && whole {
			kept = cmp.Or(r.private.showing(texts...), files.bodies.showing(texts...), files.half(texts[0]))
		}
		if kept == nil {
			continue
		}
		at := path.Join(path.Dir(s.Span.File), f.Path)
		r.veiled = append(r.veiled, Trace{ID: kept.ID, Texts: kept.Texts, Lines: []diag.Span{diag.Top(at)}})
		d := diag.New("agent-skills-file", diag.Top(at), "the file has the text of the skill %s: %s", diag.Quote(kept.ID),
			kept.why()).WithHint("move it out of the published skill").
			WithRelated(diag.Related{Span: kept.Origin, Message: "that skill"})
		d.Owner, d.Secret = w.agent.Owner, true
		r.report(d)
	}
}

// privateFileSet are the files of the private skills, by what is in them.
type privateFileSet struct {
	same      map[string]*Trace
	bodies    Private // the texts of their SKILL.md, without headers
	sentences Private // of these
}

// sentencesOf returns the sentences and lines of a text that are long enough to tell
// where they come from.
func sentencesOf(text string) []string {
	const least = fewestParts * partLength
	return slices.DeleteFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n\r", r) }),
		func(s string) bool { return len([]rune(mapping.Plain(s))) < least })
}

// half returns the private skill that a text has half of the sentences of.
func (p *privateFileSet) half(text string) *Trace {
	shown := map[*Trace]int{}
	for _, s := range sentencesOf(text) {
		kept := p.sentences.showing(s)
		if kept == nil {
			continue
		}
		if shown[kept]++; 2*shown[kept] >= len(kept.Texts) {
			return kept
		}
	}
	return nil
}

// filesOfPrivate reads the files of private skills: each SKILL.md, and what is as long as
// a file that would be published.
func (r *run) filesOfPrivate() *privateFileSet {
	if r.privateSet != nil {
		return r.privateSet
	}
	set := &privateFileSet{same: map[string]*Trace{}, sentences: Private{Others: true}}
	r.privateSet = set
	sizes := map[int64]bool{}
	for _, w := range r.agents {
		for _, s := range w.bundles {
			for _, f := range s.Files {
				if len(f.Data) >= telling && !isLicense(f.Path) {
					sizes[int64(len(f.Data))] = true
				}
			}
		}
	}
	seen := map[string]bool{}
	for i := range r.veiled {
		if t := &r.veiled[i]; t.home != nil && !seen[t.Origin.File] {
			seen[t.Origin.File] = true
			set.add(t, sizes, r.Config.Limits.WithDefaults().Source)
		}
	}
	return set
}

// add adds the files of a skill.
func (p *privateFileSet) add(t *Trace, sizes map[int64]bool, limit int) {
	take := func(name string) {
		data, err := files.ReadFile(t.home.Tree.FS, name, limit)
		if err != nil {
			return // what cannot be read is not published either
		}
		if p.same[string(data)] == nil {
			p.same[string(data)] = t
		}
		if name == t.home.Name {
			body := *t
			body.Description, body.Texts = afterHeader(data), nil
			p.bodies.Add(body)
			body.Description, body.Texts = "", sentencesOf(afterHeader(data))
			p.sentences.Add(body)
		}
	}
	dir := path.Dir(t.home.Name)
	if dir == "." || len(sizes) == 0 {
		take(t.home.Name)
		return
	}
	_ = fs.WalkDir(t.home.Tree.FS, dir, func(name string, e fs.DirEntry, err error) error {
		info := fs.FileInfo(nil)
		if err == nil && e.Type().IsRegular() {
			info, err = e.Info()
		}
		if err == nil && info != nil && (name == t.home.Name || sizes[info.Size()] && !isLicense(name)) {
			take(name)
		}
		return nil // what cannot be read is not published either
	})
}

// afterHeader is the text of a SKILL.md.
func afterHeader(data []byte) string {
	_, rest, _ := strings.Cut(string(data), "\n---")
	return rest
}

// isLicense reports whether a file has by its name what many share.
func isLicense(name string) bool {
	name = strings.ToLower(path.Base(name))
	return slices.ContainsFunc([]string{"license", "licence", "notice", "copying"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
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

var quotation = parallel.Regexp(`"(?:[^"\\]|\\.)*"`)

// unquoted returns a message without its quotations of private skills, whose ids may
// be told.
func unquoted(message string, private []Trace) string {
	if len(private) == 0 {
		return message
	}
	return quotation().ReplaceAllStringFunc(message, func(quoted string) string {
		text, err := strconv.Unquote(quoted)
		text = strings.TrimSuffix(text, "…")
		for _, t := range private {
			if err == nil && text != t.ID && t.says(text) {
				return `"…"`
			}
		}
		return quoted
	})
}
