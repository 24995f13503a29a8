package site

import (
	"cardwright/internal/diag"
	"cardwright/internal/lint"
	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// Kind is the kind of a document, which its content shows.
type Kind string

// The kinds of documents.
const (
	Unknown     Kind = ""
	Card        Kind = "agent card"
	Catalog     Kind = "AI Catalog"
	SkillsIndex Kind = "Agent Skills index"
	KeySet      Kind = "key set"
)

// Document is a document that a site publishes.
type Document struct {
	Kind    Kind
	Root    *source.Node // nil for what is not JSON
	Entries int          // agents of a catalog, skills of an index, keys of a set
	// Found is what is wrong with a list. Cards are checked by [lint.Card].
	Found diag.List
}

// Files returns the file that a list names, by the reference as the list spells it. It
// returns nil and no error if it does not know, and an [fs.ErrNotExist] if the file is
// missing.
type Files func(reference string) ([]byte, error)

// Read reads a document, whoever wrote it, and checks it by what its content shows it to
// be, if that is a list. With files, it also checks the files that the list names.
func Read(name string, data []byte, files Files) Document {
	root, found := source.ParseJSON(name, data)
	d := Document{Kind: KindOf(root), Root: root, Found: found}
	r := reader{files: files}
	switch d.Kind {
	case Catalog:
		d.Entries = r.catalog(root)
		r.found = append(r.found, lint.Texts(root)...)
	case SkillsIndex:
		d.Entries = r.skillsIndex(root)
		r.found = append(r.found, lint.Texts(root)...)
	case KeySet:
		keys, faults := sign.ParseJWKS(name, data)
		d.Entries, r.found = len(keys), faults
	}
	d.Found = append(d.Found, r.found...)
	return d
}

// KindOf returns the kind of a document. The members of a card decide first: a card may
// have any others.
func KindOf(root *source.Node) Kind {
	switch {
	case !root.Is(source.Object):
		return Unknown
	case root.HasAny("supportedInterfaces", "url", "protocolVersion"):
		return Card
	case root.HasAny("entries", "specVersion", "collections"):
		return Catalog
	case root.HasAny("keys") && !root.HasAny("name"):
		return KeySet
	case root.HasAny("skills") && !root.HasAny("name", "capabilities", "version"):
		return SkillsIndex
	case root.HasAny("name", "skills"):
		return Card
	}
	return Unknown
}

// reader checks one list.
type reader struct {
	files Files
	found diag.List
}

// report adds a finding at a member, or at its parent if the member is missing.
func (r *reader) report(rule diag.RuleID, n, parent *source.Node, pointer, hint, format string,
	args ...any,
) *diag.Diagnostic {
	at := parent.Span
	if n != nil {
		at = n.Span
	}
	r.found = append(r.found, diag.New(rule, at, format, args...).WithPointer(pointer).WithHint(hint))
	return &r.found[len(r.found)-1]
}

// file returns the file of a reference, and whether it is known.
func (r *reader) file(reference string) (data []byte, known bool, err error) {
	if r.files == nil {
		return nil, false, nil
	}
	data, err = r.files(reference)
	return data, data != nil || err != nil, err
}
