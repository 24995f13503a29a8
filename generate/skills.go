package generate

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// readOptions says how skill files are read.
type readOptions struct {
	mapping.SkillOptions
	Limits   source.Limits
	NoRepair bool
}

// fewSkills is how many skills are read faster than others are set to work.
const fewSkills = 16

// readSkills reads the skills of the files, as they come, and returns them in
// the order of their paths. Each file that gives none is named in a finding.
func readSkills(ctx context.Context, tree Tree, files iter.Seq[skillFile], o readOptions) ([]mapping.Skill, diag.List, error) {
	type result struct {
		file  skillFile
		skill *mapping.Skill
		found diag.List
	}
	var results []*result
	err := parallel.Each(parallel.Hands{Alone: fewSkills}, func(yield func(*result) bool) {
		for f := range files {
			r := &result{file: f}
			results = append(results, r)
			if !yield(r) {
				return
			}
		}
	}, func(r *result) error {
		r.skill, r.found = readSkill(tree, r.file, o)
		return ctx.Err()
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(results, func(a, b *result) int { return strings.Compare(a.file.name, b.file.name) })
	skills := make([]mapping.Skill, 0, len(results))
	var found diag.List
	for i, r := range results {
		found = append(found, r.found...)
		if r.skill != nil {
			skills = append(skills, *r.skill)
		}
		results[i] = nil // its memory is needed for the next ones
	}
	pack(skills)
	return skills, found, nil
}

func readSkill(tree Tree, f skillFile, o readOptions) (*mapping.Skill, diag.List) {
	header, size, found := readHeader(tree, f, o, io.Discard)
	if f.flat {
		if header == nil {
			return nil, slices.DeleteFunc(found, isNoSkill)
		}
		if !hasText(header.Get("name")) || !hasText(header.Get("description")) {
			return nil, diag.List{leftOut(f, "it has no name or no description")}
		}
	}
	if header == nil {
		return nil, found
	}
	skill, more := mapping.SkillMD(header, f.SkillFile, o.SkillOptions)
	found = append(found, more...)
	if limit := o.Limits.WithDefaults().Source; skill != nil && size > int64(limit) {
		found = append(found, diag.Diagnostic{
			Rule:     "source-large",
			Severity: diag.Info,
			Message:  fmt.Sprintf("the file has %d bytes, more than %d, only its header is read", size, limit),
			Span:     top(f.Path),
		})
	}
	return skill, found
}

// readHeader reads the header of a Markdown file, nil when it has none that can
// be read, and tells how many bytes the file has. What is read of the file, up
// to the end of the header at least, goes to raw as well.
func readHeader(tree Tree, f skillFile, o readOptions, raw io.Writer) (header *source.Node, size int64, found diag.List) {
	file, err := tree.FS.Open(f.name)
	if err != nil {
		return nil, 0, diag.List{unreadable(f.Path, cause(err))}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, diag.List{unreadable(f.Path, cause(err))}
	}
	if !info.Mode().IsRegular() {
		return nil, 0, diag.List{unreadable(f.Path, "it is "+source.FileKind(info.Mode()))}
	}
	header, found = source.ReadFrontmatter(io.TeeReader(file, raw), f.Path, source.FrontmatterOptions{Limits: o.Limits, NoRepair: o.NoRepair})
	return header, info.Size(), found
}

// leftOut names a file that is no fault, and no skill either.
func leftOut(f skillFile, why string) diag.Diagnostic {
	return diag.Diagnostic{Rule: "source-flat", Severity: diag.Info, Message: "the file is left out: " + why, Span: top(f.Path)}
}

func hasText(n *source.Node) bool { return n.Scalar() && strings.TrimSpace(n.Text) != "" }

// isNoSkill tells of a finding that it is no fault in a file that was only
// looked at because its name ends in .md.
func isNoSkill(d diag.Diagnostic) bool { return d.Rule == "source-frontmatter-missing" }

func unreadable(file, why string) diag.Diagnostic {
	return diag.Diagnostic{Rule: "source-unreadable", Severity: diag.Warning, Message: "the file cannot be read: " + why, Span: diag.Span{File: file}}
}
