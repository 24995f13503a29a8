package hosting

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"

	"cardwright/internal/tree"
)

// Apache judges conditional requests against a tag of its own, made from size
// and time, and knows "*" as a match for anything: a request that names our tag
// is turned into that one. req_novary keeps If-None-Match out of Vary.
//
// Without a tag of its own (FileETag None) it takes ours away as well.
//
// What is ours is known by its sidecar, so that a request costs the same with one
// agent and with thousands. In a virtual host the sidecar gives the tag too. A file
// .htaccess must not read others, so there is one in each directory, with the tags
// of what lies there: Apache reads them again for every request.
func apache(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		file := "apache/a2a.conf"
		if s.Host != "" {
			file = "apache/a2a-" + s.Host + ".conf"
		}
		var b bytes.Buffer
		b.WriteString(head("#", "apache",
			"use: include this file in the <VirtualHost> whose DocumentRoot is "+root(t, s)+t.about()+
				"; needs a2enmod headers rewrite env setenvif",
			"apachectl configtest && apachectl graceful, when this file has changed; not for new cards"))
		apacheSite{Table: t, WebRoot: s, where: "%{DOCUMENT_ROOT}%{REQUEST_URI}"}.write(&b)
		outputs = append(outputs, Output{Path: file, Data: b.Bytes()})
	}
	return outputs
}

// htaccess is for those who cannot change the configuration of the server.
func htaccess(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		site := apacheSite{Table: t, WebRoot: s, where: "%{REQUEST_FILENAME}", perDirectory: true}
		top := path.Join(s.Dir, ".")
		files := map[string]*bytes.Buffer{}
		var order []string
		in := func(dir string) *bytes.Buffer {
			b := files[dir]
			if b != nil {
				return b
			}
			b = &bytes.Buffer{}
			files[dir] = b
			order = append(order, dir)
			b.WriteString(head("#", "htaccess",
				"use: nothing to do where the web root has AllowOverride FileInfo or All, and Options FollowSymLinks;",
				"needs mod_headers, mod_rewrite, mod_env and mod_setenvif"))
			return b
		}
		site.write(in(top))
		for _, e := range s.Entries {
			b := in(path.Dir(e.File))
			site.tag(b, e, path.Dir(e.File) != top)
		}
		for _, dir := range order {
			outputs = append(outputs, Output{Root: true, Path: path.Join(dir, ".htaccess"), Data: files[dir].Bytes()})
		}
	}
	return outputs
}

// apacheSite is one web root as Apache sees it.
type apacheSite struct {
	Table
	WebRoot
	where        string // the file of a request
	perDirectory bool   // in a file .htaccess
}

func (s apacheSite) write(b *bytes.Buffer) {
	all := s.classes(s.Table)
	common := sharedClasses(all)
	s.origins(b)
	s.rules(b, all)

	file := fmt.Sprintf("-f '%s.etag'", s.where)
	fmt.Fprintf(b, "\n<If \"%s\">\n    SetHandler default-handler\n    AcceptPathInfo Off\n    <IfModule mod_mime.c>\n"+
		"        RemoveEncoding .gz .tgz .Z .br .zst\n        RemoveLanguage .br\n    </IfModule>\n</If>\n", file)
	fmt.Fprintf(b, "\n<If \"%s || -f '%s/%s.etag' || %%{REQUEST_URI} =~ m#%s#\">\n"+
		"    FileETag MTime Size\n", file, s.where,
		tree.PagePath, ownNames)
	b.WriteString("    <IfModule mod_env.c>\n        SetEnv no-gzip 1\n        SetEnv no-brotli 1\n    </IfModule>\n" +
		s.only("    <IfModule mod_expires.c>\n        ExpiresActive Off\n    </IfModule>\n") +
		"    <IfModule mod_headers.c>\n")
	seen := map[string]bool{}
	for _, list := range append([][]Header{common, s.Preflight, {{Name: "Link"}}}, headerLists(all)...) {
		for _, h := range list { // that the server may send besides
			if !seen[h.Name] && h.Name != "Content-Type" {
				seen[h.Name] = true
				fmt.Fprintf(b, "        Header always unset %s\n", h.Name)
			}
		}
	}
	for _, h := range common {
		apacheHeader(b, "set", h)
	}
	if s.WebRoot.codes() {
		b.WriteString("        Header set Content-Encoding \"%{a2a_coding}e\" \"expr=-n reqenv('a2a_coding')\"\n")
	}
	for i, c := range all {
		for _, h := range without(c.Headers, common) {
			apacheHeader(b, "set", h, fmt.Sprintf("reqenv('a2a_class') == '%d'", i))
		}
		if c.Successor {
			apacheHeader(b, "set", Header{"Link", `<%{a2a_card}e>; rel="successor-version"`},
				fmt.Sprintf("reqenv('a2a_class') == '%d'", i))
		}
	}
	b.WriteString("        RequestHeader unset If-Modified-Since\n")
	for _, line := range []string{
		`RequestHeader set If-None-Match "*" "expr=%s && req_novary('If-None-Match') -strmatch '*\"%%{reqenv:a2a_tag}\"*'"`,
		`RequestHeader unset If-Match "expr=%s && req_novary('If-Match') -strmatch '*\"%%{reqenv:a2a_tag}\"*'"`,
		`RequestHeader unset If-None-Match "expr=! %s"`,
		`Header set ETag "\"%%{a2a_tag}e\"" "expr=%s"`,
		`Header unset ETag "expr=! %s"`,
	} {
		fmt.Fprintf(b, "        "+line+"\n", "-n reqenv('a2a_tag')")
	}
	for _, h := range s.Preflight {
		condition := "%{REQUEST_METHOD} == 'OPTIONS'"
		if h.Name == "Allow" {
			condition += " || %{REQUEST_STATUS} == 405"
		}
		apacheHeader(b, "always set", h, condition)
	}
	if len(s.Moved) > 0 {
		for _, h := range s.Moved[0].Headers { // the same for all
			apacheHeader(b, "always set", h, "%{REQUEST_STATUS} == 308")
		}
	}
	b.WriteString("    </IfModule>\n</If>\n")
}

