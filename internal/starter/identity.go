package starter

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/files"
	"cardwright/internal/jsonschema"
	"cardwright/mapping"
	"cardwright/schema"
)

// noDescription is the key of a description that is to be written.
const noDescription = "# description"

// maxID is how many characters an id has at most.
const maxID = 64

// identify gives each agent an id, and what no source gives.
func (p *project) identify() {
	taken := map[string]bool{}
	origin := remoteOf(p.Remote)
	for _, a := range p.agents {
		doc, given := p.readme(a.dir), a.card
		name, from := p.name(a, doc, origin)
		a.ID = unique(taken, cmp.Or(ID(name), ID(path.Base(a.dir)), ID(origin.called()), ID(p.Directory), "agent"))
		p.ask(a, "name", "Name of the agent", given.Name, name, from)
		text, from := a.description(doc, name)
		p.ask(a, "description", "What it does", given.Description, text, from)
		if given.Version == "" {
			a.say("version", "0.1.0", "no manifest gives one: raise it when the card changes")
		}
		if given.Provider == nil && a.author != "" && origin.host != "" {
			owner := quote("https://" + origin.host + "/" + origin.owner)
			a.say("provider", "{organization: "+quote(a.author)+", url: "+owner+"}", "the owner of the git remote")
		}
		if len(given.Interfaces) == 0 {
			at := "/a2a"
			if len(p.agents) > 1 {
				at = "/" + a.ID
			}
			a.say("interfaces", "[{url: "+quote(at)+"}]", "below baseUrl")
		}
	}
}

// ask says what was found for a member, unless a source gives it. A person may replace what
// was found about a single agent.
func (p *project) ask(a *agent, key, question, given, found, from string) {
	text := found
	if len(p.agents) == 1 {
		text = p.Ask(question, found)
	}
	switch {
	case text == "":
		a.say(noDescription, "say in a sentence what the agent does", "") // an agent always has a name
	case text != found:
		a.say(key, quote(text), "")
	case text != given:
		a.say(key, quote(text), from)
	}
}

func (a *agent) say(key, value, comment string) {
	a.Members = append(a.Members, member{key, value, comment})
}

// ID turns a name into the id of an agent, which is a directory name on every system:
// letters and digits of ASCII after NFKD without marks. It is "" where nothing is left.
func ID(name string) string {
	id := schema.Slug(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsMark(r):
			return -1
		case r > unicode.MaxASCII:
			return '-'
		}
		return r
	}, norm.NFKD.String(name)))
	id = strings.TrimRight(id[:min(len(id), maxID)], "-")
	if files.Device(id) {
		return ""
	}
	return id
}

// unique numbers an id that is taken.
func unique(taken map[string]bool, id string) string {
	free := id
	for n := 2; taken[free]; n++ {
		number := fmt.Sprintf("-%d", n)
		free = id[:min(len(id), maxID-len(number))] + number
	}
	taken[free] = true
	return free
}

// name is how people call an agent: as its sources do, or else by the first of these
// names that says more than what it is.
func (p *project) name(a *agent, doc readme, origin remote) (name, from string) {
	for _, c := range []struct{ name, from string }{
		{a.card.Name, ""},
		{doc.title, "from the title of " + doc.file},
		{spelled(strings.Trim(path.Base(a.dir), ".")), "from the name of the directory"},
		{spelled(origin.called()), "from the git remote"},
	} {
		if c.name == a.card.Name && c.name != "" || !isGeneric(c.name) {
			return c.name, c.from
		}
	}
	return cmp.Or(spelled(p.Directory), "Agent"), "from the name of the directory"
}

// spelled is a name of words, with the capital letters that it has: "NVIDIA+skills" is
// "NVIDIA Skills".
func spelled(name string) string { return mapping.Title(schema.Slug(name), name) }

// remote is the repository of a git remote. Host and owner are "" where its URL names no
// owner on a server.
type remote struct{ host, owner, name string }

// remoteOf reads https://HOST/OWNER/NAME.git and git@HOST:OWNER/NAME.
func remoteOf(link string) remote {
	if user, rest, ok := strings.Cut(link, "@"); ok && !strings.Contains(user, "/") {
		link = "ssh://" + strings.Replace(rest, ":", "/", 1)
	}
	u, err := url.Parse(link)
	if err != nil {
		return remote{}
	}
	at := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	r := remote{name: path.Base(at)}
	if slices.Contains([]string{"https", "http", "ssh", "git"}, u.Scheme) && strings.Contains(at, "/") {
		r.host = u.Hostname()
		r.owner, _, _ = strings.Cut(at, "/")
	}
	return r
}

// called is the name of the repository, with its owner where many are called so.
func (r remote) called() string {
	if isGeneric(r.name) {
		return r.owner + "-" + r.name
	}
	return r.name
}

