package site

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/lint"
	"cardwright/internal/parallel"
	"cardwright/internal/source"
	"cardwright/internal/tree"
	"cardwright/internal/walk"
)

// What the registry of Google takes at most.
const (
	googleSkillBytes   = 10 << 20
	googleFileBytes    = 1 << 20
	googleSkillDepth   = 8
	googleArchiveBytes = 500_000
)

// byteCost is what each byte of a file costs that is published: it is in memory
// several times.
const byteCost = 4

// Options says how skills are published.
type Options struct {
	Limits source.Limits
	Format Format
	// Ignored reports whether git ignores a file, as findings spell it. Nil is for none.
	Ignored func(file string) bool
}

// Bundle is the directory of a skill whose files are gathered.
type Bundle struct {
	Options
	Skill    Skill
	Found    diag.List
	tree     walk.Tree
	dir      string            // in the tree
	real     string            // the same without links
	excluded map[string]bool   // what is left out, by path below dir
	names    map[string]string // paths by what counts of them where letter case does not
	bytes    int
}

func (d *Bundle) shown(rel string) diag.Span {
	return diag.Span{File: d.tree.Show(path.Join(d.dir, rel))}
}

func (d *Bundle) fault(rel, format string, args ...any) *diag.Diagnostic {
	d.Found = append(d.Found, diag.New("agent-skills-file", d.shown(rel), format, args...))
	return &d.Found[len(d.Found)-1]
}

// Gather reads the files of the skill whose SKILL.md is given by its name in the
// tree of its source.
func Gather(tree walk.Tree, name string, o Options) *Bundle {
	d := &Bundle{Options: o, tree: tree, dir: path.Dir(name), excluded: map[string]bool{}, names: map[string]string{}}
	switch real, err := files.Within(tree.FS, d.dir); {
	case err != nil:
		d.fault(".", "the directory of the skill cannot be read: %s", files.Reason(err))
	case d.dir == ".", real == ".":
		d.fault(path.Base(name),
			"the skill is the project itself, whose files are not published").Hint = "move the skill into its own directory"
	case !d.inSource(real):
		d.fault(path.Base(name),
			"a link leads from the source to the skill in %s, and only directories of the source are published",
			diag.Quote(d.tree.Show(real))).Hint = "add that directory as another source"
	case path.Base(name) != SkillName:
		d.fault(path.Base(name), "the file of a published skill must be named %s", SkillName).Hint = "rename it"
	default:
		d.real = real
		d.walk(".", 0)
		d.bounds()
		d.links()
	}
	for _, f := range d.Skill.Files {
		if f.Path == SkillName {
			d.describe(f.Data)
		}
	}
	d.Skill.Listed = d.fetchable()
	return d
}

// inSource reports whether a directory, without links, lies in the source. What a
// link in it leads to was put there for something else.
func (d *Bundle) inSource(real string) bool {
	top, err := files.Within(d.tree.FS, d.tree.Root)
	if info, fault := fs.Stat(d.tree.FS, d.tree.Root); fault == nil && !info.IsDir() {
		top = path.Dir(top)
	}
	return err == nil && (top == "." || real == top || strings.HasPrefix(real, top+"/"))
}

// walk gathers the files in a directory of the skill and below.
func (d *Bundle) walk(rel string, depth int) {
	if depth >= d.Limits.WithDefaults().Depth {
		d.Found = append(d.Found, diag.New("agent-skills-limit", d.shown(rel),
			"the directory is more than %d levels below its skill", depth-1))
		return
	}
	entries, err := fs.ReadDir(d.tree.FS, path.Join(d.dir, rel))
	d.tree.Meter.Take(0, 1+len(entries))
	if err != nil {
		d.fault(rel, "the directory cannot be read: %s", files.Reason(err))
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		if len(d.Skill.Files) > MostSkillFiles || d.bytes > MostSkillBytes || d.tree.Meter.Empty() {
			return
		}
		d.visit(path.Join(rel, e.Name()), e, depth)
	}
}

