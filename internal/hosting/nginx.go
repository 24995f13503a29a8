package hosting

import (
	"maps"
	"slices"
	"strings"

	"cardwright/internal/tree"
)

// nginx judges conditional requests before it adds headers, so a tag given by
// add_header alone never yields a 304. Here a map decides whether the request
// names the tag, and a named location answers 304 with the same headers, or 404
// where the card is gone. It must not answer through the file: its length would
// be announced, and clients of HTTP/2 wait for a body that never comes.
//
// If-Match with the right tag gets the card with status 203. With 200,
// ngx_http_not_modified_header_filter compares it with the tag of nginx itself, before
// add_header, and answers 412: of all answers but those of an upstream, and no directive
// takes the header off a request.
func nginx(t Table) []Output {
	n := &nginxServer{Table: t, Common: shared(t.entries())}
	n.Varying = nginxVarying(t.entries(), n.Common)
	n.Tagged, n.Untagged = string(fill("nginx-tagged", n)), string(fill("nginx-untagged", n))
	outputs := []Output{{Path: "nginx/a2a-http.conf", Data: fill("nginx-http", n)}}
	for _, s := range t.Sites {
		file := "nginx/a2a-locations.conf"
		if s.Host != "" {
			file = "nginx/a2a-locations-" + s.Host + ".conf"
		}
		n.WebRoot = s
		outputs = append(outputs, Output{Path: file, Data: fill("nginx-locations", n)})
	}
	return outputs
}

// nginxServer is a table, and a site of it, as the templates for nginx take them.
type nginxServer struct {
	Table
	WebRoot
	Common  []Header
	Varying []string // names of other headers, each with a map
	// Tagged and Untagged are the lines of every file, with its tag and without.
	Tagged, Untagged string
}

// nginxMap is a map { } of nginx: what a variable is where the key has one of the values.
type nginxMap struct {
	About                  []string // lines in front of it
	Key, Variable, Default string
	Rows                   []nginxRow
}

type nginxRow struct{ Key, Value string }

// Maps are the maps that depend on the table.
func (n *nginxServer) Maps() []nginxMap {
	tags, key := n.Table, nginxKey(n.Table)
	var maps []nginxMap
	if n.Table.codes() {
		maps = nginxCodings(n.Table)
		key += "$a2a_suffix"
		tags.Sites = slices.Clone(n.Sites)
		for i, s := range n.Sites {
			tags.Sites[i].Entries = append(slices.Clip(s.Entries), s.coded()...)
		}
	}
	tagged := nginxMapping(tags, key, "$a2a_etag", Entry.ETag)
	tagged.About = []string{"", "# the tag of each file: all that changes when a card does"}
	maps = append(maps, tagged)
	for _, name := range n.Varying {
		values := nginxMapping(n.Table, nginxKey(n.Table), nginxVariable(name), func(e Entry) string {
			return Value(e.Headers, name)
		})
		values.About = []string{""}
		maps = append(maps, values)
	}
	if n.stores() {
		places := nginxMapping(n.Table, nginxKey(n.Table), "$a2a_file", func(e Entry) string { return e.Stored })
		places.About, places.Default = []string{"", "# where the bytes of that tag are"}, "$uri"
		maps = append(maps, places)
	}
	if len(n.Origins) > 1 {
		origins := nginxMap{About: []string{""}, Key: "$http_origin", Variable: "$a2a_origin", Default: `""`}
		for _, origin := range n.Origins {
			origins.Rows = append(origins.Rows, nginxRow{nginxQuote(origin), "$http_origin"})
		}
		maps = append(maps, origins)
	}
	return maps
}

// nginxCodings find out in which coding a client gets a list: what is appended to its
// path, and what is said of it.
func nginxCodings(t Table) []nginxMap {
	lists := nginxMapping(t, nginxKey(t), "$a2a_list", func(e Entry) string {
		if len(e.Codings) == 0 {
			return ""
		}
		return "list"
	})
	lists.About = []string{"", "# the coding of a list, by what a client accepts"}
	const key = `"$a2a_list,$http_accept_encoding"`
	suffixes := nginxMap{Key: key, Variable: "$a2a_suffix", Default: `""`}
	names := nginxMap{Key: key, Variable: "$a2a_coding", Default: `""`}
	for _, c := range tree.Codings() {
		accepted := nginxQuote("~*^list.*" + accepts(c))
		suffixes.Rows = append(suffixes.Rows, nginxRow{accepted, c.Suffix})
		names.Rows = append(names.Rows, nginxRow{accepted, c.Name})
	}
	return []nginxMap{lists, suffixes, names}
}

// nginxKey is what tells the places of files apart.
func nginxKey(t Table) string {
	if t.byHost() {
		return "$host$uri"
	}
	return "$uri"
}

