package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/schema"
)

// The index of skills is that of the README of
// https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0 at
// commit 1bd1167 (March 2026), and version 0.1.0 at commit d9532a1 (January 2026).
// What is known of them is in this file and in archive.go:
//
//   - An entry of 0.2.0 also has files and version. opencode reads the index by
//     the rules of 0.1.0, which need files, and fetches a skill again only when
//     its version changes.
//   - The files lie beside the index, and an archive beside them, where a skill
//     has more than a SKILL.md.
//   - Readers drop an entry that breaks a rule and say nothing.
const (
	// SkillName is the file that every skill has.
	SkillName = "SKILL.md"

	skillsSchema  = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
	plainSkill    = "skill-md"
	packedSkill   = "archive"
	plainSkillDoc = `text/markdown; profile="urn:air:agent-skills"` // of a SKILL.md, in ard.json
	skillMarkdown = "application/agent-skills+md"                   // and in an AI Catalog

	// LongestSkillName and LongestSkillDescription bound the texts of an entry, in
	// characters.
	LongestSkillName        = 64
	LongestSkillDescription = 1024

	// MostSkillFiles and MostSkillBytes are what readers take at most of one skill.
	MostSkillFiles = 1000
	MostSkillBytes = 50 << 20
)

var skillName = parallel.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// IsSkillName reports whether the index takes a text as the name of a skill.
func IsSkillName(name string) bool {
	return len(name) <= LongestSkillName && skillName().MatchString(name)
}

// Skill is a skill that is published with its files.
type Skill struct {
	Name        string
	Description string
	Version     string // "" for one that is made from the files
	Agent       string // id of the agent that has it
	Files       []SkillFile
	// Listed are the paths of the files that can be fetched one by one, SKILL.md
	// first. A file whose name no URL can hold as it is is in the archive only.
	Listed []string
	Packed []byte // the archive, nil for a skill of one file
	// Kept marks a skill that stays as it is on disk: Files has only its
	// SKILL.md.
	Kept bool

	Title    string   // for people
	Tags     []string // of the skill on the card
	Examples []string // likewise
	Span     diag.Span
}

// Pack sorts the files of the skill, SKILL.md first, and makes its archive, unless
// it has no other file.
func (s *Skill) Pack(format Format) error {
	slices.SortFunc(s.Files, func(a, b SkillFile) int { return compareFiles(a.Path, b.Path) })
	if len(s.Files) < 2 {
		return nil
	}
	var err error
	s.Packed, err = format.pack(s.Files)
	return err
}

// artifact is the file that the entry of the skill is about, below the directory
// of the index, with its bytes.
func (s Skill) artifact(format Format) (name string, data []byte) {
	if s.Packed != nil {
		return s.Name + "." + string(format), s.Packed
	}
	return s.Name + "/" + SkillName, s.Files[0].Data
}

// SkillSet is what one site publishes of skills.
type SkillSet struct {
	Skills []Skill // sorted by name
	Format Format
	Legacy bool // also by version 0.1.0
	// AtRoot tells that the site is at the root of its host, which the URLs of
	// the index may begin at.
	AtRoot bool
}

// Files returns the files of the skills below the root of the site, the indexes
// aside.
func (s SkillSet) Files() []tree.File {
	var files []tree.File
	for _, skill := range s.Skills {
		if skill.Kept {
			continue
		}
		if skill.Packed != nil {
			name, data := skill.artifact(s.Format)
			files = append(files, tree.File{Path: path.Join(tree.SkillsDir, name), Data: data, Agent: skill.Agent})
		}
		listed := map[string]bool{}
		for _, name := range skill.Listed {
			listed[name] = true
		}
		for _, f := range skill.Files {
			if !listed[f.Path] {
				continue
			}
			for _, dir := range s.dirs() {
				files = append(files, tree.File{Path: path.Join(dir, skill.Name, f.Path), Data: f.Data, Agent: skill.Agent})
			}
		}
	}
	return files
}

func (s SkillSet) dirs() []string {
	if s.Legacy {
		return []string{tree.SkillsDir, tree.LegacySkillsDir}
	}
	return []string{tree.SkillsDir}
}