// isGeneric reports whether a name says only what something is, or nothing.
func isGeneric(name string) bool {
	for word := range strings.SplitSeq(schema.Slug(name), "-") {
		if !slices.Contains(generic, word) {
			return false
		}
	}
	return true
}

var generic = append(strings.Fields("a agent agents ai and app claude code codex collection contents copilot cursor "+
	"docs documentation for gemini getting introduction main marketplace mcp monorepo my of overview packages plugin "+
	"plugins project prompts readme repo repository root server servers skill skills src started subagents table "+
	"template the tools welcome workspace"), "")

// description is what the sources say the agent does, or the README, or its only skill,
// or else the names of its skills, as far as these are public.
func (a *agent) description(doc readme, name string) (text, from string) {
	const shown = 3
	public := slices.DeleteFunc(slices.Clone(a.skills), func(s mapping.Skill) bool {
		return mapping.MostPrivate(s.Visibility, mapping.Public) != mapping.Public
	})
	switch {
	case a.card.Description != "" || len(public) == 0 && doc.text == "":
		return a.card.Description, ""
	case doc.text != "":
		return doc.text, "first paragraph of " + doc.file
	case len(public) == 1:
		return public[0].Description, "what its skill says"
	}
	var names []string
	for i, s := range public {
		if i == shown {
			names = append(names, fmt.Sprintf("%d more", len(public)-shown))
			break
		}
		names = append(names, mapping.Title(s.Name, name))
	}
	return "Skills: " + strings.Join(names, ", ") + ".", "the names of its skills: say what the agent does"
}

// baseURL asks where the cards are served, until the answer is a URL or empty. A person may
// leave the scheme out, or paste the URL of a card.
func (p *project) baseURL() string {
	for {
		text := p.Ask("URL where cards and agents are served, empty for later", "")
		base, _, _ := strings.Cut(strings.TrimSpace(text), "/.well-known/")
		if base != "" && !strings.Contains(base, "://") {
			base = "https://" + base
		}
		if base == "" || jsonschema.IsBaseURL(base) {
			return strings.TrimSuffix(base, "/")
		}
	}
}

// readme is what the README of a directory says: a title that can be a name, and the
// first paragraph of prose.
type readme struct{ file, title, text string }

func (p *project) readme(dir string) readme {
	entries, _ := fs.ReadDir(p.root, dir) // the scan has read it
	for _, e := range entries {
		if slices.Contains([]string{"readme.md", "readme.rst", "readme.txt", "readme"}, strings.ToLower(e.Name())) {
			data, err := files.ReadFile(p.root, path.Join(dir, e.Name()), 1<<20)
			if err != nil {
				continue // a directory of that name
			}
			text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
			text = unread().ReplaceAllString(text, "")
			return readme{e.Name(), heading(text), paragraph(text)}
		}
	}
	return readme{}
}

// unread is what a browser does not show, and blocks of code.
var unread = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?s)<!--.*?-->|```.*?```") })

// heading is the title of a text, "" where it is no name.
func heading(text string) string {
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		title, ok := strings.CutPrefix(line, "# ")
		if before != "" && line != "" && strings.Trim(line, "=") == "" { // underlined
			title, ok = before, true
		}
		if title = strings.TrimSpace(title); ok && isTitle(title) {
			return mapping.Title(title)
		} else if ok {
			return ""
		}
		before = strings.Trim(line, "=")
	}
	return ""
}

// isTitle reports whether a heading can be a name: a few words without markup.
func isTitle(text string) bool {
	pictogram := func(r rune) bool { return unicode.Is(unicode.So, r) }
	return len(strings.Fields(text)) <= 5 && !strings.ContainsAny(text, "[]()<>*`_:|/{}$#!?\"") &&
		!strings.ContainsFunc(text, pictogram)
}

// paragraph is the first paragraph of prose in a text, without markup.
func paragraph(text string) string {
	const longest = 500 // bytes
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraph = strings.Join(strings.Fields(paragraph), " ")
		prose := strings.NewReplacer("**", "", "`", "").Replace(link().ReplaceAllString(paragraph, "$1"))
		if !isMarkup(paragraph) && len(strings.Fields(prose)) > 3 && len(prose) <= longest {
			return prose
		}
	}
	return ""
}

// isMarkup reports whether a paragraph is a heading, a list, a table, code, HTML or a row
// of badges.
func isMarkup(paragraph string) bool {
	return paragraph != "" && strings.ContainsRune("#<|`-*+>![:=.", rune(paragraph[0])) &&
		!strings.HasPrefix(paragraph, "**") || strings.HasSuffix(paragraph, "==") || strings.Contains(paragraph, "`_")
}

var link = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`) })
