package mapping

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Manifest is a file in which a directory says what it is. A new one needs a row in
// [Manifests] and an example in testdata/workspaces.
type Manifest struct {
	Name string                         // below the directory that it describes
	Type SourceType                     // of the source that reads it
	List bool                           // it lists directories, each with an entry
	read func(*described, *source.Node) // nil where the source is the file
}

// IsOf reports whether a file with the name of the manifest is one, nil for a file that
// cannot be read: other programs have a plugin.json too, with an id.
func (m Manifest) IsOf(n *source.Node) bool {
	return m.Name != "plugin.json" || n == nil || n.Get("id") == nil ||
		strings.HasPrefix(text(n.Get("$schema")), "https://agent-plugins.org/")
}

// Manifests are all of them. What an earlier one says wins over a later one.
func Manifests() []Manifest {
	return []Manifest{
		{Name: "agent-card.json", Type: TypeCard},
		{Name: "agent_card.json", Type: TypeCard},
		{Name: ".well-known/agent-card.json", Type: TypeCard},
		{Name: ".well-known/agent.json", Type: TypeCard},
		{Name: "forge.yaml", Type: TypeForge},
		{Name: ".claude-plugin/plugin.json", Type: TypePlugin, read: (*described).plugin},
		{Name: "plugin.json", Type: TypePlugin, read: (*described).plugin}, // Agent Plugins 1.0.0
		{Name: ".plugin/plugin.json", Type: TypePlugin, read: (*described).plugin},
		{Name: ".codex-plugin/plugin.json", Type: TypePlugin, read: (*described).plugin},
		{Name: ".cursor-plugin/plugin.json", Type: TypePlugin, read: (*described).plugin},
		{Name: ".github/plugin/plugin.json", Type: TypePlugin, read: (*described).plugin}, // Copilot
		{Name: "gemini-extension.json", Type: TypePlugin, read: (*described).plugin},
		{Name: ".claude-plugin/marketplace.json", Type: TypePlugin, List: true},
		{Name: ".cursor-plugin/marketplace.json", Type: TypePlugin, List: true},
		{Name: ".agents/plugins/marketplace.json", Type: TypePlugin, List: true},
		{Name: ".github/plugin/marketplace.json", Type: TypePlugin, List: true},
		{Name: "package.json", Type: TypePackage, read: (*described).npm},
		{Name: "pyproject.toml", Type: TypePackage, read: (*described).python},
		{Name: "Cargo.toml", Type: TypePackage, read: (*described).cargo},
	}
}

// described is what manifests say of one directory.
type described struct {
	CardPart
	files    []string // that say something
	rank     int      // of the first of them, in [Manifests]
	keywords []string
	skills   []string // directories and files below the directory
	listed   bool     // skills is all that is public
	agents   []string // directories and files with subagents
	id       *source.Node
	owner    *source.Node
	author   string         // the first organization that is named
	versions []*source.Node // the first one counts
	found    diag.List
}

// named reads the id and the version of a manifest. A plugin has both in several of them.
func (d *described) named(n *source.Node) {
	d.id = present(d.id, n.Get("name"))
	if version := present(n.Get("version")); version != nil {
		d.versions = append(d.versions, version)
	}
}

// disagree reports once that the versions of manifests differ, and names them all.
func (d *described) disagree() {
	var list []string
	differ := false
	for _, v := range d.versions {
		list = append(list, text(v)+" in "+v.Span.File)
		differ = differ || text(v) != text(d.versions[0])
	}
	if differ {
		d.found = append(d.found, diag.New(diag.SourceVersionConflict, d.versions[0].Span,
			"the manifests give different versions: %s; the first one counts", strings.Join(list, ", ")).
			WithHint("give all of them the same version"))
	}
}

// plugin reads what a plugin.json says, or the entry of a marketplace.
func (d *described) plugin(n *source.Node) {
	d.named(n)
	face := n.Get("interface")
	d.text("/name", &d.Card.Name, n.Get("displayName"), face.Get("displayName"))
	d.text("/description", &d.Card.Description, n.Get("description"), face.Get("shortDescription"))
	d.text("/version", &d.Card.Version, n.Get("version"))
	d.documentation(n.Get("homepage"), n.Get("repository"))
	d.provider(n.Get("author"), n.Get("homepage"), n.Get("repository"))
	for _, list := range []*source.Node{
		n.Get("keywords"), n.Get("tags"), n.Get("category"), n.Get("categories"), face.Get("category"),
	} {
		for _, e := range entries(list, splitAll) {
			if tag := strings.ToLower(e.text); len(d.keywords) < maxKeywords && !slices.Contains(d.keywords, tag) {
				d.keywords = append(d.keywords, tag)
			}
		}
	}
	if skills := n.Get("skills"); skills.Is(source.Array) && (!d.listed || d.owner != nil) {
		if !d.listed {
			d.skills = nil
		}
		d.skills, d.listed = append(d.skills, d.paths(skills)...), true
	} else if !d.listed && len(d.skills) == 0 && skills.Scalar() {
		d.skills = []string{skills.Text}
	}
	if agents := n.Get("agents"); len(d.agents) == 0 && agents != nil {
		d.agents = append(agents.Words(), text(agents))
	}
}

