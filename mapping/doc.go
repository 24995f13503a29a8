// Package mapping reads the sources of an agent: it finds their files and turns
// each format into skills and security schemes, with the place that each member
// came from. It is pure: it reads from the file system that it is given, and
// returns values and findings.
//
// Why a file gives no skill: walk.go (excluded, ignored, a link, not searched), skills.go
// and source/frontmatter.go (no header), skillmd.go (no description), plugin.go (not
// listed); then, in package generate, selection.go (the same id, hidden, include and
// exclude). The findings have the effect [diag.SkillLeftOut]. Silent are directories with
// a dot and node_modules alone.
package mapping
