package site

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// byteCost is what each byte of a published file counts for the budget of the run: it is in
// memory several times.
const byteCost = 4

// Gather reads the files of the skill whose SKILL.md is given by its name in the tree of
// its source. The description is the one on the card; ignored reports whether git ignores
// a file, as findings spell it. A skill with a finding of level error is not to be published.
func Gather(t mapping.Tree, name, description string, ignored func(file string) bool) (Skill, diag.List) {
	g := gatherer{tree: t, dir: path.Dir(name), ignored: ignored, folded: map[string]string{}}
	switch {
	case g.dir == ".":
		g.report(diag.AgentSkillsFile, path.Base(name), "move the skill into its own directory",
			"the skill is the project itself, whose files are not published")
	case path.Base(name) != SkillName:
		g.report(diag.AgentSkillsFile, path.Base(name), "rename it", "the file of a published skill must be named %s",
			SkillName)
	default:
		g.walk(".", 0)
	}
	first := func(f SkillFile) string { return strings.TrimPrefix(f.Path, SkillName) } // SKILL.md is first
	slices.SortFunc(g.files, func(a, b SkillFile) int { return strings.Compare(first(a), first(b)) })
	skill := Skill{Files: g.files, Description: description}
	if g.found.Worst() < diag.Error {
		g.describe(&skill)
	}
	return skill, g.found
}

// gatherer reads the directory of one skill.
type gatherer struct {
	tree    mapping.Tree
	dir     string                 // of the skill, in the tree
	ignored func(file string) bool // nil for none
	files   []SkillFile
	folded  map[string]string // paths by what counts of them on systems that ignore case
	bytes   int
	found   diag.List
}

func (g *gatherer) span(rel string) diag.Span {
	return diag.Span{File: g.tree.Show(path.Join(g.dir, rel))}
}

func (g *gatherer) report(rule diag.RuleID, rel, hint, format string, args ...any) {
	g.found = append(g.found, diag.New(rule, g.span(rel), format, args...).WithHint(hint))
}

// walk reads a directory of the skill and what is below it.
func (g *gatherer) walk(rel string, depth int) {
	if depth >= source.MaxLevels {
		g.report(diag.AgentSkillsFile, rel, "", "the directory is more than %d levels below its skill", depth-1)
		return
	}
	entries, err := fs.ReadDir(g.tree.FS, path.Join(g.dir, rel))
	g.tree.Budget.Spend(0, 1+len(entries))
	if err != nil {
		g.report(diag.AgentSkillsFile, rel, "", "the directory cannot be read: %s", files.Reason(err))
		return
	}
	if rel != "." && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == SkillName }) {
		return // a skill of its own
	}
	for _, e := range entries {
		if len(g.files) > mostFiles || g.bytes > MostBytes || g.tree.Budget.Empty() {
			return
		}
		g.visit(path.Join(rel, e.Name()), e, depth)
	}
}

// visit reads one entry of a directory.
func (g *gatherer) visit(rel string, e fs.DirEntry, depth int) {
	if excluded(e.Name()) {
		g.leaveOut(rel, "of its name", diag.Info)
		return
	}
	if g.ignored != nil && g.ignored(g.span(rel).File) {
		g.leaveOut(rel, "git ignores it", diag.Warning)
		return
	}
	switch mode := e.Type(); {
	case mode.IsDir():
		g.walk(rel, depth+1)
	case !mode.IsRegular():
		g.report(diag.AgentSkillsFile, rel, "put the file itself there, or move it out of the skill",
			"%s cannot be published, only files can", files.FileKind(mode))
	case nameFault(rel) != "":
		g.report(diag.AgentSkillsFile, rel, "rename it, or move it out of the skill",
			"the name %s %s, so readers refuse it", diag.Quote(rel), nameFault(rel))
	default:
		g.read(rel)
	}
}

func (g *gatherer) leaveOut(rel, why string, severity diag.Severity) {
	g.report(diag.AgentSkillsExcluded, rel, "", "not published with the skill because %s", why)
	g.found[len(g.found)-1].Severity = severity
}