// nginxMapping is a map from the place of a file to a value, where it has one.
func nginxMapping(t Table, key, variable string, of func(Entry) string) nginxMap {
	m := nginxMap{Key: key, Variable: variable, Default: `""`}
	for _, s := range t.Sites {
		for _, e := range s.Entries {
			if v := of(e); v != "" && !e.directory() {
				m.Rows = append(m.Rows, nginxRow{s.Host + e.Path, nginxQuote(v)})
			}
		}
	}
	return m
}

// nginxMapSize is the default of map_hash_max_size. nginx warns when keys do not fit into
// so many buckets: of those of cards that are found by their digest a bucket holds two.
const nginxMapSize = 2048

// Bucket is the bucket size that the longest key of a map needs: nginx
// adds a pointer, two bytes of length and alignment, and wants a power of two.
func (n *nginxServer) Bucket() int {
	size := 256
	for _, s := range n.Sites {
		for _, e := range s.Entries {
			for size < len(s.Host)+len(e.Path)+32 {
				size *= 2
			}
		}
	}
	return size
}

// Size is how many buckets a map needs, 0 where the default is enough.
func (n *nginxServer) Size() int {
	if size := 8 * len(n.entries()); size > nginxMapSize {
		return size
	}
	return 0
}

// Use says where a file with locations goes.
func (n *nginxServer) Use() string {
	where := "the web root" + n.about()
	if n.Host != "" {
		where = "the web root of " + n.Host
	}
	return "use: include this file in the server { } whose root is " + root(n.Table, n.WebRoot) + ", " + where
}

// nginxLocation is a location of a site: a directory with its page, or files of a type.
type nginxLocation struct {
	Path, Host, ContentType, Tagged string
	Varying                         []string
	Directory, Stored, Coded        bool
}

// location is the location of an entry.
func (n *nginxServer) location(e Entry) nginxLocation {
	return nginxLocation{
		Path: e.Path, Host: n.Host, ContentType: e.ContentType, Tagged: n.Tagged, Varying: n.Varying,
		Directory: e.directory(), Stored: e.Stored != "", Coded: len(e.Codings) > 0,
	}
}

// Single are the locations of one file each.
func (n *nginxServer) Single() []nginxLocation {
	var all []nginxLocation
	for _, e := range n.Entries {
		if skillsDir(e) == "" {
			all = append(all, n.location(e))
		}
	}
	return all
}

// OfType is the location of files of a content type.
func (n *nginxServer) OfType(contentType string) nginxLocation {
	return n.location(Entry{ContentType: contentType})
}

// nginxSkills is a directory of skills, with the classes of the files in it.
type nginxSkills struct {
	Dir     string
	Classes []tree.Class
}

// Skills are the directories of skills. There may be many thousands of files in these, and
// nginx needs 35 kB of memory for each location. The map of tags says which of them there
// are.
func (n *nginxServer) Skills() []nginxSkills {
	used := map[string][]int{}
	for _, e := range n.Entries {
		if dir := skillsDir(e); dir != "" && !slices.Contains(used[dir], tree.ClassOf(e.Path)) {
			used[dir] = append(used[dir], tree.ClassOf(e.Path))
		}
	}
	var all []nginxSkills
	for _, dir := range slices.Sorted(maps.Keys(used)) {
		skills := nginxSkills{Dir: dir}
		for _, i := range slices.Sorted(slices.Values(used[dir])) { // the first one that matches counts
			skills.Classes = append(skills.Classes, tree.Classes()[i])
		}
		all = append(all, skills)
	}
	return all
}

// skillsDir is the directory of skills that a file is in, "" for none.
func skillsDir(e Entry) string {
	for _, name := range []string{tree.SkillsDir, tree.LegacySkillsDir} {
		before, _, found := strings.Cut(e.Path, "/"+name+"/")
		if found && !e.directory() && len(e.Codings) == 0 &&
			e.ContentType == tree.Classes()[tree.ClassOf(e.Path)].ContentType {
			return before + "/" + name + "/"
		}
	}
	return ""
}

// nginxVarying names the headers that only some entries have, or that differ
// among them. They become maps: an empty value leaves the header out.
func nginxVarying(entries []Entry, common []Header) []string {
	var names []string
	seen := map[string]bool{}
	for _, e := range entries {
		for _, h := range without(e.Headers, common) {
			if !seen[h.Name] {
				seen[h.Name] = true
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// nginxValue is the value of a header, as add_header takes it.
func nginxValue(h Header) string {
	if h.Value == RequestOrigin {
		return "$a2a_origin"
	}
	return nginxQuote(h.Value)
}

func nginxVariable(header string) string {
	return "$a2a_" + strings.ReplaceAll(strings.ToLower(header), "-", "_")
}

// nginxQuote writes a string of nginx. It has no escape for $, which no value
// in the table can hold.
func nginxQuote(s string) string {
	return `"` + nginxEscapes.Replace(s) + `"`
}

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
