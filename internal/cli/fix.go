package cli

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/safefile"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// fix repairs what has one right answer in the files that were judged, and tells
// whether there was anything.
func (a *app) fix(run *outcome, o *lintOptions) (bool, error) {
	limits, err := project.ParseLimits(o.limits)
	if err != nil {
		return false, err
	}
	fixed := 0
	put := func(name string, before, after []byte) error {
		fixed++
		if o.preview {
			lines := publish.Difference(name, name+" (fixed)", before, after)
			for i := range lines {
				lines[i] = secret.MaskText(lines[i])
			}
			return report.Unified(a.Out, lines, a.colored(a.Out))
		}
		if _, err := run.space.Write("--fix", name, after, false); err != nil {
			return err
		}
		if !a.quiet {
			a.talk("fixed " + name)
		}
		return nil
	}
	if len(o.Sources) == 0 {
		err = a.fixHeaders(run, limits, put)
	} else {
		err = a.fixCards(run, o, limits, put)
	}
	if err == nil && !a.quiet && o.preview {
		a.talk("dry run: " + diag.Count(fixed, "file") + " to fix, nothing is written")
	}
	return fixed > 0, err
}

// fixHeaders repairs the headers of the SKILL.md files that have findings.
func (a *app) fixHeaders(run *outcome, limits source.Limits, put func(name string, before, after []byte) error) error {
	var names []string
	for _, d := range run.Found {
		told := len(names) > 0 && names[len(names)-1] == d.Span.File // findings are sorted by file
		if slices.Contains([]string{"source-yaml-repaired", "source-frontmatter-opening"}, d.Rule) && !told {
			names = append(names, d.Span.File)
		}
	}
	for _, name := range names {
		tree, err := run.space.Given(name)
		if err != nil {
			continue // it was read a moment ago, and the next run says why it is not
		}
		before, err := safefile.ReadFile(tree.FS, tree.Root, limits.WithDefaults().Card)
		if err != nil {
			continue
		}
		if after, ok := source.FixFrontmatter(name, before, limits); ok {
			if err := put(name, before, after); err != nil {
				return err
			}
		}
	}
	return nil
}

// fixCards repairs the cards that the command line names. One of an output tree
// is made from sources, and stays as it is.
func (a *app) fixCards(run *outcome, o *lintOptions, limits source.Limits,
	put func(name string, before, after []byte) error,
) error {
	reader := a.reader(run.space, limits)
	for _, name := range o.Sources {
		if name == "-" {
			return usageError("cardwright convert - prints a clean card", "--fix needs files, and stdin is not one")
		}
		files, _ := reader.Find(name)
		for _, f := range files {
			after, ok := reader.Fix(f)
			if !ok {
				continue
			}
			if dir, _, inTree := reader.OutputTree(f.Name); inTree {
				if !a.quiet {
					a.talk(f.Path() + " is not fixed: it is part of the generated tree " + dir +
						"; fix its sources and generate again")
				}
				continue
			}
			if err := put(f.Path(), f.Data, after); err != nil {
				return err
			}
		}
	}
	return nil
}
