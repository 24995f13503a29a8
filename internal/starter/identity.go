package starter

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"cardwright/internal/files"
	"cardwright/mapping"
	"cardwright/schema"
)

// maxID is how many characters an id has at most.
const maxID = 64

// identify gives each agent what no source gives: id, name, description, version, URL
// and the provider's URL.
func (p *project) identify() {
	taken := map[string]bool{}
	for _, a := range p.agents {
		if a.card.Name == "" {
			a.Name, a.NameFrom = p.name(a)
		}
		a.ID = unique(taken, cmp.Or(ID(cmp.Or(a.Name, a.card.Name)), ID(path.Base(a.dir)), ID(p.repository()),
			ID(p.Directory), "agent"))
		if a.card.Description == "" {
			a.Description, a.DescriptionFrom = p.description(a)
		}
		if a.card.Version == "" {
			a.Version = "0.1.0"
		}
		if len(a.card.Interfaces) == 0 {
			if a.URL = "/a2a"; len(p.agents) > 1 {
				a.URL = "/" + a.ID
			}
		}
		if owner := ownerURL(p.Remote); a.card.Provider == nil && a.author != "" && owner != "" {
			a.Provider = &schema.Provider{Organization: a.author, URL: owner}
		}
	}
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
	if slices.Contains(reserved, id) || isDevice(id) {
		return ""
	}
	return id
}

// isDevice reports whether Windows keeps a name for a device.
func isDevice(id string) bool {
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, id) ||
		len(id) == 4 && (strings.HasPrefix(id, "com") || strings.HasPrefix(id, "lpt")) && unicode.IsDigit(rune(id[3]))
}

// reserved are names that a site has other files below.
var reserved = []string{"index", "well-known"}

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

// name is how people call an agent that no source names.
func (p *project) name(a *agent) (name, from string) {
	if title := p.heading(a.dir); title != "" {
		return title, "from the title of README.md"
	}
	if a.dir != "." && !isGeneric(path.Base(a.dir)) {
		return spelled(path.Base(a.dir)), "from the name of the directory"
	}
	if name := p.repository(); name != "" {
		return spelled(name), "from the git remote"
	}
	if name := spelled(p.Directory); name != "" {
		return name, "from the name of the directory"
	}
	return "Agent", "set the name"
}

// spelled is a name of words, with the capital letters that it has: "NVIDIA+skills" is
// "NVIDIA Skills".
func spelled(name string) string { return mapping.Title(schema.Slug(name), name) }

// repository is the name of the repository at the git remote, with its owner where
// many are called so.
func (p *project) repository() string {
	owner, name := remote(p.Remote)
	if isGeneric(name) {
		return owner + "-" + name
	}
	return name
}

// remote returns owner and name of the repository that the URL of a git remote names.
func remote(link string) (owner, name string) {
	parts := strings.FieldsFunc(strings.TrimSuffix(strings.TrimSuffix(link, "/"), ".git"), func(r rune) bool {
		return r == '/' || r == ':'
	})
	if len(parts) < 3 {
		return "", ""
	}
	return parts[len(parts)-2], parts[len(parts)-1]
}

// ownerURL is the page of the owner of a repository, "" where the remote is no server.
func ownerURL(link string) string {
	if rest, ok := strings.CutPrefix(link, "git@"); ok { // git@HOST:OWNER/NAME
		link = "https://" + strings.Replace(rest, ":", "/", 1)
	}
	u, err := url.Parse(link)
	if err != nil || !slices.Contains([]string{"https", "http", "ssh", "git"}, u.Scheme) || u.Hostname() == "" {
		return ""
	}
	owner, rest, ok := strings.Cut(strings.Trim(u.Path, "/"), "/")
	if !ok || owner == "" || rest == "" {
		return ""
	}
	return "https://" + u.Hostname() + "/" + owner
}

