package generate

import (
	"io"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// fastAgent reads the agent files that lie directly in a directory, or one.
func (w *work) fastAgent(tree Tree, src config.Source) gathered {
	g := gathered{brought: mapping.FastAgentCard(w.Config.BaseURL)}
	g.brought.Origin = src.Span
	walk := newWalker(tree, src, w.Config.Limits)
	walk.wanted, walk.take, walk.shallow = isAgentFile, walk.takeAll, true
	files, found := walk.walk()
	g.found = found
	for _, f := range files {
		skill, found := w.agentFile(tree, f, src)
		g.found = append(g.found, found...)
		if skill != nil {
			g.skills = append(g.skills, *skill)
		}
	}
	return g
}

func isAgentFile(name string) bool {
	return slices.Contains([]string{".md", ".markdown", ".yaml", ".yml"}, strings.ToLower(path.Ext(name)))
}

// agentFile reads one agent of fast-agent.
func (w *work) agentFile(tree Tree, f skillFile, src config.Source) (*mapping.Skill, diag.List) {
	if isSkillName(path.Base(f.name)) {
		return nil, diag.List{leftOut(f, "it is a skill, no agent")}
	}
	var root *source.Node
	var found diag.List
	if strings.HasPrefix(strings.ToLower(path.Ext(f.name)), ".y") {
		root, found = w.part(tree, f.name)
	} else {
		root, _, found = readHeader(tree, f, w.readOptions(src), io.Discard)
		found = slices.DeleteFunc(found, isNoSkill)
	}
	if root == nil {
		return nil, found
	}
	if root.Kind != source.Object {
		return nil, append(found, leftOut(f, "it is no map of keys"))
	}
	stem := strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))
	skill, more := mapping.FastAgent(root, stem, w.readOptions(src).SkillOptions)
	return skill, append(found, more...)
}