// only is what a file .htaccess may not say with AllowOverride FileInfo.
func (s apacheSite) only(text string) string {
	if s.perDirectory {
		return ""
	}
	return text
}

// origins sets a2a_origin to the origin of a request where it is one of several. What
// rules have found out about a request is kept where they take it to another file.
func (s apacheSite) origins(b *bytes.Buffer) {
	b.WriteString("\n<IfModule mod_setenvif.c>\n")
	if len(s.Origins) > 1 {
		quoted := make([]string, len(s.Origins))
		for i, origin := range s.Origins {
			quoted[i] = regexp.QuoteMeta(origin)
		}
		fmt.Fprintf(b, "    SetEnvIf Origin %s a2a_origin=$1\n", apacheWord("^("+strings.Join(quoted, "|")+")$"))
	}
	names := []string{"tag", "class", "card"}
	if s.WebRoot.codes() {
		names = append(names, "coding")
	}
	for _, name := range names {
		fmt.Fprintf(b, "    SetEnvIf REDIRECT_a2a_%s (.+) a2a_%[1]s=$1\n", name)
	}
	b.WriteString("</IfModule>\n")
}

// rules answer what is not a question for a file, and find out which class a file
// has and, in a virtual host, its tag.
func (s apacheSite) rules(b *bytes.Buffer, all []class) {
	var rules []string
	add := func(rule string, conditions ...string) {
		var text strings.Builder
		for _, c := range conditions {
			text.WriteString("    RewriteCond " + c + "\n")
		}
		rules = append(rules, text.String()+"    RewriteRule "+rule+"\n")
	}
	host := ".*"
	if s.Host != "" {
		host = regexp.QuoteMeta(s.Host)
	}
	add("^ - [R=421,L]", fmt.Sprintf("%%{HTTP_HOST} \"!^%s(?::[0-9]+)?$\" [NC]", host))
	add("^ - [R=204,L]", "%{REQUEST_METHOD} =OPTIONS")
	add("^ - [R=405,L]", "%{REQUEST_METHOD} !^(?:GET|HEAD)$")
	for _, m := range s.Moved {
		add("^ "+m.To+" [R=308,L]", "%{REQUEST_URI} ="+m.From)
	}
	for i, c := range all {
		pattern, more := c.Pattern, ""
		if c.Successor {
			pattern, more = `^(.*/)agent\.json$`, ",E=a2a_card:%1agent-card.json"
		}
		add(fmt.Sprintf("^ - [E=a2a_class:%d%s]", i, more), "%{ENV:a2a_class} ^$", "%{REQUEST_URI} "+pattern)
	}
	if !s.perDirectory && s.WebRoot.codes() {
		for _, c := range tree.Codings() {
			add(fmt.Sprintf("^ - [E=a2a_coding:%s,E=a2a_file:%%{ENV:a2a_file}%s]", c.Name, c.Suffix), "%{ENV:a2a_coding} ^$",
				apacheAccepts(c), "%{ENV:a2a_file}"+c.Suffix+".etag -f")
		}
	}
	if !s.perDirectory {
		add("^ - [E=a2a_tag:%1]", "%{ENV:a2a_file}.etag -f",
			`expr "file('%{reqenv:a2a_file}.etag') =~ m#^\x22([0-9a-f]{64})\x22#"`)
	}
	if !s.perDirectory && s.immutable() {
		const card = `^(/(?:.*/)?\.well-known/)agent(?:-card)?\.json$`
		add(card+" $1cards/%{ENV:a2a_tag}.json [PT]", "%{DOCUMENT_ROOT}$1cards/%{ENV:a2a_tag}.json -f")
		add(card+" - [E=!a2a_tag]", "%{DOCUMENT_ROOT}$1cards -d")
	}
	if !s.perDirectory && s.WebRoot.codes() {
		for _, c := range tree.Codings() {
			coding := "%{ENV:a2a_coding} =" + c.Name
			add("^(.*/)$ $1"+tree.PagePath+c.Suffix+" [PT]", coding)
			add("^(.*)$ $1"+c.Suffix+" [PT]", coding)
		}
	}
	fmt.Fprintf(b, "\n<IfModule mod_rewrite.c>\n    RewriteEngine On\n    RewriteRule ^ - [E=a2a_file:%s]\n"+
		"    RewriteCond %%{REQUEST_URI} /$\n    RewriteRule ^ - [E=a2a_file:%[1]s%s]\n"+
		"    RewriteCond %%{ENV:a2a_file}.etag !-f\n    RewriteCond %%{REQUEST_URI} !%s\n    RewriteRule ^ - [S=%d]\n",
		s.where, tree.PagePath, ownNames, len(rules))
	b.WriteString(strings.Join(rules, ""))
	b.WriteString("    RewriteCond %{REQUEST_URI} " + hidden(s.Entries) + "\n    RewriteRule ^ - [R=404,L]\n</IfModule>\n")
}

