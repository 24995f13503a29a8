package site

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/source"
)

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// skillsIndex checks an Agent Skills index and returns how many skills it lists.
func (r *reader) skillsIndex(root *source.Node) int {
	version, list := root.Get("$schema"), root.Get("skills")
	if version != nil && version.Word() != skillsSchema {
		r.report(diag.SkillsIndexInvalid, version, root, "/$schema", `write "$schema": "`+skillsSchema+`"`,
			"the $schema is not exactly that of the index, so readers ignore all of it")
	} else if version == nil && slices.ContainsFunc(list.Elements(), lacksFiles) {
		r.report(diag.SkillsIndexInvalid, nil, root, "/$schema", `write "$schema": "`+skillsSchema+`"`,
			"the index has no $schema, so readers take it for version 0.1.0 and find no files in it")
	}
	if !list.Is(source.Array) {
		r.report(diag.SkillsIndexInvalid, list, root, "/skills", "write a list: \"skills\": [{…}]",
			"the index has no list of skills")
		return 0
	}
	first := map[string]*source.Node{}
	for i, e := range list.Items {
		pointer := "/skills/" + strconv.Itoa(i)
		if !e.Is(source.Object) {
			r.report(diag.SkillsIndexInvalid, e, list, pointer,
				"write an object with name, type, description, url and digest", "the entry is %s, must be an object",
				e.Kind.Article())
			continue
		}
		r.skillTexts(e, pointer, first)
		if version == nil && !e.HasAny("type", "digest", "sha256") { // version 0.1.0
			r.skillPaths(e, pointer)
			continue
		}
		r.skillType(e, pointer)
		r.skillArtifact(e, pointer)
	}
	return len(list.Items)
}

// lacksFiles reports whether an entry has the form of version 0.2.0 and none that readers
// of 0.1.0 take.
func lacksFiles(e *source.Node) bool {
	return e.HasAny("type", "digest", "sha256") && !e.HasAny("files")
}

func (r *reader) skillTexts(e *source.Node, pointer string, first map[string]*source.Node) {
	name, description := e.Get("name"), e.Get("description")
	text := name.Word()
	if !isSkillName(text) {
		hint := "use 1 to 64 lower-case letters, digits and single hyphens"
		if isSkillName(strings.ToLower(text)) {
			hint = "write " + strings.ToLower(text)
		}
		r.report(diag.SkillsIndexName, name, e, pointer+"/name", hint, "the name %s is refused by readers",
			diag.Quote(text))
	} else if other := first[text]; other != nil {
		d := r.report(diag.SkillsIndexName, name, e, pointer+"/name", "rename one of them",
			"two skills have the name %s",
			diag.Quote(text))
		*d = d.WithRelated(diag.Related{Span: other.Span, Message: "the other one"})
	}
	if first[text] == nil {
		first[text] = name
	}
	switch n := utf8.RuneCountInString(description.Word()); {
	case n == 0:
		r.report(diag.SkillsIndexInvalid, description, e, pointer+"/description",
			"say what the skill does and when to use it",
			"the entry has no description")
	case n > longestDescription:
		r.report(diag.SkillsIndexInvalid, description, e, pointer+"/description", "shorten it",
			"the description has %d characters, must have at most %d", n, longestDescription)
	}
}

func (r *reader) skillType(e *source.Node, pointer string) {
	if kind := e.Get("type"); !slices.Contains([]string{"skill-md", "archive"}, kind.Word()) {
		r.report(diag.SkillsIndexInvalid, kind, e, pointer+"/type",
			"write skill-md for a SKILL.md, archive for a .tar.gz or .zip",
			"the type %s is unknown, so readers skip the skill", diag.Quote(kind.Word()))
	}
}

// skillPaths checks the files of an entry of version 0.1.0.
func (r *reader) skillPaths(e *source.Node, pointer string) {
	paths := e.Get("files")
	if words := paths.Words(); len(words) == 0 || words[0] != SkillName {
		r.report(diag.SkillsIndexFile, paths, e, pointer+"/files", "write SKILL.md first in files",
			"the entry does not have SKILL.md first, so readers drop the index")
	}
	for i, p := range paths.Elements() {
		at := pointer + "/files/" + strconv.Itoa(i)
		text := p.Word()
		if files.PathFault(text) != "" || strings.ContainsAny(text, `\?#[]`) {
			r.report(diag.SkillsIndexFile, p, paths, at, "name a file below the directory of the skill",
				"the path %s is refused by readers", diag.Quote(text))
			continue
		}
		r.fetch(p, paths, at, e.Get("name").Word()+"/"+text)
	}
}