// paths returns the paths of a list of skills: each entry is one, or an object with a
// path. A list with any other entry has none, so that a mistake publishes nothing.
func (d *described) paths(list *source.Node) []string {
	var paths []string
	for _, item := range list.Items {
		at := item
		if item.Is(source.Object) {
			at = present(item.Get("path"), item.Get("source"))
		}
		if text(at) == "" {
			d.found = append(d.found, diag.New(diag.SourceInvalid, item.Span,
				"an entry of skills is neither a path nor an object with a path, so none of the list is published").
				WithHint(`write the directory of the skill: "./skills/pdf"`))
			return nil
		}
		paths = append(paths, text(at))
	}
	return paths
}

// npm reads what a package.json says that belongs on a card.
func (d *described) npm(n *source.Node) {
	d.id = present(d.id, n.Get("name"))
	d.text("/description", &d.Card.Description, n.Get("description"))
	d.text("/version", &d.Card.Version, n.Get("version"))
	d.documentation(n.Get("homepage"), n.Get("repository"))
	d.provider(n.Get("author"), n.Get("homepage"), n.Get("repository"))
}

// python reads what a pyproject.toml says: of the project, or of Poetry.
func (d *described) python(n *source.Node) {
	for _, of := range []*source.Node{n.Get("project"), n.Get("tool").Get("poetry")} {
		d.id = present(d.id, of.Get("name"))
		d.text("/description", &d.Card.Description, of.Get("description"))
		d.text("/version", &d.Card.Version, of.Get("version"))
		links := of.Get("urls")
		repository := present(links.Get("Repository"), links.Get("Source"), of.Get("repository"))
		for _, author := range of.Get("authors").Elements() {
			d.provider(author, links.Get("Homepage"), repository)
		}
		home := present(links.Get("Documentation"), links.Get("Homepage"), links.Get("homepage"), of.Get("homepage"))
		d.documentation(home, repository)
	}
}

// cargo reads what a Cargo.toml says.
func (d *described) cargo(n *source.Node) {
	of := n.Get("package")
	d.id = present(d.id, of.Get("name"))
	d.text("/description", &d.Card.Description, of.Get("description"))
	d.text("/version", &d.Card.Version, of.Get("version"))
	d.documentation(present(of.Get("documentation"), of.Get("homepage")), of.Get("repository"))
}

// text reads the first text for a member that nothing has given yet.
func (d *described) text(pointer string, to *string, nodes ...*source.Node) {
	if n := present(nodes...); n != nil && *to == "" {
		*to = d.read(pointer, n)
		if pointer == "/version" {
			*to = strings.Join(strings.Fields(*to), " ") // of one line
		}
	}
}

func (d *described) documentation(nodes ...*source.Node) {
	for _, n := range nodes {
		if link := webAddress(n); link != "" && d.Card.DocumentationURL == "" {
			d.Card.DocumentationURL = link
			d.place("/documentationUrl", n)
		}
	}
}

// provider reads the author, never an e-mail address. A card needs a URL of the
// provider: the author's own, or else where the plugin is at home.
func (d *described) provider(author *source.Node, homes ...*source.Node) {
	if author == nil || d.Card.Provider != nil {
		return
	}
	name, link := text(author.Get("name")), webAddress(author.Get("url"))
	if author.Scalar() { // Acme <mail@acme.example> (https://acme.example)
		rest, in, _ := strings.Cut(text(author), "(")
		link = webAddress(&source.Node{Kind: source.String, Text: strings.TrimRight(in, ") ")})
		name, _, _ = strings.Cut(rest, "<")
		name = strings.TrimSpace(name)
	}
	for _, home := range homes {
		link = cmp.Or(link, ownerOf(webAddress(home), name))
	}
	d.author = cmp.Or(d.author, name)
	if name != "" && link != "" {
		d.Card.Provider = &schema.Provider{Organization: name, URL: link}
		d.place("/provider", author)
	}
}

func (d *described) place(pointer string, n *source.Node) {
	d.Places = append(d.Places, Place{Pointer: pointer, Span: n.Span})
}

// webAddress returns the URL that a member has, as a text or as {"url": …}, and "" for
// any that a browser cannot open.
func webAddress(n *source.Node) string {
	if n.Is(source.Object) {
		n = n.Get("url")
	}
	link := strings.TrimPrefix(text(n), "git+")
	if rest, ok := strings.CutPrefix(link, "github:"); ok {
		link = "https://github.com/" + rest
	}
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return strings.TrimSuffix(link, ".git")
}

// ownerOf returns the page of the owner of a repository on a forge, and of any other
// address the host where a part of it is the name of the organization: a person's name
// is not joined with the address of a company.
func ownerOf(link, organization string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return ""
	}
	owner, _, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if slices.Contains([]string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}, u.Host) && owner != "" {
		return "https://" + u.Host + "/" + owner
	}
	word, _, _ := strings.Cut(organization, " ")
	if slices.Contains(strings.Split(strings.ToLower(u.Hostname()), "."), strings.ToLower(word)) {
		return u.Scheme + "://" + u.Host
	}
	return ""
}