// tag writes the rule that gives a file its tag or, where it is found by its digest,
// takes it from there.
func (s apacheSite) tag(b *bytes.Buffer, e Entry, below bool) {
	if engine := "RewriteEngine On\nRewriteOptions InheritBefore\n"; below && !bytes.Contains(b.Bytes(), []byte(engine)) {
		b.WriteString("\n" + engine)
	}
	for _, c := range e.Codings {
		fmt.Fprintf(b, "\nRewriteCond %%{REQUEST_URI} =%s\nRewriteCond %s\n"+
			"RewriteRule ^ %s [END,E=a2a_tag:%s,E=a2a_coding:%s]\n", e.Path, apacheAccepts(c.Coding), e.file()+c.Suffix,
			c.Digest, c.Name)
	}
	fmt.Fprintf(b, "\nRewriteCond %%{REQUEST_URI} =%s\n", e.Path)
	if e.Stored == "" {
		fmt.Fprintf(b, "RewriteRule ^ - [E=a2a_tag:%s]\n", e.Digest)
		return
	}
	fmt.Fprintf(b, "RewriteCond %%{REQUEST_FILENAME} ^(.*/)\nRewriteCond %%1cards/%s.json -f\n"+
		"RewriteRule ^ %s [END,E=a2a_tag:%[1]s]\n", e.Digest, e.Stored)
}

// apacheAccepts is the condition that a client accepts a coding. In RewriteCond a
// backslash is one.
func apacheAccepts(c tree.Coding) string {
	return `%{HTTP:Accept-Encoding} "` + accepts(c) + `" [NC]`
}

// apacheHeader writes a directive Header that holds where all conditions do.
func apacheHeader(b *bytes.Buffer, verb string, h Header, conditions ...string) {
	value := apacheQuote(h.Value)
	switch {
	case h.Value == RequestOrigin:
		value = "%{a2a_origin}e"
		conditions = append(conditions, "-n reqenv('a2a_origin')")
	case strings.Contains(h.Value, "%{a2a_card}e"): // which is ours
		value = apacheWord(h.Value)
	}
	fmt.Fprintf(b, "        Header %s %s %s", verb, h.Name, value)
	if len(conditions) > 0 {
		for i, c := range conditions {
			conditions[i] = "(" + c + ")"
		}
		fmt.Fprintf(b, " \"expr=%s\"", strings.Join(conditions, " && "))
	}
	b.WriteByte('\n')
}

// apacheQuote writes the value of a Header, in which % starts a format and is
// doubled.
func apacheQuote(s string) string { return apacheWord(strings.ReplaceAll(s, "%", "%%")) }

// apacheWord writes an argument of a directive.
func apacheWord(s string) string { return `"` + apacheEscapes.Replace(s) + `"` }

var apacheEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
