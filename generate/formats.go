package generate

import (
	"context"
	"io/fs"

	"cardwright/internal/config"
)

// Format is a kind of source. A new one needs a row in [Formats], a file with its
// reader, an example project in testdata/workspaces, and a page in docs/sources;
// the schema of the configuration follows.
type Format struct {
	Type  config.SourceType
	Title string // what a source of it is: "Capability packs."
	Path  string // what its path names: "The file"
	Keys  []Key  // that it has, besides type and path
	// Detect tells whether a file or directory is part of a source of it, and what
	// the path of the source is.
	Detect func(root fs.FS, name string, d fs.DirEntry) (path string, ok bool)

	usage        string // the hint where it cannot be read
	skillFiles   bool   // a SKILL.md in it makes a skill
	servesAtBase bool   // its interfaces follow from baseUrl
	read         func(ctx context.Context, w *work, tree Tree, src config.Source) (gathered, error)
}

// Key is a key of a source in the configuration.
type Key struct {
	Name string
	Doc  string // "" where it means what it means for skills
}

// The kinds of source that other code speaks about.
const (
	SkillFiles   config.SourceType = "skills"
	Forge        config.SourceType = "forge"
	FastAgent    config.SourceType = "fast-agent"
	ExistingCard config.SourceType = "card"
)

// Formats are all kinds of source, in the order in which help names them.
func Formats() []Format {
	return []Format{
		skillsFormat(),
		mcpFormat(),
		packsFormat(),
		forgeFormat(),
		fastAgentFormat(),
		cardFormat(),
	}
}

// formatOf returns the format of a source. One without a type, which only flags
// can name, is a directory of skills.
func formatOf(src config.Source) Format {
	for _, f := range Formats() {
		if f.Type == src.Type {
			return f
		}
	}
	return skillsFormat()
}

// undetected is for formats of which nothing is known by its name alone.
func undetected(fs.FS, string, fs.DirEntry) (string, bool) { return "", false }
