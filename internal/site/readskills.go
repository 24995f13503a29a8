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
func (r *reader) skillsIndex() int {
	version, is020 := r.root.Get("$schema"), func(e *source.Node) bool { return e.HasAny("type", "digest", "sha256") }
	lost := func(e *source.Node) bool { return is020(e) && !e.HasAny("files") } // by readers of 0.1.0
	if version.Word() != skillsSchema && (version != nil || slices.ContainsFunc(r.root.Get("skills").Elements(), lost)) {
		r.report(diag.SkillsIndexInvalid, "/$schema", `write "$schema": "`+skillsSchema+`"`,
			"the $schema is not exactly that of the index, so readers ignore all of it")
	}
	return r.each(diag.SkillsIndexInvalid, "skills", func(e *source.Node, pointer string) {
		r.skillTexts(e, pointer)
		if version == nil && !is020(e) {
			r.skillPaths(e, pointer)
			return
		}
		if kind := e.Get("type").Word(); kind != "skill-md" && kind != "archive" {
			r.report(diag.SkillsIndexInvalid, pointer+"/type",
				"write skill-md for a SKILL.md, archive for a .tar.gz or .zip",
				"the type %s is unknown, so readers skip the skill", diag.Quote(kind))
		}
		r.skillArtifact(e, pointer)
	})
}

func (r *reader) skillTexts(e *source.Node, pointer string) {
	if name := e.Get("name").Word(); isSkillName(name) {
		r.once(diag.SkillsIndexName, pointer+"/name", name, "rename one of them", "two skills have the name %s",
			diag.Quote(name))
	} else {
		r.report(diag.SkillsIndexName, pointer+"/name", "use 1 to 64 lower-case letters, digits and single hyphens",
			"the name %s is refused by readers", diag.Quote(name))
	}
	switch n := utf8.RuneCountInString(e.Get("description").Word()); {
	case n == 0:
		r.report(diag.SkillsIndexInvalid, pointer+"/description", "say what the skill does and when to use it",
			"the entry has no description")
	case n > longestDescription:
		r.report(diag.SkillsIndexInvalid, pointer+"/description", "shorten it",
			"the description has %d characters, must have at most %d", n, longestDescription)
	}
}

// skillPaths checks the files of an entry of version 0.1.0.
func (r *reader) skillPaths(e *source.Node, pointer string) {
	const rule = diag.SkillsIndexFile
	paths := e.Get("files").Words()
	if len(paths) == 0 || paths[0] != SkillName {
		r.report(rule, pointer+"/files", "write SKILL.md first in files",
			"the entry does not have SKILL.md first, so readers drop the index")
	}
	for i, p := range paths {
		at := pointer + "/files/" + strconv.Itoa(i)
		if files.PathFault(p) != "" || strings.ContainsAny(p, `\?#[]`) {
			r.report(rule, at, "name a file below the directory of the skill", "the path %s is refused by readers",
				diag.Quote(p))
			continue
		}
		r.file(rule, at, e.Get("name").Word()+"/"+p)
	}
}

// skillArtifact checks the file of an entry and its digest.
func (r *reader) skillArtifact(e *source.Node, pointer string) {
	const rule = diag.SkillsIndexFile
	address, digest := e.Get("url").Word(), e.Get("digest").Word()
	formed := digestForm.MatchString(digest)
	switch {
	case !e.HasAny("digest") && e.HasAny("sha256"):
		r.report(rule, pointer+"/sha256", `write "digest": "sha256:…"`,
			"the entry has sha256 instead of digest, so readers drop the skill")
	case !formed:
		r.report(rule, pointer+"/digest", "write sha256: and 64 lower-case hexadecimal digits",
			"the digest %s is not of that form, so readers drop the skill", diag.Quote(digest))
	case digest == "sha256:"+DigestOf(nil).String():
		r.report(rule, pointer+"/digest", "write the digest of the file that url names",
			"the digest is that of an empty file, so readers drop the skill")
		return
	}
	if address == "" {
		r.report(rule, pointer+"/url", "add the url of the SKILL.md or archive", "the entry has no url")
		return
	}
	data := r.file(rule, pointer+"/url", address)
	if data == nil {
		return
	}
	if want := "sha256:" + DigestOf(data).String(); formed && digest != want {
		r.report(rule, pointer+"/digest", "write "+want,
			"the file at %s has another digest, so readers drop the skill", diag.Quote(address))
	}
	if fault := archiveFault(data); e.Get("type").Word() == "archive" && fault != "" {
		r.report(rule, pointer+"/url", "make a plain ustar archive with SKILL.md at its root",
			"the archive %s %s, so readers drop the skill", diag.Quote(address), fault)
	}
}

// archiveFault returns what makes readers drop a .tar.gz, "" if nothing does. A .zip is not
// looked into.
func archiveFault(archive []byte) string {
	if !bytes.HasPrefix(archive, []byte("\x1f\x8b")) {
		return ""
	}
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
		case errors.Is(err, io.EOF) && slices.Contains(names, SkillName):
			return ""
		case errors.Is(err, io.EOF):
			return "has no SKILL.md at its root"
		case err != nil:
			return "cannot be unpacked"
		case h.Typeflag == tar.TypeSymlink || h.Typeflag == tar.TypeLink:
			return "has links in it"
		case !fs.ValidPath(strings.TrimSuffix(h.Name, "/")):
			return "has a path that is absolute, or has . or .. in it"
		case len(h.PAXRecords) > 0 || h.Format == tar.FormatGNU && len(h.Name) > 100:
			return "has names that only PAX or GNU tar can write"
		case len(names) >= mostFiles:
			return fmt.Sprintf("has more than %d files", mostFiles)
		}
		names = append(names, h.Name)
	}
}
