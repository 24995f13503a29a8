// Package source turns bytes into one positioned tree, whatever they were:
// the frontmatter of a SKILL.md, YAML or JSON. It knows about byte order
// marks, line endings, fences, bounds and hostile input, so that the packages
// above it only see clean values and the place each of them stands at.
//
// It is the only user of gopkg.in/yaml.v3 and github.com/adrg/frontmatter. It
// judges whether input can be read, never what it means.
package source
