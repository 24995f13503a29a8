package site

import (
	"errors"
	"io/fs"
	"strconv"

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
	d := Document{Kind: KindOf(root), Root: root}
	r := reader{root: root, files: files, found: found, first: map[string]string{}}
	switch d.Kind {
	case Catalog:
		d.Entries = r.catalog()
		r.found = append(r.found, lint.Texts(root)...)
	case SkillsIndex:
		d.Entries = r.skillsIndex()
		r.found = append(r.found, lint.Texts(root)...)
	case KeySet:
		keys, faults := sign.ParseJWKS(name, data)
		d.Entries, r.found = len(keys), append(r.found, faults...)
	}
	d.Found = r.found
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
	root  *source.Node
	files Files
	found diag.List
	first map[string]string // pointers to what must not be there twice
}

// report adds a finding at a member, or at what it is missing in.
func (r *reader) report(rule diag.RuleID, pointer, hint, format string, args ...any) *diag.Diagnostic {
	at := r.root.Below(pointer, r.root.Span)
	r.found = append(r.found, diag.New(rule, at, format, args...).WithPointer(pointer).WithHint(hint))
	return &r.found[len(r.found)-1]
}

// each calls do for the objects of the list with that key, and returns how many items the
// list has.
func (r *reader) each(rule diag.RuleID, key string, do func(e *source.Node, pointer string)) int {
	list := r.root.Get(key)
	if !list.Is(source.Array) {
		r.report(rule, "/"+key, `write a list: "`+key+`": [{…}]`, "the document has no list of %s", key)
		return 0
	}
	for i, e := range list.Items {
		pointer := "/" + key + "/" + strconv.Itoa(i)
		if !e.Is(source.Object) {
			r.report(rule, pointer, "write an object", "the entry is %s, must be an object", e.Kind.Article())
			continue
		}
		do(e, pointer)
	}
	return len(list.Items)
}

// once reports a value that another entry has.
func (r *reader) once(rule diag.RuleID, pointer, value, hint, format string, args ...any) {
	first, twice := r.first[value]
	if !twice {
		r.first[value] = pointer
		return
	}
	d := r.report(rule, pointer, hint, format, args...)
	*d = d.WithRelated(diag.Related{Span: r.root.Below(first, r.root.Span), Message: "the other one"})
}

// file returns a file that an entry names, nil if it is not to be had.
func (r *reader) file(rule diag.RuleID, pointer, reference string) []byte {
	if r.files == nil {
		return nil
	}
	data, err := r.files(reference)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.report(rule, pointer, "publish the file, or remove the entry", "there is no file for %s", diag.Quote(reference))
	case err != nil:
		r.report(rule, pointer, "", "the file %s cannot be read: %s", diag.Quote(reference), err)
	}
	return data
}
