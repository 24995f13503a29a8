package diff

import (
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// PublishedSkill is a skill that a tree publishes with its files.
type PublishedSkill struct {
	Name, Description string
	Digest            string   // of its artifact, "" where no index tells
	Files             []string // paths below its directory
}

// Files are the files of a skill that become public, and those that are no longer.
type Files struct{ Added, Removed []string }

// Changed reports whether there are any.
func (f Files) Changed() bool { return len(f.Added)+len(f.Removed) > 0 }

// Published compares what two trees publish of skills, by where it is listed and
// its name. The changes belong to no agent.
func Published(older, newer map[string]PublishedSkill) Comparison {
	var c Comparison
	entries(older, newer, func(key string, was, is *PublishedSkill) {
		change := Change{Key: PublishedKey(key), Part: source.NewObject(1)}
		var format string
		switch {
		case was == nil:
			change.Rule, change.New = "published-skill-added", source.NewText(is.Name)
			format, change.Files.Added = "the skill %s is published with its files", is.Files
			change.Part.SetText("description", is.Description)
			was = is
		case is == nil:
			change.Rule, change.Old = "published-skill-removed", source.NewText(was.Name)
			format, change.Files.Removed = "the skill %s is no longer published with its files", was.Files
			change.Part.SetText("description", was.Description)
		default:
			change.Rule, format = "published-skill-changed", "the files of the published skill %s changed"
			change.Files = Files{missing(is.Files, was.Files), missing(was.Files, is.Files)}
			if was.Digest != is.Digest {
				change.Old, change.New = source.NewText(was.Digest), source.NewText(is.Digest)
			} else if !change.Files.Changed() {
				return
			}
		}
		change.Skill, change.Message = was.Name, fmt.Sprintf(format, diag.Quote(was.Name))
		c.Changes = append(c.Changes, change)
	})
	c.Changes = judged(c.Changes)
	return c
}

// PublishedKey is the key of a change of a published skill, by that of the skill.
func PublishedKey(key string) string { return source.Pointer("/published", key) }