// skillArtifact checks the file of an entry and its digest.
func (r *reader) skillArtifact(e *source.Node, pointer string) {
	address, digest := e.Get("url"), e.Get("digest")
	empty := "sha256:" + DigestOf(nil).String()
	switch {
	case digest == nil && e.Get("sha256") != nil:
		r.report(diag.SkillsIndexFile, e.Get("sha256"), e, pointer+"/sha256", `write "digest": "sha256:…"`,
			"the entry has sha256 instead of digest, so readers drop the skill")
	case !digestForm.MatchString(digest.Word()):
		r.report(diag.SkillsIndexFile, digest, e, pointer+"/digest",
			"write sha256: and 64 lower-case hexadecimal digits",
			"the digest %s is not of that form, so readers drop the skill", diag.Quote(digest.Word()))
	case digest.Text == empty:
		r.report(diag.SkillsIndexFile, digest, e, pointer+"/digest", "write the digest of the file that url names",
			"the digest is that of an empty file, so readers drop the skill")
		return
	}
	if address.Word() == "" {
		r.report(diag.SkillsIndexFile, address, e, pointer+"/url", "add the url of the SKILL.md or archive",
			"the entry has no url")
		return
	}
	data := r.fetch(address, e, pointer+"/url", address.Text)
	if data == nil {
		return
	}
	if want := "sha256:" + DigestOf(data).String(); digestForm.MatchString(digest.Word()) && digest.Text != want {
		r.report(diag.SkillsIndexFile, digest, e, pointer+"/digest", "write "+want,
			"the file at %s has another digest, so readers drop the skill", diag.Quote(address.Text))
	}
	if e.Get("type").Word() == "archive" && bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		if fault := archiveFault(data); fault != "" {
			r.report(diag.SkillsIndexFile, address, e, pointer+"/url",
				"make a plain ustar archive with SKILL.md at its root",
				"the archive %s %s, so readers drop the skill", diag.Quote(address.Text), fault)
		}
	}
}

// fetch returns a file that an entry names, nil if it is not to be had.
func (r *reader) fetch(n, parent *source.Node, pointer, reference string) []byte {
	data, _, err := r.file(reference)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.report(diag.SkillsIndexFile, n, parent, pointer, "publish the file, or remove it from the index",
			"there is no file for %s", diag.Quote(reference))
	case err != nil:
		r.report(diag.SkillsIndexFile, n, parent, pointer, "", "the file %s cannot be read: %s",
			diag.Quote(reference), err)
	}
	return data
}

// archiveFault returns what makes readers drop a .tar.gz, "" if nothing does.
func archiveFault(archive []byte) string {
	unpacked, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return "cannot be unpacked"
	}
	limited := &io.LimitedReader{R: unpacked, N: MostBytes + mostFiles*1024 + 1}
	var names []string
	for r := tar.NewReader(limited); ; {
		h, err := r.Next()
		switch {
		case limited.N <= 0:
			return fmt.Sprintf("has more than %d MiB", MostBytes>>20)
		case errors.Is(err, io.EOF):
			return namesFault(names)
		case err != nil:
			return "cannot be unpacked"
		case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink:
			return "has links in it"
		case len(h.PAXRecords) > 0 || h.Format == tar.FormatGNU && len(h.Name) > 100:
			return "has names that only PAX or GNU tar can write"
		case len(names) >= mostFiles:
			return fmt.Sprintf("has more than %d files", mostFiles)
		}
		names = append(names, h.Name)
	}
}

func namesFault(names []string) string {
	switch {
	case slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(name, "/") || slices.Contains(strings.Split(name, "/"), "..")
	}):
		return "has a path that leads out of it"
	case slices.Contains(names, SkillName):
		return ""
	case slices.ContainsFunc(names, func(name string) bool {
		_, rest, _ := strings.Cut(name, "/")
		return rest == SkillName
	}):
		return "has SKILL.md in a directory instead of at its root"
	}
	return "has no SKILL.md at its root"
}
