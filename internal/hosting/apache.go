package hosting

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Apache judges conditional requests against a tag of its own, made from size
// and time, and knows "*" as a match for anything: a request that names our tag
// is turned into that one. req_novary keeps If-None-Match out of Vary.
//
// Without a tag of its own (FileETag None) it takes ours away as well.
//
// Nothing here depends on where the lines stand, so a virtual host and an
// .htaccess file get the same ones, and either or both may be used.
func apache(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		file := "apache/a2a.conf"
		if s.Host != "" {
			file = "apache/a2a-" + s.Host + ".conf"
		}
		config := apacheConfig(t, s)
		outputs = append(outputs,
			Output{Root: true, Path: path.Join(s.Dir, ".htaccess"), Data: []byte(head("#", "apache",
				"use: needs AllowOverride FileInfo or All, Options FollowSymLinks, "+
					"and mod_headers, mod_rewrite and mod_env; no reload needed",
				"without AllowOverride, include "+file+" in the virtual host instead") + config)},
			Output{Path: file, Data: []byte(head("#", "apache",
				"use: include this file in the <VirtualHost> whose DocumentRoot is "+root(t, s)+t.about()+
					"; needs a2enmod headers rewrite env",
				"after every generate: apachectl configtest && apachectl graceful") + config)})
	}
	return outputs
}

func apacheConfig(t Table, s Site) string {
	var b bytes.Buffer
	ours := apacheAny(s)
	b.WriteString("\n<IfModule mod_rewrite.c>\n    RewriteEngine On\n")
	fmt.Fprintf(&b, "    RewriteCond expr \"! %s\"\n    RewriteRule ^ - [S=3]\n", ours)
	fmt.Fprintf(&b, "    RewriteCond %%{HTTP_HOST} \"!^%s(?::[0-9]+)?$\" [NC]\n    RewriteRule ^ - [R=421,L]\n",
		apacheHost(s))
	b.WriteString("    RewriteCond %{REQUEST_METHOD} =OPTIONS\n    RewriteRule ^ - [R=204,L]\n")
	b.WriteString("    RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$\n    RewriteRule ^ - [R=405,L]\n")
	b.WriteString("    RewriteCond %{REQUEST_URI} " + hidden(s.Entries) + "\n    RewriteRule ^ - [R=404,L]\n</IfModule>\n")

	common := shared(s.Entries)
	fmt.Fprintf(&b, "\n<If \"%s\">\n    FileETag MTime Size\n", ours)
	b.WriteString("    <IfModule mod_env.c>\n        SetEnv no-gzip 1\n        SetEnv no-brotli 1\n    </IfModule>\n" +
		"    <IfModule mod_headers.c>\n")
	apacheHeaders(&b, common)
	b.WriteString("        RequestHeader unset If-Modified-Since\n")
	for _, h := range t.Preflight {
		condition := "%{REQUEST_METHOD} == 'OPTIONS'"
		if h.Name == "Allow" {
			condition += " || %{REQUEST_STATUS} == 405"
		}
		fmt.Fprintf(&b, "        Header always set %s %s \"expr=%s\"\n", h.Name, apacheQuote(h.Value), condition)
	}
	b.WriteString("    </IfModule>\n</If>\n")

	for _, e := range s.Entries {
		fmt.Fprintf(&b, "\n<If \"%%{REQUEST_URI} == '%s'\">\n    ForceType %s\n    <IfModule mod_headers.c>\n", e.Path,
			apacheWord(e.ContentType))
		fmt.Fprintf(&b, "        RequestHeader set If-None-Match \"*\" \"expr=req_novary('If-None-Match') =~ "+
			"m#(?:^|,)\\s*(?:W/)?\\x22%s\\x22\\s*(?:,|$)#\"\n", e.Digest)
		apacheHeaders(&b, append([]Header{{"ETag", e.ETag()}}, without(e.Headers, common)...))
		b.WriteString("    </IfModule>\n</If>\n")
	}
	return b.String()
}

// apacheAny is an expression that is true for every path of a site.
func apacheAny(s Site) string {
	paths := make([]string, len(s.Entries))
	for i, e := range s.Entries {
		paths[i] = "'" + e.Path + "'"
	}
	return "%{REQUEST_URI} in { " + strings.Join(paths, ", ") + " }"
}

// apacheHost is a pattern for the hosts that a site answers to.
func apacheHost(s Site) string {
	if s.Host == "" {
		return ".*"
	}
	return regexp.QuoteMeta(s.Host)
}

func apacheHeaders(b *bytes.Buffer, headers []Header) {
	for _, h := range headers {
		fmt.Fprintf(b, "        Header set %s %s\n", h.Name, apacheQuote(h.Value))
	}
}

// apacheQuote writes the value of a Header, in which % starts a format and is
// doubled.
func apacheQuote(s string) string { return apacheWord(strings.ReplaceAll(s, "%", "%%")) }

// apacheWord writes an argument of a directive.
func apacheWord(s string) string { return `"` + apacheEscapes.Replace(s) + `"` }

var apacheEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
