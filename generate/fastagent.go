package generate

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

func fastAgentFormat() Format {
	return Format{
		Type: FastAgent, Title: "Agent files of fast-agent.", Path: "An agent file, or a directory of them",
		Keys:         []Key{{Name: "exclude"}, {Name: "respectInvocation", Doc: "Leave out agents that say tool_only: true."}, {Name: "bearer", Doc: "The server asks for tokens of Hugging Face: the card and each skill require hf_bearer."}},
		usage:        "a fast-agent source is a directory with agent files, or one such file",
		servesAtBase: true,
		Detect: func(_ fs.FS, name string, d fs.DirEntry) (string, bool) {
			return name, d.IsDir() && strings.HasSuffix("/"+name, "/.fast-agent/agent-cards")
		},
		read: readFastAgent,
	}
}

// readFastAgent reads the agent files that lie directly in a directory, or one.
func readFastAgent(_ context.Context, w *work, tree Tree, src config.Source) (gathered, error) {
	g := gathered{brought: mapping.FastAgentCard(w.Config.BaseURL, src.Bearer)}
	g.brought.Origin = src.Span
	walk := newWalker(tree, src, w.Config.Limits)
	walk.wanted, walk.take, walk.shallow = isAgentFile, walk.takeAll, true
	files, found := walk.walk()
	g.found = found
	for _, f := range files {
		skill, found := w.agentFile(tree, f, src)
		g.found = append(g.found, found...)
		if skill != nil {
			if src.Bearer && !secures(w.agent.Node) { // as the server writes it
				skill.Security = []schema.Requirement{{mapping.FastAgentBearer: {}}}
			}
			g.skills = append(g.skills, *skill)
		}
	}
	return g, nil
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
		var raw bytes.Buffer
		root, _, found = readHeader(tree, f, w.readOptions(src), &raw)
		found = slices.DeleteFunc(found, isNoSkill)
		if bytes.HasPrefix(bytes.TrimSpace(raw.Bytes()), []byte("+++")) {
			found = diag.List{diag.New("source-frontmatter-missing", top(f.Path), "the header is TOML, which is not read, so this agent is left out of the card").
				WithHint("write it as YAML between lines of ---")}
		}
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