// visit looks at one entry of a directory.
func (d *Bundle) visit(rel string, e fs.DirEntry, depth int) {
	if x, ok := excludedFrom(e.Name()); ok {
		d.exclude(rel, x)
		return
	}
	if fault := nameFault(rel); fault != "" {
		d.fault(rel, "the name %s %s, so it cannot be published", diag.Quote(rel),
			fault).Hint = "rename it, or move it out of the skill"
		return
	}
	switch mode := e.Type(); {
	case mode&fs.ModeSymlink != 0:
		d.follow(rel)
	case mode.IsDir():
		d.walk(rel, depth+1)
	case !mode.IsRegular():
		d.fault(rel, "%s cannot be published, only files can",
			files.FileKind(mode)).Hint = "remove it, or move it out of the skill"
	default:
		d.read(rel, d.shown(rel).File)
	}
}

// follow takes what a link leads to, if that is a file of the same skill.
func (d *Bundle) follow(rel string) {
	const hint = "put the file itself there, or remove the link"
	real, err := files.Within(d.tree.FS, path.Join(d.dir, rel))
	inside, ok := strings.CutPrefix(real, d.real+"/")
	var info fs.FileInfo
	if err == nil && ok {
		info, err = fs.Stat(d.tree.FS, real)
	}
	switch {
	case err != nil:
		d.fault(rel, "the link cannot be followed: %s", files.Reason(err)).Hint = hint
		return
	case !ok:
		d.fault(rel, "the link leads out of the skill, to %s", diag.Quote(d.tree.Show(real))).Hint = hint
		return
	case !info.Mode().IsRegular():
		d.fault(rel, "the link leads to %s, only files are published", files.FileKind(info.Mode())).Hint = hint
		return
	}
	for name := range strings.SplitSeq(inside, "/") {
		if x, ok := excludedFrom(name); ok {
			d.exclude(rel, x)
			return
		}
	}
	d.read(rel, d.shown(rel).File, d.tree.Show(real))
}

// withheld reports a file that is known by some paths and of which git ignores one.
func (d *Bundle) withheld(rel string, shown []string) bool {
	if d.Ignored == nil || !slices.ContainsFunc(shown, d.Ignored) {
		return false
	}
	d.exclude(rel, exclusion{why: "git ignores it", private: true})
	return true
}

// read takes a file that is known by some paths.
func (d *Bundle) read(rel string, shown ...string) {
	if d.withheld(rel, shown) {
		return
	}
	if rel != SkillName && strings.EqualFold(path.Base(rel), SkillName) {
		fault := d.fault(rel, "the file makes a skill inside of a skill, and both cannot be published")
		fault.Hint = "move one of them, or remove it"
		return
	}
	key := tree.Fold(rel)
	if other, ok := d.names[key]; ok {
		d.fault(rel, "the path is the same as %s where letter case or composition of names does not count",
			diag.Quote(other)).Hint = "rename one of the two"
		return
	}
	d.names[key] = rel
	data, err := files.ReadFile(d.tree.FS, path.Join(d.dir, rel), MostSkillBytes-d.bytes)
	if _, large := errors.AsType[*files.TooLargeError](err); large {
		d.bytes = MostSkillBytes + 1
		d.Found = append(d.Found, diag.New("agent-skills-limit", d.shown(rel),
			"with this file the skill has more than %d MiB, which readers refuse", MostSkillBytes>>20).
			WithHint("move large files elsewhere and link to them"))
		return
	}
	if err != nil {
		d.fault(rel, "the file cannot be read: %s", files.Reason(err))
		return
	}
	d.bytes += len(data)
	d.tree.Meter.Take(byteCost*len(data), 0)
	if !d.Format.Fits(rel) {
		d.fault(rel, "the name %s is not portable in a tar archive: it has non-ASCII letters, or more than 100 characters",
			diag.Quote(rel)).Hint = "rename the file, or set agentSkills.format: zip"
		return
	}
	d.Skill.Files = append(d.Skill.Files, SkillFile{Path: rel, Data: checkedIn(rel, data)})
}

