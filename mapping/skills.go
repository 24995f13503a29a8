package mapping

import (
	"context"
	"io"
	"math"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
	"cardwright/schema"
)

// readSkillFiles reads directories of SKILL.md. Skills come in the order in which they win
// over others of their id. Each file that gives none is named in a finding.
func readSkillFiles(ctx context.Context, r *Reader, tree Tree, src Source) (Gathered, error) {
	type result struct {
		file  Match
		at    precedence
		skill *Skill
		found diag.List
	}
	var results []*result
	var found diag.List
	search := func(yield func(*result) bool) {
		found = findSkills(tree, src, func(f Match) bool {
			one := &result{file: f, at: precedenceOf(tree.Relative(f.Name))}
			results = append(results, one)
			return yield(one)
		})
	}
	err := files.Work(search, func(_ int, one *result) error {
		one.skill, one.found = r.readSkill(tree, one.file)
		return ctx.Err()
	})
	if err != nil {
		return Gathered{}, err
	}
	slices.SortFunc(results, func(a, b *result) int { return a.at.compare(b.at) })
	skills := make([]Skill, 0, len(results))
	var categories []string
	for i, one := range results {
		found = append(found, one.found...)
		if one.skill != nil {
			skills = append(skills, *one.skill)
			categories = append(categories, category(tree.Relative(one.file.Name)))
			r.noteSkillDir(tree, one.file)
		}
		results[i] = nil // its memory is needed for the next ones
	}
	several := slices.ContainsFunc(categories, func(c string) bool { return c != categories[0] })
	for i, tag := range categories {
		if several && skills[i].Fallback && tag != "" {
			skills[i].Tags = []string{tag}
		}
	}
	return Gathered{Skills: skills, Found: found}, nil
}

// noteSkillDir notes where a skill lies that has a directory of its own.
func (r *Reader) noteSkillDir(tree Tree, f Match) {
	if r.SkillDirs != nil && IsSkillName(path.Base(f.Name)) {
		r.SkillDirs[f.Path] = SkillDir{tree, f.Name}
	}
}

// category is the name of the directory that holds the directory of a skill, in a source
// that has it by its path; "" where that says nothing of the skill.
func category(name string) string {
	dir := path.Base(path.Dir(path.Dir(name)))
	if !validID(dir) || slices.Contains([]string{
		"agents", "app", "assets", "commands", "lib", "main", "packages", "plugins", "resources", "skill", "skills", "src",
	}, dir) {
		return ""
	}
	return dir
}

// readSkill reads one skill. The last finding about a file that gives none says
// so.
func (r *Reader) readSkill(tree Tree, f Match) (skill *Skill, found diag.List) {
	header, found := r.readHeader(tree, f, io.Discard)
	switch {
	case header == nil && f.Flat:
		found = slices.DeleteFunc(found, isNoSkill)
	case header == nil:
	case f.Flat && (present(header.Get("name")) == nil || present(header.Get("description")) == nil):
		return nil, diag.List{noSkill(f, "it has no name or no description")}
	default:
		var more diag.List
		skill, more = agentSkill(header, f)
		found = append(found, more...)
	}
	if last := len(found) - 1; skill == nil && last >= 0 {
		found[last] = found[last].LeavesOut()
	}
	return skill, found
}

// readHeader reads the header of a Markdown file, nil when it has none that can
// be read. The part of the file that is read, up to the end of the header at least,
// goes to raw as well.
func (r *Reader) readHeader(tree Tree, f Match, raw io.Writer) (header *source.Node, found diag.List) {
	file, err := tree.FS.Open(f.Name)
	if err != nil {
		return nil, diag.List{unreadable(f.Path, files.Reason(err))}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, diag.List{unreadable(f.Path, files.Reason(err))}
	}
	if !info.Mode().IsRegular() {
		return nil, diag.List{unreadable(f.Path, "it is "+files.FileKind(info.Mode()))}
	}
	read := &io.LimitedReader{R: file, N: math.MaxInt64}
	options := source.FrontmatterOptions{NoRepair: r.NoRepair}
	header, found = source.ReadFrontmatter(io.TeeReader(read, raw), f.Path, options)
	size := int(math.MaxInt64 - read.N)
	if header != nil {
		size = schema.Size(header)
	}
	tree.Budget.Header(size)
	return header, found
}

// noSkill names a file that is no fault, and no skill either.
func noSkill(f Match, why string) diag.Diagnostic {
	return diag.New(ruleFlat, diag.Top(f.Path), "the file is ignored: %s", why)
}

// ruleFlat is about Markdown files that were looked at and hold no skill.
const ruleFlat = diag.SourceExcluded

// isNoSkill reports whether a finding is no fault in a file that was only
// looked at because its name ends in .md.
func isNoSkill(d diag.Diagnostic) bool { return d.Rule == diag.SourceFrontmatterMissing }

func unreadable(file, why string) diag.Diagnostic {
	return diag.New(diag.SourceUnreadable, diag.Span{File: file}, "the file cannot be read: %s", why)
}