// read adds a file.
func (g *gatherer) read(rel string) {
	key := files.Fold(rel)
	if other, ok := g.folded[key]; ok {
		g.report(diag.AgentSkillsFile, rel, "rename one of the two",
			"the path is the same as %s on systems that ignore letter case", diag.Quote(other))
		return
	}
	g.folded[key] = rel
	data, err := files.ReadFile(g.tree.FS, path.Join(g.dir, rel), MostBytes-g.bytes)
	if _, large := errors.AsType[*files.TooLargeError](err); large {
		g.bytes = MostBytes + 1
		g.report(diag.AgentSkillsFile, rel, "move large files elsewhere and link to them",
			"with this file the skill has more than %d MiB, which readers refuse", MostBytes>>20)
		return
	}
	if err != nil {
		g.report(diag.AgentSkillsFile, rel, "", "the file cannot be read: %s", files.Reason(err))
		return
	}
	g.bytes += len(data)
	g.tree.Budget.Spend(byteCost*len(data), 0)
	shown := g.span(rel).File
	g.found = append(append(g.found, lint.Path(shown, rel)...), lint.File(shown, data)...)
	g.files = append(g.files, SkillFile{rel, checkedIn(rel, data)})
	if len(g.files) > mostFiles {
		g.report(diag.AgentSkillsFile, SkillName, "divide it, or remove files",
			"the skill has more than %d files, which readers refuse", mostFiles)
	}
}

// checkedIn returns a text as git keeps it, without CRLF, so that a checkout on Windows makes
// the same bytes, and a Markdown file without a byte order mark, behind which readers do
// not find the header.
func checkedIn(name string, data []byte) []byte {
	ext := strings.ToLower(path.Ext(name))
	if ext == ".bat" || ext == ".cmd" || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return data
	}
	if ext == ".md" {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// exclusions are the names in lower case of what is never published: keys and
// credentials, and what programs make.
var exclusions = strings.Fields(".* *~ *.pem *.key id_* *.p12 *.pfx *.ppk *.jks *.keystore *.kdbx credentials* " +
	"thumbs.db __pycache__ *.pyc node_modules")

func excluded(name string) bool {
	return slices.ContainsFunc(exclusions, func(pattern string) bool {
		return files.MatchPattern(pattern, strings.ToLower(name))
	})
}

// nameFault returns what makes a path unfit for some reader, "" if nothing does.
func nameFault(rel string) string {
	switch {
	case files.PathFault(rel) != "":
		return files.PathFault(rel)
	case strings.ContainsAny(rel, "#[]"):
		return "has one of the characters # [ ]"
	case tar.NewWriter(io.Discard).WriteHeader(ustar(SkillFile{Path: rel})) != nil:
		return "is too long for a tar archive, or has letters other than ASCII"
	}
	return ""
}

// describe reads the header of SKILL.md, and reports what the index cannot hold.
func (g *gatherer) describe(skill *Skill) {
	header, _ := source.ReadFrontmatter(bytes.NewReader(skill.Files[0].Data), g.span(SkillName).File,
		source.FrontmatterOptions{NoRepair: true})
	fault := func(key, hint, format string, args ...any) {
		at := diag.Top(g.span(SkillName).File)
		if n := header.Get(key); n != nil {
			at = n.Span
		}
		g.found = append(g.found, diag.New(diag.AgentSkillsName, at, format, args...).WithHint(hint))
	}
	if header == nil {
		fault("", "", "the header of the skill cannot be read without repairs, and readers drop such a skill")
		return
	}
	skill.Name = strings.TrimSpace(header.Get("name").Word())
	if version := header.Get("metadata").Get("version"); version.Scalar() {
		skill.Version = strings.TrimSpace(version.Text)
	}
	switch dir := path.Base(g.dir); {
	case skill.Name == "":
		fault("name", "add name: "+dir, "the header has no name, and readers drop such a skill")
	case !isSkillName(skill.Name):
		fault("name", "use lower-case letters and digits, with single hyphens between them",
			"the name %s is not one of the index of Agent Skills: 1 to %d lower-case letters, digits and single hyphens",
			diag.Quote(skill.Name), longestName)
	case skill.Name != dir:
		fault("name", "rename one of them",
			"the name %s is not that of the directory, %s, in which readers install the skill",
			diag.Quote(skill.Name), diag.Quote(dir))
	}
	if n := utf8.RuneCountInString(skill.Description); n > longestDescription {
		fault("description", "shorten it", "the description has %d characters, but the index of Agent Skills allows %d",
			n, longestDescription)
	}
	if strings.TrimSpace(header.Get("description").Word()) == "" {
		fault("description", "say what the skill does and when to use it",
			"the header has no description, and readers drop such a skill")
	}
}