// checkedIn returns a text as git keeps it, where a checkout on Windows has given
// it other line ends: one whose every line ends in CRLF. Programs of Windows need
// theirs. A byte order mark of a Markdown file, behind which readers do not find the
// header of a SKILL.md, goes as well.
func checkedIn(name string, data []byte) []byte {
	if strings.EqualFold(path.Ext(name), ".md") {
		data = bytes.TrimPrefix(data, []byte("\ufeff"))
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".bat", ".cmd":
		return data
	}
	breaks := bytes.Count(data, []byte("\r\n"))
	if breaks == 0 || breaks != bytes.Count(data, []byte("\n")) || breaks != bytes.Count(data, []byte("\r")) ||
		bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// bounds reports a skill that is larger than readers or registries take.
func (d *Bundle) bounds() {
	limit := func(severity diag.Severity, rel, hint, format string, args ...any) {
		d.Found = append(d.Found, diag.New("agent-skills-limit", d.shown(rel), format, args...).WithSeverity(severity).
			WithHint(hint))
	}
	if len(d.Skill.Files) > MostSkillFiles {
		limit(diag.Error, SkillName, "divide it, or remove files",
			"the skill has more than %d files, which readers refuse", MostSkillFiles)
		return
	}
	const google = "the Agent Registry of Google accepts no more"
	if d.bytes > googleSkillBytes && d.bytes <= MostSkillBytes {
		limit(diag.Warning, SkillName, google, "the skill has %d bytes, more than %d MiB", d.bytes,
			googleSkillBytes>>20)
	}
	for _, f := range d.Skill.Files {
		switch {
		case len(f.Data) > googleFileBytes:
			limit(diag.Warning, f.Path, google, "the file has %d bytes, more than %d MiB", len(f.Data), googleFileBytes>>20)
		case strings.Count(f.Path, "/") >= googleSkillDepth:
			limit(diag.Warning, f.Path, google, "the file is %d levels deep in its skill, more than %d",
				strings.Count(f.Path, "/")+1, googleSkillDepth)
		}
	}
}

// links reports the files that SKILL.md links to and that are left out.
func (d *Bundle) links() {
	if len(d.excluded) == 0 {
		return
	}
	for _, f := range d.Skill.Files {
		if f.Path != SkillName {
			continue
		}
		seen := map[string]bool{}
		for _, m := range markdownLink().FindAllSubmatch(f.Data, -1) {
			target := path.Clean(string(m[1]))
			if len(target) > longestLink || seen[target] || !d.isExcluded(target) {
				continue
			}
			seen[target] = true
			d.Found = append(d.Found, diag.New("agent-skills-excluded", d.shown(f.Path),
				"the skill links to %s, which is not published", diag.Quote(target)).
				WithHint("rename the file, or remove the link"))
		}
	}
}

// markdownLink finds where a link of a Markdown text leads.
var markdownLink = parallel.Regexp(`\]\(\s*<?([^\s)<>#?]+)`)

// longestLink is the most bytes of a path that a link may have and lead to a file.
const longestLink = 500

// isExcluded reports whether a path lies in what is left out.
func (d *Bundle) isExcluded(rel string) bool {
	for at := rel; at != "." && at != "/" && at != ".."; at = path.Dir(at) {
		if d.excluded[at] {
			return true
		}
	}
	return false
}

// exclude reports what is left out of the skill.
func (d *Bundle) exclude(rel string, x exclusion) {
	d.excluded[rel] = true
	severity := diag.Info
	if x.private {
		severity = diag.Warning
	}
	d.Found = append(d.Found, diag.New("agent-skills-excluded", d.shown(rel), "not published with the skill: %s", x.why).
		WithSeverity(severity))
}

// exclusion is what is never published with a skill, by its name in lower case.
type exclusion struct {
	pattern string
	why     string
	private bool // somebody may have meant to keep it from others
}

var exclusions = []exclusion{
	{".env*", "it holds settings of an environment", true},
	{"*.pem", "it may be a private key", true},
	{"*.key", "it may be a private key", true},
	{"id_*", "it may be a private key", true},
	{"*.p12", "it may hold a private key", true},
	{"*.pfx", "it may hold a private key", true},
	{"*.ppk", "it may hold a private key", true},
	{"*.jks", "it may hold a private key", true},
	{"*.keystore", "it may hold a private key", true},
	{"*.kdbx", "it may hold passwords", true},
	{".git", "it belongs to version control", false},
	{".hg", "it belongs to version control", false},
	{".svn", "it belongs to version control", false},
	{"thumbs.db", "the system makes it", false},
	{"__pycache__", "it can be made again", false},
	{"*.pyc", "it can be made again", false},
	{"node_modules", "it can be made again", false},
	{"*~", "it is the backup of an editor", false},
	{".*", "its name begins with a dot", false},
}

func excludedFrom(name string) (exclusion, bool) {
	name = strings.ToLower(name)
	for _, x := range exclusions {
		if files.MatchPattern(x.pattern, name) {
			return x, true
		}
	}
	return exclusion{}, false
}

// nameFault says what makes a path unfit for readers on some system, "" when
// nothing does.
func nameFault(rel string) string {
	if fault := tree.PathFault(rel); fault != "" {
		return fault
	}
	if strings.ContainsAny(rel, "#[]") {
		return "has one of the characters # [ ], which readers refuse"
	}
	if lint.Reveal(rel, func(rune) string { return "\x00" }) != rel {
		return "has invisible characters"
	}
	return ""
}

// fetchable returns the paths of the files that can be fetched one by one, SKILL.md
// first and the rest in bytewise order, and reports why the others cannot.
func (d *Bundle) fetchable() []string {
	var names []string
	for _, f := range d.Skill.Files {
		var why string
		severity, hint := diag.Warning, "name it with ASCII letters, digits, dots, hyphens and underscores"
		switch {
		case strings.ContainsFunc(f.Path, unfitForURL):
			why = "a URL cannot hold its name as it is"
		case strings.HasSuffix(f.Path, tree.ETagSuffix) || strings.HasSuffix(f.Path, tree.ChecksumSuffix):
			why = "its name is that of a sidecar"
		case !loose(f.Path):
			why, severity, hint = "a browser or a web server might run such a file or be configured by it", diag.Info,
				"only Markdown, text, JSON, YAML, TOML, CSV and images are also published one by one"
		default:
			names = append(names, f.Path)
			continue
		}
		d.Found = append(d.Found, diag.New("agent-skills-file",
			d.shown(f.Path), "the file is in the archive only, since %s: opencode and readers of the older index do not get it",
			why).
			WithSeverity(severity).WithHint(hint))
	}
	SortFiles(names)
	return names
}

// SortFiles puts SKILL.md first, and the rest in bytewise order.
func SortFiles(names []string) { slices.SortFunc(names, compareFiles) }

func compareFiles(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == SkillName:
		return -1
	case b == SkillName:
		return 1
	}
	return strings.Compare(a, b)
}

