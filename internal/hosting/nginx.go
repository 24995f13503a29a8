package hosting

import (
	"bytes"
	"fmt"
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
	common := shared(t.entries())
	varying := nginxVarying(t.entries(), common)
	outputs := []Output{{Path: "nginx/a2a-http.conf", Data: nginxHTTP(t, varying)}}
	for _, s := range t.Sites {
		file := "nginx/a2a-locations.conf"
		if s.Host != "" {
			file = "nginx/a2a-locations-" + s.Host + ".conf"
		}
		outputs = append(outputs, Output{Path: file, Data: nginxLocations(t, s, common, varying)})
	}
	return outputs
}

func nginxHTTP(t Table, varying []string) []byte {
	var b bytes.Buffer
	b.WriteString(head("#", "nginx",
		"use: include this file once in http { }, and a2a-locations*.conf in the server { } of the site",
		"after every generate: nginx -t && nginx -s reload"))
	fmt.Fprintf(&b, "\nmap_hash_bucket_size %d;\n", nginxBucket(t))
	if size := 8 * len(t.entries()); size > nginxMapSize {
		fmt.Fprintf(&b, "map_hash_max_size %d;\n", size)
	}

	if t.codes() {
		nginxCodings(&b, t)
	}
	b.WriteString("\n# the tag of each file: all that changes when a card does\n")
	tags, key := t, nginxKey(t)
	if t.codes() {
		key += "$a2a_suffix"
		tags.Sites = slices.Clone(t.Sites)
		for i, s := range t.Sites {
			tags.Sites[i].Entries = append(slices.Clip(s.Entries), s.coded()...)
		}
	}
	nginxMapping(&b, tags, key, "$a2a_etag", `""`, Entry.ETag)
	for _, name := range varying {
		b.WriteByte('\n')
		nginxMap(&b, t, nginxVariable(name), func(e Entry) string { return Value(e.Headers, name) })
	}
	if t.stores() {
		b.WriteString("\n# where the bytes of that tag are\n")
		nginxMapping(&b, t, nginxKey(t), "$a2a_file", "$uri", func(e Entry) string { return e.Stored })
	}
	if len(t.Origins) > 1 {
		b.WriteString("\nmap $http_origin $a2a_origin {\n    default \"\";\n")
		for _, origin := range t.Origins {
			fmt.Fprintf(&b, "    %s $http_origin;\n", nginxQuote(origin))
		}
		b.WriteString("}\n")
	}
	b.WriteString(nginxFresh)
	return b.Bytes()
}

const nginxFresh = `
# 1 when a GET or HEAD names the tag of the file: alone, weak, in a list, or as *
map "$request_method $a2a_etag $http_if_none_match" $a2a_fresh {
    default 0;
    "~^(?:GET|HEAD) (\"[^\" ]+\") (?:.*,)?[ \t]*(?:W/)?\1[ \t]*(?:,.*)?$" 1;
    "~^(?:GET|HEAD) \"[^\" ]+\" [ \t]*\*[ \t]*$" 1;
}

# 1 when If-Match names it, which nginx itself does not know
map "$a2a_etag $http_if_match" $a2a_matching {
    default 0;
    "~^(\"[^\" ]+\") (?:.*,)?[ \t]*\1[ \t]*(?:,.*)?$" 1;
}
`

// nginxCodings finds out in which coding a client gets a list: what is appended to its
// path, and what is said of it.
func nginxCodings(b *bytes.Buffer, t Table) {
	b.WriteString("\n# the coding of a list, by what a client accepts\n")
	nginxMap(b, t, "$a2a_list", func(e Entry) string {
		if len(e.Codings) == 0 {
			return ""
		}
		return "list"
	})
	for _, m := range []struct {
		variable string
		of       func(tree.Coding) string
	}{
		{"$a2a_suffix", func(c tree.Coding) string { return c.Suffix }},
		{"$a2a_coding", func(c tree.Coding) string { return c.Name }},
	} {
		fmt.Fprintf(b, "map \"$a2a_list,$http_accept_encoding\" %s {\n    default \"\";\n", m.variable)
		for _, c := range tree.Codings() {
			fmt.Fprintf(b, "    %s %s;\n", nginxQuote("~*^list.*"+accepts(c)), m.of(c))
		}
		b.WriteString("}\n")
	}
}

// nginxMap writes a map from the place of a file to a value, where it has one.
func nginxMap(b *bytes.Buffer, t Table, variable string, of func(Entry) string) {
	nginxMapping(b, t, nginxKey(t), variable, `""`, of)
}

// nginxKey is what tells the places of files apart.
func nginxKey(t Table) string {
	if len(t.Sites) > 0 && t.Sites[0].Host != "" {
		return "$host$uri"
	}
	return "$uri"
}