// heading is the title of the README of a directory, "" where it says only what it is.
func (p *project) heading(dir string) string {
	fenced, before := false, ""
	for line := range strings.Lines(p.readme(dir)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		title, ok := strings.CutPrefix(line, "# ")
		if before != "" && line != "" && strings.Trim(line, "=") == "" { // underlined
			title, ok = before, true
		}
		if ok && !fenced {
			if title = strings.TrimSpace(title); isTitle(title) {
				return mapping.Title(title)
			}
			return ""
		}
		before = line
	}
	return ""
}

// isTitle reports whether a heading can be a name: a few words without markup.
func isTitle(text string) bool {
	return len(strings.Fields(text)) <= 5 && !isGeneric(text) && !strings.ContainsAny(text, "[]()<>*`_:|/{}$#!?\"") &&
		!strings.ContainsFunc(text, isPictogram)
}

func isPictogram(r rune) bool { return r >= 0x2190 && r < 0x2c00 || r == 0xfe0f || r >= 0x1f000 }

// isGeneric reports whether a name says only what something is.
func isGeneric(name string) bool {
	for word := range strings.SplitSeq(schema.Slug(name), "-") {
		if !slices.Contains(generic, word) {
			return false
		}
	}
	return true
}

var generic = strings.Fields("a agent agents ai and app claude code codex collection contents copilot cursor docs " +
	"documentation for gemini getting introduction main marketplace mcp monorepo my of overview packages plugin plugins " +
	"project prompts readme repo repository root server servers skill skills src started subagents table template the " +
	"tools welcome workspace")

// description is what the README of the directory says first, or the agent's only skill
// of itself, or else the names of its skills.
func (p *project) description(a *agent) (text, from string) {
	if text := p.paragraph(a.dir); text != "" {
		return text, "first paragraph of README.md"
	}
	if len(a.skills) == 1 {
		return a.skills[0].Description, "what its skill says"
	}
	const shown = 3
	var names []string
	for _, s := range a.skills[:min(len(a.skills), shown)] {
		names = append(names, mapping.Title(s.Name, a.Name, a.card.Name))
	}
	if more := len(a.skills) - shown; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 {
		return "", ""
	}
	return "Skills: " + strings.Join(names, ", ") + ".", "the names of its skills: say what the agent does"
}

// paragraph is the first paragraph of prose in the README of a directory.
func (p *project) paragraph(dir string) string {
	const longest = 500 // bytes
	fenced := false
	for paragraph := range strings.SplitSeq(p.readme(dir), "\n\n") {
		if strings.Count(paragraph, "```")%2 == 1 {
			fenced = !fenced
			continue
		}
		text := prose(strings.Join(strings.Fields(paragraph), " "))
		if !fenced && len(strings.Fields(text)) > 3 && len(text) <= longest {
			return text
		}
	}
	return ""
}

// readme is the text of the README of a directory, without comments.
func (p *project) readme(dir string) string {
	for _, name := range []string{"README.md", "Readme.md", "readme.md"} {
		data, err := files.ReadFile(p.root, path.Join(dir, name), 1<<20)
		if err != nil {
			continue // most directories have none
		}
		text := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
		return mdComment().ReplaceAllString(text, "")
	}
	return ""
}

var mdComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

// baseURL is the URL that a person means: https where no scheme is given, and not the
// path of a card.
func baseURL(text string) (string, bool) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "/.well-known/")
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	return strings.TrimSuffix(text, "/"), true
}

// prose returns a paragraph of Markdown without its markup, "" for what is no prose:
// a heading, a list, a table, code, HTML or a row of badges.
func prose(paragraph string) string {
	if paragraph == "" || strings.ContainsRune("#<|`-*+>![:=", rune(paragraph[0])) && !strings.HasPrefix(paragraph, "**") {
		return ""
	}
	return strings.NewReplacer("**", "", "`", "").Replace(mdLink().ReplaceAllString(paragraph, "$1"))
}

var mdLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
})