// loose reports whether a file may be published outside of an archive: neither a
// browser nor a web server runs it, nor is it part of a configuration of one or of
// that of a host.
func loose(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		// As Apache reads names: an extension counts wherever it stands.
		if strings.HasPrefix(part, "_") || part == "cgi-bin" || run().MatchString(part) {
			return false
		}
	}
	return slices.Contains(looseTypes, strings.ToLower(path.Ext(name))) &&
		!slices.Contains(settings, strings.ToLower(path.Base(name)))
}

var (
	looseTypes = strings.Fields(".md .markdown .txt .json .jsonl .yaml .yml .toml .csv .tsv .png .jpg .jpeg .gif .webp")
	// settings are the files by which hosts of web sites are configured, some of them
	// from any directory.
	settings = strings.Fields("staticwebapp.config.json vercel.json netlify.toml firebase.json " +
		"wrangler.toml wrangler.json")
	// run matches names that web servers are known to run.
	run = parallel.Regexp(`\.(php|phtml|phar|pht|as[hmcap]x?|cer|jsp|cf[mc]|f?cgi|s?html?|xhtml|xht|svg|xml|stm|var|` +
		`asis|map|pl|py|rb|sh|lua|[cm]?js|wasm|exe)[a-z]?[0-9]*(\.|$)`)
)

