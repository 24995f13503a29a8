package mapping

import (
	"context"
	"io/fs"

	"cardwright/internal/diag"
	"cardwright/schema"
)

// SourceType is a kind of source of skills, as the configuration spells it.
type SourceType string

// Source is one place that skills are read from.
//
//	from: [{type: skills, path: skills, flat: true}, {type: card, path: old/agent-card.json, whole: true}]
type Source struct {
	// Kind of source.
	Type SourceType `key:"type" required:"true" enum:"*sources"`
	// The directory or file that the source is read from.
	Path string `key:"path" required:"true" format:"slash-path"`
	// Also read `*.md` files directly in path that have a name and a description.
	Flat bool `key:"flat" for:"skills"`
	// Paths below path to leave out; `*` matches within one directory, `**` across directories.
	Exclude []string `key:"exclude" for:"skills plugin packs forge fast-agent"`
	// The tools and the description are read from .forge-output/agent.json, where forge build writes what
	// it finds in the code.
	Built bool `key:"built" for:"forge"`
	// The server requires tokens of Hugging Face: the card and each skill require hf_bearer.
	Bearer bool `key:"bearer" for:"fast-agent"`
	// Also read what the agent does not set: name, description, version, provider, URLs, interfaces,
	// capabilities, modes and security.
	Whole bool `key:"whole" for:"card"`

	Span diag.Span `key:"path"` // of the path
	base string    // the directory that links may lead into, "" for that of the path
}

// Format is a kind of source. A new one needs a row in [Formats], a file with its
// reader, an example project in testdata/workspaces, and a page in docs/sources.
type Format struct {
	Type  SourceType
	Title string // what a source of it is: "Capability packs."
	Path  string // what its path names: "The file"
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
	read  func(ctx context.Context, r *Reader, tree Tree, src Source) (Gathered, error)
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
