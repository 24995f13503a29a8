package mapping

import (
	"bytes"
	"context"
	"errors"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

// SkillDir is where the SKILL.md of a skill lies.
type SkillDir struct {
	Tree Tree
	Name string // in its file system
}

// Reader reads the sources of an agent.
type Reader struct {
	BaseURL     string // where the output is served, "" where it is unknown
	NoRepair    bool
	DefaultTags []string // of skills whose source gives none
	Secured     bool     // the configuration says how clients authenticate
	Markets     *Markets // of the run, nil for none to share
	// SkillDirs gets where the skills lie, by the files that findings name, unless
	// it is nil.
	SkillDirs map[string]SkillDir
}

// Read reads one source. The error is of the context.
func (r *Reader) Read(ctx context.Context, tree Tree, src Source) (Gathered, error) {
	return FormatOf(src).read(ctx, r, tree, src)
}

// Gathered is what one source gave.
type Gathered struct {
	Skills   []Skill
	CardPart CardPart
	Author   string // the organization that a manifest names without a URL
	Rank     int    // of the manifest that describes a plugin, in [Manifests]
	Found    diag.List
}

// part reads one of the files of a source. What is wrong in it leaves out no
// more than that file.
func (r *Reader) part(tree Tree, name string) (*source.Node, diag.List) {
	root, found, err := r.document(tree, name)
	if err != nil {
		return nil, diag.List{unreadable(tree.Show(name), files.Reason(err))}
	}
	for i := range found {
		if found[i].Rule == ruleInvalid {
			found[i].Severity = diag.Warning
		}
		if root == nil {
			found[i].Message += "; the file is left out of the card"
			found[i].Effect = diag.SkillLeftOut
		}
	}
	return root, found
}

// listing reads a manifest that may list what is public. One that has such a list and
// cannot be read is an error, because without the list everything would be public.
func (r *Reader) listing(tree Tree, name string) (*source.Node, diag.List) {
	root, found := r.part(tree, name)
	if root != nil {
		return root, found
	}
	data, _, _ := bounded(tree, name, source.MaxSource, "source") // part has reported errors
	if bytes.Contains(data, []byte(`"skills"`)) {
		for i := range found {
			found[i].Severity = diag.Error
			found[i].Message += ", and with it the list of public skills"
			found[i].Effect = 0
		}
	}
	return root, found
}

// ruleInvalid is the rule about files that are not what their source says.
const ruleInvalid = diag.SourceInvalid

// document reads a file within the bound for a source: JSON, or YAML where its
// name does not end in .json. The tree is nil when there are errors.
func (r *Reader) document(tree Tree, name string) (*source.Node, diag.List, error) {
	data, found, err := bounded(tree, name, source.MaxSource, "source")
	if data == nil {
		return nil, found, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // which other readers of the file accept
	switch path.Ext(name) {
	case ".json":
	case ".toml":
		if found := source.Conflict(tree.Show(name), data); found != nil {
			return nil, found, nil
		}
		root, found := parseTOML(tree.Show(name), data)
		return root, found, nil
	default:
		root, found := source.ParseYAML(tree.Show(name), data, ruleInvalid)
		return root, found, nil
	}
	root, found := source.ParseJSONUpTo(tree.Show(name), data, source.MaxSource)
	for i := range found {
		found[i].Rule = ruleInvalid
	}
	return root, found, nil
}

// bounded reads a file of at most limit bytes. A larger one gives a finding
// that names the bound, and no data.
func bounded(tree Tree, name string, limit int, bound string) ([]byte, diag.List, error) {
	data, err := files.ReadFile(tree.FS, name, limit)
	tree.Budget.Spend(len(data), 0)
	if large := (*files.TooLargeError)(nil); errors.As(err, &large) {
		return nil, diag.List{diag.New(diag.SourceInvalid, diag.Span{File: tree.Show(name)},
			"the file has more than %d bytes, the limit for a %s", limit, bound).
			WithHint("split it into smaller ones")}, nil
	}
	return data, nil, err
}
