package mapping

import (
	"context"
	"io/fs"

	"cardwright/internal/diag"
	"cardwright/internal/walk"
	"cardwright/schema"
)

// SourceType is a kind of source of skills, as the configuration spells it.
type SourceType string

// Source is one entry of skills.from.
type Source struct {
	Type              SourceType `key:"type"`
	Path              string     `key:"path"`
	Nested            bool       `key:"nested"`
	Flat              bool       `key:"flat"`
	FollowSymlinks    bool       `key:"followSymlinks"`
	RespectInvocation bool       `key:"respectInvocation"`
	Bearer            bool       `key:"bearer"` // of fast-agent: the server asks for tokens
	Built             bool       `key:"built"`  // of Forge: what forge build found counts as well
	Whole             bool       `key:"whole"`  // of a card: it says more than its skills
	Exclude           []string   `key:"exclude"`
	Span              diag.Span  `key:"path"` // of the path
	// Given tells that the command line names it, and nobody has said what is in it that
	// is not meant: what stands aside is left out.
	Given bool
}

// Format is a kind of source. A new one needs a row in [Formats], a file with its
// reader, an example project in testdata/workspaces, and a page in docs/sources;
// the schema of the configuration follows.
type Format struct {
	Type  SourceType
	Title string // what a source of it is: "Capability packs."
	Path  string // what its path names: "The file"
	Keys  []key  // that it has, besides type and path
	// Files are the paths that its files usually have, below any directory: a
	// regular expression without anchors, as Go and Python read it. Hooks for
	// pre-commit wait for them.
	Files string
	// Detect reports whether a file or directory is part of a source of it, and what
	// the path of the source is.
	Detect func(root fs.FS, name string, d fs.DirEntry) (path string, ok bool)

	DescribesOnly bool            // it says what the agent is, and has no skills
	SkillFiles    bool            // a SKILL.md in it makes a skill
	ServesAtBase  bool            // its interfaces follow from baseUrl
	Speaks        schema.Protocol // what an endpoint speaks that names no version, zero for the newest

	usage string // the hint where it cannot be read
	read  func(ctx context.Context, r *Reader, tree walk.Tree, src Source) (Gathered, error)
}

// key is a key of a source in the configuration.
type key struct {
	Name string
	Doc  string // "" where it means what it means for skills
}

// The kinds of source that other code speaks about.
const (
	TypeSkills    SourceType = "skills"
	TypePlugin    SourceType = "plugin"
	TypePackage   SourceType = "package"
	TypeForge     SourceType = "forge"
	TypeFastAgent SourceType = "fast-agent"
	TypeCard      SourceType = "card"
)

// Formats are all kinds of source, in the order in which help names them.
func Formats() []Format {
	var all []Format
	for _, format := range formats() {
		all = append(all, format())
	}
	return all
}

func formats() []func() Format {
	return []func() Format{
		skillsFormat, pluginFormat, packageFormat, mcpFormat, packsFormat, forgeFormat, fastAgentFormat, cardFormat,
	}
}

// FormatOf returns the format of a source. One without a type, which only flags
// can name, is a directory of skills.
func FormatOf(src Source) Format {
	for _, format := range formats() {
		if f := format(); f.Type == src.Type {
			return f
		}
	}
	return skillsFormat()
}

// undetected is for formats of which nothing is known by its name alone.
func undetected(fs.FS, string, fs.DirEntry) (string, bool) { return "", false }