// Indexes returns the indexes of the skills.
func (s SkillSet) Indexes() []tree.File {
	index := func(dir string, root *source.Node) tree.File {
		return tree.File{Path: path.Join(dir, tree.SkillsIndexName), Data: schema.Write(root)}
	}
	files := []tree.File{
		index(tree.SkillsDir, source.ObjectOf("$schema", skillsSchema, "skills", source.ListOf(s.Skills, s.entry))),
	}
	if s.Legacy {
		entry := func(skill Skill) *source.Node {
			return source.ObjectOf("name", skill.Name, "description", skill.Description, "files", skill.Listed)
		}
		files = append(files, index(tree.LegacySkillsDir, source.ObjectOf("skills", source.ListOf(s.Skills, entry))))
	}
	return files
}

// entry is the entry of a skill in the index of version 0.2.0.
func (s SkillSet) entry(skill Skill) *source.Node {
	name, data := skill.artifact(s.Format)
	kind := plainSkill
	if skill.Packed != nil {
		kind = packedSkill
	}
	if s.AtRoot {
		name = "/" + path.Join(tree.SkillsDir, name)
	}
	return source.ObjectOf(
		"name", skill.Name,
		"type", kind,
		"description", skill.Description,
		"url", name,
		"digest", digestText(data),
		"version", skill.version(data),
		"files", skill.Listed,
	)
}

// version is that of the skill, or else the beginning of the digest of its
// artifact, which changes whenever that does.
func (s Skill) version(artifact []byte) string {
	const short = 12
	return cmp.Or(s.Version, tree.DigestOf(artifact).String()[:short])
}

// skillEntry is the entry of a skill in the catalogs of a site, nil where
// nobody knows where it is published.
func (s Site) skillEntry(skill Skill) *source.Node {
	if s.URL == "" {
		return nil
	}
	name, data := skill.artifact(s.Skills.Format)
	kind := plainSkillDoc
	if skill.Packed != nil {
		kind = s.Skills.Format.MediaType()
	}
	return source.ObjectOf(
		"identifier", s.kindIdentifier("skill", skill.Name),
		"displayName", cmp.Or(skill.Title, skill.Name),
		"description", skill.Description,
		"type", kind,
		"url", s.URL+"/"+path.Join(tree.SkillsDir, name),
		"digest", digestText(data),
		"version", skill.version(data),
		"tags", skill.Tags,
		"representativeQueries", queriesOf(skill.Examples),
	)
}

// indexed are the entries of an index of skills.
func indexed(data []byte) []*source.Node {
	root, found := source.ParseJSON("", data, source.Limits{Card: len(data) + 1})
	if found.Worst() == diag.Error || !root.Get("skills").Is(source.Array) {
		return nil
	}
	return root.Get("skills").Items
}

// IsSkillIndex reports whether a file of an output tree is an index of skills.
func IsSkillIndex(file string) bool {
	return slices.ContainsFunc([]string{tree.SkillsDir, tree.LegacySkillsDir}, func(dir string) bool {
		return strings.HasSuffix("/"+file, "/"+dir+"/"+tree.SkillsIndexName)
	})
}

// CheckSkills compares an index of skills with the files of its tree, by their
// paths: what an entry names is there, and has its digest. Anything else is a
// finding of the rule agent-skills-digest, with the hint that is given.
func CheckSkills(file string, index tree.File, files map[string]tree.File, hint string) diag.List {
	var found diag.List
	dir := path.Dir(index.Path)
	for _, e := range indexed(index.Data) {
		name := e.Get("name").Word()
		fault := func(format string, args ...any) {
			found = append(found, diag.New("agent-skills-digest", e.Span, format, args...).WithHint(hint))
			found[len(found)-1].Span.File = file
		}
		if address := e.Get("url").Word(); address != "" {
			artifact := path.Join(dir, strings.TrimPrefix(address, "/"+tree.SkillsDir+"/"))
			f, ok := files[artifact]
			switch {
			case !ok:
				fault("the entry %s of the index names %s, which is not there", diag.Quote(name), diag.Quote(address))
			case e.Get("digest").Word() != digestText(f.Data):
				fault("the entry %s of the index has another digest than %s, so clients drop the skill", diag.Quote(name),
					diag.Quote(address))
			}
		}
		for _, listed := range e.Get("files").Words() {
			if _, ok := files[path.Join(dir, name, listed)]; !ok {
				fault("the entry %s of the index lists %s, which is not there", diag.Quote(name), diag.Quote(listed))
			}
		}
	}
	return found
}