// unfitForURL reports whether a character must be escaped in a URL or in the
// configuration of a server.
func unfitForURL(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !plain && !strings.ContainsRune("/._~-", r)
}

// Pack makes the archive of the skill, and reports one that is larger than registries
// take.
func (d *Bundle) Pack() error {
	if err := d.Skill.Pack(d.Format); err != nil {
		return err
	}
	if archive := d.Skill.Packed; len(archive) > googleArchiveBytes {
		d.Found = append(d.Found, diag.New("agent-skills-limit",
			d.shown(SkillName), "the archive of the skill has %d bytes, more than %d", len(archive),
			googleArchiveBytes).
			WithSeverity(diag.Info).WithHint("the Agent Registry of Google accepts no more; compress it for that"))
	}
	return nil
}

// Texts judges the paths and the content of the files.
func (d *Bundle) Texts() diag.List {
	var found diag.List
	for _, f := range d.Skill.Files {
		shown := d.shown(f.Path).File
		found = append(found, append(lint.Path(shown, f.Path), lint.File(shown, f.Data)...)...)
	}
	return found
}

// describe reads the header of SKILL.md, and reports what the index cannot hold.
func (d *Bundle) describe(data []byte) {
	header, _ := source.ReadFrontmatter(bytes.NewReader(data), d.shown(SkillName).File,
		source.FrontmatterOptions{Limits: d.Limits, NoRepair: true})
	files := d.Skill.Files
	d.Skill = FromHeader(header)
	d.Skill.Files = files
	name, description := d.Skill.Name, d.Skill.Description
	fault := func(n *source.Node, hint, format string, args ...any) {
		at := diag.Top(d.shown(SkillName).File)
		if n != nil {
			at = n.Span
		}
		d.Found = append(d.Found, diag.New("agent-skills-name", at, format, args...).WithHint(hint))
	}
	switch {
	case header == nil:
		fault(nil, "", "the header of the skill cannot be read without repairs, and readers drop such a skill")
		return
	case name == "":
		fault(nil, "add name: "+path.Base(d.dir), "the header has no name, and readers drop such a skill")
	case !IsSkillName(name):
		fault(header.Get("name"), "use lower-case letters and digits, with single hyphens between them",
			"the name %s is not one of the index of Agent Skills: 1 to %d lower-case letters, digits and single hyphens",
			diag.Quote(name), LongestSkillName)
	case name != path.Base(d.dir):
		fault(header.Get("name"), "rename one of them",
			"the name %s is not that of the directory, %s, in which readers install the skill", diag.Quote(name),
			diag.Quote(path.Base(d.dir)))
	}
	switch n := len([]rune(description)); {
	case description == "":
		fault(header.Get("description"), "say what the skill does and when to use it",
			"the header has no description, and readers drop such a skill")
	case n > LongestSkillDescription:
		fault(header.Get("description"),
			"shorten it", "the description has %d characters, but the index of Agent Skills allows %d", n,
			LongestSkillDescription)
	}
}

// FromHeader returns what the header of a SKILL.md says to the index.
func FromHeader(header *source.Node) Skill {
	text := func(n *source.Node) string {
		if !n.Is(source.String) { // readers take nothing else
			return ""
		}
		return strings.TrimSpace(n.Text)
	}
	s := Skill{Name: text(header.Get("name")), Description: text(header.Get("description"))}
	if version := header.Get("metadata").Get("version"); version.Scalar() {
		s.Version = strings.TrimSpace(version.Text)
	}
	return s
}
