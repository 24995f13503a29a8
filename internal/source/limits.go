package source

// The limits of what is read from untrusted input. Sizes are in bytes.
const (
	MaxHeader  = 64 << 10 // a frontmatter, without its fences
	MaxSource  = 1 << 20  // a file that is read whole: config, MCP, packs
	MaxCard    = 4 << 20  // a card or an output file
	MaxNesting = 100      // levels of a JSON or YAML value
	MaxLevels  = 16       // directory levels below a source's path
	MaxSkills  = 100_000  // skills of one agent
)