func nginxMapping(b *bytes.Buffer, t Table, key, variable, otherwise string, of func(Entry) string) {
	fmt.Fprintf(b, "map %s %s {\n    default %s;\n", key, variable, otherwise)
	for _, s := range t.Sites {
		for _, e := range s.Entries {
			if v := of(e); v != "" && !e.directory() {
				fmt.Fprintf(b, "    %s%s %s;\n", s.Host, e.Path, nginxQuote(v))
			}
		}
	}
	b.WriteString("}\n")
}

// nginxMapSize is the default of map_hash_max_size. nginx warns when keys do not fit into
// so many buckets: of those of cards that are found by their digest a bucket holds two.
const nginxMapSize = 2048

// nginxBucket is the bucket size that the longest key of a map needs: nginx
// adds a pointer, two bytes of length and alignment, and wants a power of two.
func nginxBucket(t Table) int {
	size := 256
	for _, s := range t.Sites {
		for _, e := range s.Entries {
			for size < len(s.Host)+len(e.Path)+32 {
				size *= 2
			}
		}
	}
	return size
}

func nginxLocations(t Table, s Site, common []Header, varying []string) []byte {
	var b bytes.Buffer
	where := "the web root" + t.about()
	if s.Host != "" {
		where = "the web root of " + s.Host
	}
	b.WriteString(head("#", "nginx",
		"use: include this file in the server { } whose root is "+root(t, s)+", "+where,
		"and a2a-http.conf once in http { }; after every generate: nginx -t && nginx -s reload"))

	for _, e := range s.Entries {
		switch {
		case skillsDir(e) != "":
		case e.directory():
			fmt.Fprintf(&b, "\nlocation = %s {\n    rewrite ^ %[1]s%s last;\n}\n", e.Path, tree.PagePath)
		default:
			fmt.Fprintf(&b, "\nlocation = %s {\n", e.Path)
			nginxLocation(&b, s, e, common, varying)
			b.WriteString("}\n")
		}
	}
	dirs, classes := nginxSkills(s.Entries)
	for _, dir := range dirs {
		fmt.Fprintf(&b, "\nlocation ^~ %s {\n    return 404;\n", dir)
		if s.codes() { // a file in a coding has a tag as well
			fmt.Fprintf(&b, "\n    location ~ %s { return 404; }\n", hidden(s.Entries))
		}
		for _, class := range classes[dir] {
			fmt.Fprintf(&b, "\n    location ~ %s {\n    if ($a2a_etag = \"\") { return 404; }\n", class.Pattern)
			nginxLocation(&b, s, Entry{ContentType: class.ContentType}, common, varying)
			b.WriteString("    }\n")
		}
		b.WriteString("}\n")
	}

	for _, m := range s.Moved {
		fmt.Fprintf(&b, "\nlocation = %s {\n    if ($request_method = OPTIONS) { return 419; }\n"+
			"    error_page 419 =204 @a2a_preflight;\n    absolute_redirect off;\n    expires off;\n", m.From)
		for _, h := range m.Headers {
			nginxField(&b, h)
		}
		fmt.Fprintf(&b, "    return 308 %s;\n}\n", m.To)
	}

	file := "$request_filename"
	b.WriteString("\nlocation @a2a_fresh {\n")
	if s.immutable() {
		file = "$document_root$a2a_file"
		b.WriteString("    error_page 404 = @a2a_moved;\n")
	}
	nginxFile(&b, "", common, varying)
	fmt.Fprintf(&b, "    if (!-f %s) { return 404; }\n    return 304;\n", file)
	if s.immutable() {
		b.WriteString("}\n\n# another release is coming: a card without a tag\nlocation @a2a_moved {\n")
		nginxMoved(&b, "application/json", common, varying)
	}
	if s.codes() {
		b.WriteString("}\n\n# another release is coming: a list without a coding, and without a tag\nlocation @a2a_whole {\n")
		nginxMoved(&b, "", common, varying)
	}
	b.WriteString("}\n\n# 203, because with 200 nginx would compare the tag, and not know it\nlocation @a2a_matching {\n")
	suffix := ""
	if s.codes() {
		suffix = "$a2a_suffix"
		nginxHeader(&b, "Content-Encoding", "$a2a_coding")
	}
	switch {
	case s.immutable():
		b.WriteString("    try_files $a2a_file" + suffix + " @a2a_moved;\n")
	case s.codes():
		b.WriteString("    try_files $uri" + suffix + " =404;\n")
	}
	nginxFile(&b, "application/json", common, varying)
	b.WriteString("}\n\nlocation @a2a_preflight {\n")
	for _, h := range t.Preflight {
		nginxField(&b, h)
	}
	b.WriteString("    return 204;\n}\n")
	fmt.Fprintf(&b, "\nlocation @a2a_refused {\n    add_header Allow %s always;\n    return 405;\n}\n",
		nginxQuote(Methods))
	b.WriteString("\n# what is for servers, not for clients\nlocation ~ " + hidden(s.Entries) + " {\n    return 404;\n}\n")
	return b.Bytes()
}

