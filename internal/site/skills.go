package site

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"path"
	"regexp"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// The index follows https://github.com/cloudflare/agent-skills-discovery-rfc, version
// 0.2.0 at commit 1bd1167 (March 2026). opencode reads it by the rules of 0.1.0, so each
// entry has files, and version, by which opencode knows that a skill has changed. Readers
// drop an entry that breaks a rule and do not say so.
const (
	skillsSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

	longestName        = 64   // in characters
	longestDescription = 1024 // in characters
	mostFiles          = 1000

	// MostBytes bounds the files of a skill together.
	MostBytes = 50 << 20
)

var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func isSkillName(name string) bool { return len(name) <= longestName && skillName.MatchString(name) }

// SkillFile is a file of a skill.
type SkillFile struct {
	Path string // slash path below the directory of the skill
	Data []byte
}

// Skill is a skill that is published with its files.
type Skill struct {
	Name, Description, Version string
	Agent                      string // id of the agent that has it
	Tags                       []string
	Files                      []SkillFile // SKILL.md first, the others sorted bytewise
	Archive                    []byte      // nil for a skill of one file
	Span                       diag.Span
}

// Pack makes the archive, unless SKILL.md is the only file: ustar, so that readers find
// every name, and stored, so that the bytes do not depend on a compressor. A name that
// ustar cannot hold is an error.
func (s *Skill) Pack() error {
	if len(s.Files) < 2 {
		return nil
	}
	var plain, packed bytes.Buffer
	w := tar.NewWriter(&plain)
	for _, f := range s.Files {
		if err := w.WriteHeader(ustar(f)); err != nil {
			return fmt.Errorf("packing %q: %w", f.Path, err)
		}
		_, _ = w.Write(f.Data) // to memory
	}
	_ = w.Close()
	z, _ := gzip.NewWriterLevel(&packed, gzip.NoCompression) // a valid level
	_, _ = z.Write(plain.Bytes())                            // to memory
	_ = z.Close()
	s.Archive = packed.Bytes()
	return nil
}

// ustar is the header of a file in an archive.
func ustar(f SkillFile) *tar.Header {
	return &tar.Header{
		Typeflag: tar.TypeReg, Name: f.Path, Size: int64(len(f.Data)), Mode: 0o644,
		ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
	}
}

// artifact is the file that the entry of the skill points to, below the directory of the
// index.
func (s Skill) artifact() SkillFile {
	if s.Archive != nil {
		return SkillFile{s.Name + ".tar.gz", s.Archive}
	}
	return SkillFile{path.Join(s.Name, SkillName), s.Files[0].Data}
}

// SkillFiles returns the files of the skills below the root of the site, the index last.
func (s Site) SkillFiles() []File {
	var files []File
	var entries []*source.Node
	for _, skill := range s.Skills {
		add := func(name string, data []byte) {
			files = append(files, File{Path: path.Join(SkillsDir, name), Data: data, Agent: skill.Agent})
		}
		add(path.Join(skill.Name, SkillName), skill.Files[0].Data)
		if skill.Archive != nil {
			add(skill.artifact().Path, skill.Archive)
		}
		entries = append(entries, s.skillEntry(skill))
	}
	index := source.ObjectOf("$schema", skillsSchema)
	index.Set("skills", source.ArrayOf(entries...))
	return append(files, File{Path: path.Join(SkillsDir, SkillsIndexName), Data: schema.Write(index)})
}

func (s Site) skillEntry(skill Skill) *source.Node {
	artifact, kind := skill.artifact(), "skill-md"
	if skill.Archive != nil {
		kind = "archive"
	}
	digest := DigestOf(artifact.Data).String()
	version := skill.Version
	if version == "" {
		version = digest[:12]
	}
	return source.ObjectOf("name", skill.Name, "type", kind, "description", skill.Description, "url", artifact.Path,
		"digest", "sha256:"+digest, "version", version, "files", []string{SkillName})
}