// describe reads the manifests of one type in the directory of a source, and the
// entries about it in the marketplaces of the directories above.
func (r *Reader) describe(tree Tree, t SourceType) described {
	d := described{rank: len(Manifests())}
	for i, m := range Manifests() {
		if file := path.Join(tree.Root, m.Name); m.Type == t && !m.List && isFile(tree, file) {
			r.manifest(&d, tree, file, i)
		}
	}
	for dir := tree.Root; t == TypePlugin; dir = path.Dir(dir) {
		for _, m := range Manifests() {
			if m.List {
				r.entries(&d, tree, dir, path.Join(dir, m.Name))
			}
		}
		if dir == "." {
			break
		}
	}
	if id := present(d.id, d.owner.Get("name")); d.Card.Name == "" && id != nil {
		name := d.read("/name", id)
		if t == TypePackage {
			name = path.Base(name) // without the scope of npm
		}
		d.Card.Name = Title(name)
	}
	d.disagree()
	return d
}

// manifest reads one manifest, a row of [Manifests].
func (r *Reader) manifest(d *described, tree Tree, file string, row int) {
	if inside(tree.FS, tree.Root, file) != nil {
		// It is an error, because without its list of skills all of them would be public.
		d.found = append(d.found, diag.New(diag.SourceUnreadable, diag.Span{File: tree.Show(file)},
			"the manifest is a link, and %s", errLeaves).WithSeverity(diag.Error).WithHint("replace the link with the file"))
		return
	}
	m, read := Manifests()[row], r.part
	if m.Type == TypePlugin {
		read = r.listing
	}
	n, found := read(tree, file)
	if d.found = append(d.found, found...); n.Is(source.Object) && m.IsOf(n) {
		d.files, d.rank = append(d.files, file), min(d.rank, row)
		m.read(d, n)
	}
}

// Markets are the marketplaces that a run has read: each plugin below one asks for it.
type Markets struct{ known sync.Map } // functions that return a market, by the path that findings name

// market is a marketplace, without entries where there is none.
type market struct {
	root    *source.Node
	entries map[string][]Listed // by directory
	found   diag.List
}

// market reads a marketplace once.
func (r *Reader) market(tree Tree, dir, file string) market {
	read := sync.OnceValue(func() market {
		m := market{entries: map[string][]Listed{}}
		if isFile(tree, file) {
			m.root, m.found = r.listing(tree, file)
		}
		for _, e := range Marketplace(m.root, dir) {
			m.entries[e.Dir] = append(m.entries[e.Dir], e)
		}
		return m
	})
	if r.Markets != nil {
		known, _ := r.Markets.known.LoadOrStore(tree.Show(file), read)
		read, _ = known.(func() market)
	}
	return read()
}

// entries reads what a marketplace says about the directory of a source: a single entry is
// its manifest. Several are bundles of one directory, which the marketplace describes, as
// it does its own.
func (r *Reader) entries(d *described, tree Tree, dir, file string) {
	market := r.market(tree, dir, file)
	list := market.entries[tree.Root]
	if d.found = append(d.found, market.found...); len(list) == 0 {
		return
	}
	d.files, d.owner, d.rank = append(d.files, file), market.root, 0
	meta := market.root.Get("metadata")
	homes := []*source.Node{meta.Get("homepage"), meta.Get("repository")}
	for _, e := range list {
		n := e.Node
		homes = append(homes, n.Get("homepage"), n.Get("repository"))
		if len(list) > 1 {
			for _, key := range []string{"name", "displayName", "description", "version"} {
				n = n.Without(key)
			}
		}
		d.plugin(n)
	}
	if len(list) > 1 || dir == tree.Root {
		d.text("/description", &d.Card.Description, meta.Get("description"), market.root.Get("description"))
	}
	d.text("/version", &d.Card.Version, meta.Get("version"), market.root.Get("version"))
	d.provider(market.root.Get("owner"), homes...)
}

// Listed is an entry of a marketplace about a directory beside it.
type Listed struct {
	Dir  string // in the file system
	Node *source.Node
}

// Marketplace returns the entries of a marketplace.json about directories below dir.
// Those about other repositories are left out.
func Marketplace(root *source.Node, dir string) []Listed {
	var list []Listed
	base := text(root.Get("metadata").Get("pluginRoot"))
	for _, n := range root.Get("plugins").Elements() {
		from := n.Get("source")
		if from.Is(source.Object) && text(from.Get("source")) == "local" { // of Codex
			from = from.Get("path")
		}
		if !from.Scalar() || strings.Contains(text(from), "://") {
			continue
		}
		at := path.Join(dir, text(from))
		if !strings.HasPrefix(text(from), "./") && base != "" {
			at = path.Join(dir, base, text(from))
		}
		list = append(list, Listed{at, n})
	}
	return list
}