// nginxLocation writes what is in the location of a file.
func nginxLocation(b *bytes.Buffer, s Site, e Entry, common []Header, varying []string) {
	if s.Host != "" {
		fmt.Fprintf(b, "    if ($host != %s) { return 421; }\n", nginxQuote(s.Host))
	}
	elsewhere := e.Stored != "" || len(e.Codings) > 0
	if elsewhere && len(varying) > 0 { // what is looked up by a path is so before that is another one
		variables := make([]string, len(varying))
		for i, name := range varying {
			variables[i] = nginxVariable(name)
		}
		fmt.Fprintf(b, "    set $a2a_seen \"%s\";\n", strings.Join(variables, ""))
	}
	b.WriteString("    if ($request_method = OPTIONS) { return 419; }\n")
	b.WriteString("    if ($a2a_fresh) { return 418; }\n")
	b.WriteString("    if ($a2a_matching) { return 420; }\n")
	b.WriteString("    error_page 405 @a2a_refused;\n")
	b.WriteString("    error_page 418 = @a2a_fresh;\n")
	b.WriteString("    error_page 419 =204 @a2a_preflight;\n")
	b.WriteString("    error_page 420 =203 @a2a_matching;\n")
	if e.Stored != "" {
		b.WriteString("    recursive_error_pages on;\n    try_files $a2a_file @a2a_moved;\n")
	}
	if len(e.Codings) > 0 {
		b.WriteString("    try_files $uri$a2a_suffix @a2a_whole;\n")
		nginxHeader(b, "Content-Encoding", "$a2a_coding")
	}
	nginxFile(b, e.ContentType, common, varying)
}

// nginxSkills are the directories of skills, each with the classes of the files in it.
// There may be many thousands of these, and nginx needs 35 kB of memory for each
// location. The map of tags says which of them there are.
func nginxSkills(entries []Entry) (dirs []string, classes map[string][]tree.Class) {
	used := map[string][]int{}
	for _, e := range entries {
		if dir := skillsDir(e); dir != "" && !slices.Contains(used[dir], tree.ClassOf(e.Path)) {
			used[dir] = append(used[dir], tree.ClassOf(e.Path))
		}
	}
	classes = map[string][]tree.Class{}
	for dir, list := range used {
		for _, i := range slices.Sorted(slices.Values(list)) { // the first one that matches counts
			classes[dir] = append(classes[dir], tree.Classes()[i])
		}
	}
	return slices.Sorted(maps.Keys(classes)), classes
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

// nginxFile writes how a file is sent. What a server { } around it may have
// switched on, and what would change the bytes or the headers, is off.
func nginxFile(b *bytes.Buffer, contentType string, common []Header, varying []string) {
	fmt.Fprintf(b, "    types { }\n    default_type %s;\n", nginxQuote(contentType))
	b.WriteString("    charset off;\n    expires off;\n    gzip off;\n    etag off;\n    if_modified_since off;\n")
	nginxHeader(b, "ETag", "$a2a_etag")
	nginxUntagged(b, common, varying)
}

// nginxMoved sends the file that is there, which is not the one of the tag. Without a
// content type, nginx goes by the name.
func nginxMoved(b *bytes.Buffer, contentType string, common []Header, varying []string) {
	if contentType != "" {
		fmt.Fprintf(b, "    types { }\n    default_type %s;\n", contentType)
	}
	b.WriteString("    charset off;\n    expires off;\n    gzip off;\n" +
		"    etag off;\n    if_modified_since off;\n")
	nginxUntagged(b, common, varying)
}

func nginxUntagged(b *bytes.Buffer, common []Header, varying []string) {
	for _, h := range common {
		nginxField(b, h)
	}
	for _, name := range varying {
		nginxHeader(b, name, nginxVariable(name))
	}
}

func nginxField(b *bytes.Buffer, h Header) {
	if h.Value == RequestOrigin {
		nginxHeader(b, h.Name, "$a2a_origin")
		return
	}
	nginxHeader(b, h.Name, nginxQuote(h.Value))
}

func nginxHeader(b *bytes.Buffer, name, value string) {
	fmt.Fprintf(b, "    add_header %s %s;\n", name, value)
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

func nginxVariable(header string) string {
	return "$a2a_" + strings.ReplaceAll(strings.ToLower(header), "-", "_")
}

// nginxQuote writes a string of nginx. It has no escape for $, which no value
// in the table can hold.
func nginxQuote(s string) string {
	return `"` + nginxEscapes.Replace(s) + `"`
}

var nginxEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
