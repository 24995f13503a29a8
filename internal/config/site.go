package config

import (
	"cmp"

	"cardwright/internal/source"
)

// AgentSkills says which skills are published with all their files, and how.
type AgentSkills struct {
	Publish []Text // patterns of ids; nothing is published without
	Format  string // of archives: "tar.gz" or "zip"
	Legacy  bool   // also by the index before 0.2.0
}

func agentSkills(n *source.Node) AgentSkills {
	return AgentSkills{
		Publish: placed(n.Get("publish")),
		Format:  cmp.Or(textOf(n.Get("format")), "tar.gz"),
		Legacy:  textOf(n.Get("legacy")) != "false",
	}
}

func legacy(n *source.Node) Legacy {
	switch textOf(n) {
	case "false":
		return LegacyNone
	case "split":
		return LegacySplit
	}
	return LegacyCopy
}
