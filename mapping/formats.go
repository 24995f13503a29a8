package mapping

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

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
	base string    // the directory that links may lead into, "" for the path itself
	left *left     // why all of it is left out of the card, nil for what is read
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
	// the path of the source is; nil for what init finds otherwise.
	Detect func(root fs.FS, name string, d fs.DirEntry) (path string, ok bool)

	DescribesOnly bool            // it says what the agent is, and has no skills
	ServesAtBase  bool            // its interfaces follow from baseUrl
	Speaks        schema.Protocol // what an endpoint speaks that names no version, zero for the newest

	usage string  // the hint where it cannot be read
	keys  keyForm // how a header says something for A2A so that the source's own reader accepts the file
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
	return []Format{
		{
			Type: TypeSkills, Title: "Directories of SKILL.md.", Path: "A skill, or a directory to search for skills",
			usage: "a source of skills is a directory with skills, or one skill",
			Files: `(?i:skill\.md)|skills/.+`,
			read:  readSkillFiles,
		},
		{
			Type: TypePlugin, Title: "A plugin: plugin.json and the skills beside it.", Path: "The directory of the plugin",
			usage: "a plugin source is a directory with a plugin.json, or one that a marketplace.json above it lists",
			Files: `(plugin|marketplace|gemini-extension)\.json|agents/[^/]+\.md`,
			read:  readPlugin,
		},
		{
			Type: TypePackage, Title: "A manifest of a package: version, description and provider.",
			Path:          "The directory of the package",
			usage:         "a package source is a directory with package.json, pyproject.toml or Cargo.toml",
			Files:         `package\.json|pyproject\.toml|Cargo\.toml`,
			DescribesOnly: true,
			read:          readPackage,
		},
		{
			Type: "mcp", Title: "A saved answer of an MCP server to tools/list.", Path: "The file",
			usage:  "an mcp source is a file with the answer of a server to tools/list",
			Files:  `mcp/[^/]+\.json|[^/]*tools[^/]*\.json`,
			Detect: detectTools,
			read:   readTools,
		},
		{
			Type: "packs", Title: "Capability packs.", Path: "A pack, or a directory to search for packs",
			Files: `([^/]+\.)?` + packName + `\.(ya?ml|json)|index\.yaml`,
			usage: "a source of packs is a directory with " + packName + ".yaml files, or one such file",
			Detect: func(root fs.FS, name string, d fs.DirEntry) (string, bool) {
				stem := strings.TrimSuffix(d.Name(), path.Ext(name))
				if d.IsDir() || stem != packName || !isPackName(d.Name()) {
					return "", false
				}
				return marketplace(root, path.Dir(path.Dir(name))), true
			},
			read: readPacks,
		},
		{
			Type: TypeForge, Title: "A Forge project.", Path: "The directory with forge.yaml",
			usage:        "a forge source is a directory with a forge.yaml",
			Files:        `forge\.yaml|\.forge-output/agent\.json|skills/[^/]+\.md`,
			ServesAtBase: true,
			Speaks:       schema.V03,
			keys:         nestedKeys, // it drops a file with a text below metadata
			read:         readForge,
		},
		{
			Type: TypeFastAgent, Title: "Agent files of fast-agent.", Path: "An agent file, or a directory of them",
			keys:         noKeys, // it refuses files with keys that it does not know
			usage:        "a fast-agent source is a directory with agent files, or one such file",
			ServesAtBase: true,
			Files:        `agent-cards/[^/]+\.(?i:md|markdown|ya?ml)`,
			Detect: func(_ fs.FS, name string, d fs.DirEntry) (string, bool) {
				return name, d.IsDir() && strings.HasSuffix("/"+name, "/.fast-agent/agent-cards")
			},
			read: readFastAgent,
		},
		{
			Type: TypeCard, Title: "An existing agent card.", Path: "The file",
			usage: "a card source is a file with an agent card",
			Files: `agent([-_]card)?\.json`,
			read:  readCard,
		},
	}
}

// FormatOf returns the format of a source. One without a type, which only flags
// can name, is a directory of skills.
func FormatOf(src Source) Format {
	all := Formats()
	return all[max(0, slices.IndexFunc(all, func(f Format) bool { return f.Type == src.Type }))]
}
