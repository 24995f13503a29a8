package project

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/files"
	"cardwright/mapping"
	"cardwright/schema"
)

// called is how a directory is called where no source names it, and who says so.
func (s *survey) called(dir string) (name, from string) {
	if data, err := files.ReadFile(s.root, path.Join(dir, "go.mod"), 1<<20); err == nil {
		for line := range strings.Lines(string(data)) {
			if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
				module = strings.Trim(strings.TrimSpace(module), `"`)
				if major := path.Base(module); strings.Trim(major, "v0123456789") == "" {
					module = path.Dir(module)
				}
				if name := mapping.Title(schema.Slug(path.Base(module))); !isGeneric(name) {
					return name, "from go.mod"
				}
			}
		}
	}
	if data, err := files.ReadFile(s.root, path.Join(dir, "README.md"), 1<<20); err == nil {
		for line := range strings.Lines(string(data)) {
			if title, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok {
				if title = strings.TrimSpace(title); isTitle(title) {
					return mapping.Title(title), "from the title of README.md"
				}
				break
			}
		}
	}
	return "", ""
}

// isTitle reports whether a heading can be a name: a few words without markup.
func isTitle(text string) bool {
	words := strings.Fields(text)
	return len(words) > 0 && len(words) <= 5 && !isGeneric(text) && !strings.ContainsAny(text, "[]()<>*`_:|/{}$#!?\"") &&
		schema.Slug(text) != "" && strings.IndexFunc(text, isPictorial) < 0
}

// isPictorial reports whether r is what a pictogram is made of.
func isPictorial(r rune) bool { return r >= 0x2190 && r < 0x2c00 || r == 0xfe0f || r >= 0x1f000 }

// isGeneric reports whether many projects have that name.
func isGeneric(name string) bool {
	return slices.Contains([]string{
		"", "skill", "skills", "agent", "agents", "agent-skills", "ai", "ai-skills", "plugin", "plugins", "claude",
		"claude-skills", "claude-code", "claude-plugins", "claude-code-plugins", "claude-code-skills", "codex",
		"codex-skills",
		"cursor-skills", "marketplace", "prompts", "tools", "mcp", "app", "server", "main", "src", "monorepo", "root",
		"workspace", "readme", "introduction", "overview", "getting-started", "documentation", "docs",
	}, schema.Slug(name))
}

// remoteName is the name of the repository of the git remote that a .git directory
// names, with its owner where many are called so, "" when there is none.
func remoteName(git fs.FS) string {
	if git == nil {
		return ""
	}
	data, err := files.ReadFile(git, "config", 1<<20)
	if err != nil {
		return ""
	}
	origin := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			origin = line == `[remote "origin"]`
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !origin || strings.TrimSpace(key) != "url" {
			continue
		}
		at := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(value), ":", "/"), "/")
		name := mapping.Title(schema.Slug(strings.TrimSuffix(path.Base(at), ".git")))
		owner := path.Base(path.Dir(at))
		if isGeneric(name) && schema.Slug(owner) != "" && strings.Count(at, "/") > 1 {
			return mapping.Title(owner) + " " + name
		}
		return name
	}
	return ""
}
