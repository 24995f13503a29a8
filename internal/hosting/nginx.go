package hosting

import (
	"bytes"
	"fmt"
	"strings"

	"cardwright/internal/tree"
)

// nginx judges conditional requests before it adds headers, so a tag given by
// add_header alone never yields a 304. Here a map decides whether the request
// names the tag, and a named location answers with the same headers and the
// status 304: through the file, so that a card that is gone stays a 404.
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
	if n := len(t.entries()); n > nginxMapSize/2 {
		fmt.Fprintf(&b, "map_hash_max_size %d;\n", 2*n)
	}

	b.WriteString("\n# the tag of each file: all that changes when a card does\n")
	nginxMap(&b, t, "$a2a_etag", Entry.ETag)
	for _, name := range varying {
		b.WriteByte('\n')
		nginxMap(&b, t, nginxVariable(name), func(e Entry) string { return value(e.Headers, name) })
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
`

// nginxMap writes a map from the place of a file to a value, where it has one.
func nginxMap(b *bytes.Buffer, t Table, variable string, of func(Entry) string) {
	key := "$uri"
	if len(t.Sites) > 0 && t.Sites[0].Host != "" {
		key = "$host$uri"
	}
	fmt.Fprintf(b, "map %s %s {\n    default \"\";\n", key, variable)
	for _, s := range t.Sites {
		for _, e := range s.Entries {
			if v := of(e); v != "" && !e.directory() {
				fmt.Fprintf(b, "    %s%s %s;\n", s.Host, e.Path, nginxQuote(v))
			}
		}
	}
	b.WriteString("}\n")
}

// nginxMapSize is the default of map_hash_max_size; nginx warns when a map has
// not about twice as many buckets as keys.
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
		fmt.Fprintf(&b, "\nlocation = %s {\n", e.Path)
		if e.directory() {
			fmt.Fprintf(&b, "    rewrite ^ %s%s last;\n}\n", e.Path, tree.PagePath)
			continue
		}
		if s.Host != "" {
			fmt.Fprintf(&b, "    if ($host != %s) { return 421; }\n", nginxQuote(s.Host))
		}
		b.WriteString("    if ($request_method = OPTIONS) { return 419; }\n")
		b.WriteString("    if ($a2a_fresh) { return 418; }\n")
		b.WriteString("    error_page 405 @a2a_refused;\n")
		b.WriteString("    error_page 418 =304 @a2a_fresh;\n")
		b.WriteString("    error_page 419 =204 @a2a_preflight;\n")
		nginxFile(&b, e.ContentType, common, varying)
		b.WriteString("}\n")
	}

	b.WriteString("\nlocation @a2a_fresh {\n")
	nginxFile(&b, "", common, varying)
	b.WriteString("}\n\nlocation @a2a_preflight {\n")
	for _, h := range t.Preflight {
		nginxHeader(&b, h.Name, nginxQuote(h.Value))
	}
	b.WriteString("    return 204;\n}\n")
	fmt.Fprintf(&b, "\nlocation @a2a_refused {\n    add_header Allow %s always;\n    return 405;\n}\n",
		nginxQuote(Methods))
	b.WriteString("\n# what is for servers, not for clients\nlocation ~ " + hidden(s.Entries) + " {\n    return 404;\n}\n")
	return b.Bytes()
}

// nginxFile writes how a file is sent. What a server { } around it may have
// switched on, and what would change the bytes or the headers, is off.
func nginxFile(b *bytes.Buffer, contentType string, common []Header, varying []string) {
	fmt.Fprintf(b, "    types { }\n    default_type %s;\n", nginxQuote(contentType))
	b.WriteString("    charset off;\n    expires off;\n    gzip off;\n    etag off;\n    if_modified_since off;\n")
	nginxHeader(b, "ETag", "$a2a_etag")
	for _, h := range common {
		nginxHeader(b, h.Name, nginxQuote(h.Value))
	}
	for _, name := range varying {
		nginxHeader(b, name, nginxVariable(name))
	}
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
