package cli

import (
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/dialect"
	"cardwright/internal/diff"
	"cardwright/internal/edition"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/secret"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// check compares the trees with what is on disk.
func (a *app) check(run *built, trees []outTree) error {
	changed := map[string]bool{}
	var drifted diag.List
	var meaning []diff.Comparison
	for _, t := range trees {
		drift, found := publish.Check(t.dir, t.files, t.options)
		run.found = append(run.found, found...)
		if found.Worst() == diag.Error {
			continue
		}
		for _, c := range drift {
			changed[t.key(c.Path)] = true
		}
		means := t.meaning(drift)
		meaning = append(meaning, means...)
		drifted = append(drifted, t.drifted(drift, means)...)
		if run.options.format == "text" {
			if err := a.tellDrift(t, drift, means); err != nil {
				return err
			}
		}
	}
	shown := run.found.Sorted() // people see the drift as differences
	run.found = append(run.found, drifted...).Sorted()
	code := exitOK
	if len(drifted) > 0 {
		code = exitFindings
		if run.options.format == "text" {
			a.talk("the files on disk are out of date; cardwright generate brings them up to date")
		}
	}
	if shown.Worst() == diag.Error {
		code = max(code, outputCode(shown))
	}
	if code == exitOK {
		// No drift, no output: what there is to say of the sources generate says.
		shown = slices.DeleteFunc(shown, func(d diag.Diagnostic) bool { return d.Rule != "signing-key-missing" })
	}
	extra := append([]source.Member{cards(run, changed)}, report.ChangeMembers(printable(meaning), diff.Asked(meaning))...)
	if err := a.emit(run, shown, extra...); err != nil {
		return err
	}
	return done(code)
}

// tellDrift prints for people how a tree on disk departs from what is generated:
// first what that means to clients.
func (a *app) tellDrift(t outTree, drift publish.Drift, means []diff.Comparison) error {
	if err := a.tellDifference(printable(means), diff.Asked(means), diff.Breaking); err != nil {
		return err
	}
	for _, line := range drift.Lines(t.dir.Name) {
		a.print(secret.MaskText(line))
	}
	return nil
}

// drifted are findings for programs, one for each file. That of a card says what
// the difference means to clients.
func (t outTree) drifted(drift publish.Drift, means []diff.Comparison) diag.List {
	found := drift.Findings(t.dir.Name)
	summaries := make(map[string]string, len(means))
	for _, m := range means {
		summaries[m.Agent] = report.Summary(m.Changes, m.Asked())
	}
	generated := t.byPath()
	for i, c := range drift {
		if !edition.IsCard(c.Path) {
			continue
		}
		if summary := summaries[agentOf(c.Path, generated[c.Path])]; summary != "" {
			found[i].Message += ": " + summary
		}
	}
	return found
}

// agentOf is the id of the agent that a file belongs to, which is generated or
// nil. What is no longer generated has it in its path, if anywhere.
func agentOf(file string, generated *tree.File) string {
	if generated != nil {
		return generated.Agent
	}
	return strings.TrimSuffix(path.Dir(file), "/.well-known")
}

// byPath returns the files of the tree by their paths.
func (t outTree) byPath() map[string]*tree.File {
	files := make(map[string]*tree.File, len(t.files))
	for i := range t.files {
		files[t.files[i].Path] = &t.files[i]
	}
	return files
}

// meaning compares the cards on disk with those that are generated, where they
// differ. One that cannot be read means nothing.
func (t outTree) meaning(drift publish.Drift) []diff.Comparison {
	if len(t.dir.Rest) > 0 {
		return nil
	}
	root, err := source.RootOf(t.dir.Root)
	if err != nil {
		return nil // there is no card in what cannot be opened
	}
	defer root.Close()
	before, after := edition.Readings{}, edition.Readings{}
	generated := t.byPath()
	for _, c := range drift {
		if !edition.IsCard(c.Path) {
			continue
		}
		var older, newer *dialect.Reading
		if data, err := source.ReadFile(root, c.Path, source.Limits{}.WithDefaults().Card); err == nil {
			older, _ = edition.Reading(c.Path, data, source.Limits{})
		}
		f := generated[c.Path]
		if f != nil {
			newer, _ = edition.Reading(c.Path, f.Data, source.Limits{})
		}
		if c.Kind == publish.Changed && (older == nil || newer == nil) {
			continue
		}
		agent := agentOf(c.Path, f)
		if older != nil {
			before[agent] = older
		}
		if newer != nil {
			after[agent] = newer
		}
	}
	return diff.Agents(before.Cards(), after.Cards())
}
