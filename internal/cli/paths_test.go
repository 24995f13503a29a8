package cli

import (
	"bytes"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cardwright/internal/fixture"
)

// mark stands in every file of the project that must not be reached.
const mark = "canary-4711-must-not-be-seen"

const victimConfig = `version: 1
agents:
  - id: review
    name: ` + mark + `
    description: Reviews pull requests for defects in code.
    version: 1.0.0
    interfaces: [{url: https://review.acme.example/a2a}]
    skills: {from: [{type: skills, path: skills}]}
`

// town is a directory with three projects that have the same files: the one that
// commands run in, one that only its links lead to, and one that stands on the
// command line unchanged.
type town struct {
	*testing.T
	dir string
}

func build(t *testing.T) town {
	t.Helper()
	w := town{T: t, dir: t.TempDir()}
	for _, name := range []string{"project", "victim", "plain"} {
		dir := filepath.Join(w.dir, name)
		w.put(name+"/.git/HEAD", "ref: refs/heads/main\n")
		w.put(name+"/cardwright.yaml", victimConfig)
		w.put(name+"/skills/pdf/SKILL.md",
			"---\nname: pdf\ndescription: Reads and merges PDF files.\nmetadata: {a2a-tags: documents}\n---\n")
		w.put(name+"/rc", "# "+mark+"\n")
		w.put(name+"/private/notes", mark+"\n")
		t.Chdir(dir)
		w.succeed("generate", "-q", "--server", "nginx")
		card := w.read(name + "/dist/.well-known/agent-card.json")
		w.put(name+"/agent-card.json", card)
		key, _, code := w.run("key", "new", "--alg", "EdDSA", "-o", "key.pem")
		if code != 0 {
			t.Fatal("no key can be made")
		}
		w.put(name+"/public.json", key)
		w.put(name+"/jwks.json", `{"keys": [`+strings.TrimSpace(key)+`]}`)
	}
	w.put("project/cardwright.yaml", strings.ReplaceAll(victimConfig, mark, "Review"))
	t.Chdir(filepath.Join(w.dir, "project"))
	w.succeed("generate", "-q", "--server", "nginx")
	w.put("project/agent-card.json", w.read("project/dist/.well-known/agent-card.json"))
	return w
}

// again is a town as this one was when nothing had happened in it.
func (w town) again(t *testing.T) town {
	t.Helper()
	n := town{T: t, dir: t.TempDir()}
	n.must(os.CopyFS(n.dir, os.DirFS(w.dir)))
	n.link("link", "../victim")
	t.Chdir(filepath.Join(n.dir, "project"))
	return n
}

func (w town) put(name, text string) {
	w.Helper()
	name = filepath.Join(w.dir, filepath.FromSlash(name))
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.WriteFile(name, []byte(text), 0o600))
}

func (w town) read(name string) string {
	w.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	w.must(err)
	return string(data)
}

// link makes a link in the project.
func (w town) link(name, target string) {
	w.Helper()
	name = filepath.Join(w.dir, "project", filepath.FromSlash(name))
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.RemoveAll(name))
	if err := os.Symlink(filepath.FromSlash(target), name); err != nil {
		w.Skip(err)
	}
}

func (w town) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w town) run(args ...string) (stdout, stderr string, code int) {
	w.Helper()
	var out, told bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- Run(args, Streams{In: strings.NewReader(""), Out: &out, Err: &told}, "test") }()
	select {
	case code = <-ended:
	case <-time.After(10 * time.Minute):
		w.Fatalf("%v does not end", args) // it serves what it must not
	}
	return out.String(), told.String(), code
}

func (w town) succeed(args ...string) {
	w.Helper()
	if out, told, code := w.run(args...); code != OK {
		w.Fatalf("%v: exit %d\n%s%s", args, code, out, told)
	}
}

// files are all files of a project, and what is in them.
func (w town) files(name string) map[string]string {
	w.Helper()
	found := map[string]string{}
	top := filepath.Join(w.dir, name)
	w.must(filepath.Walk(top, func(p string, info fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		found[p] = info.Mode().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			found[p] += " " + info.ModTime().String() + " " + string(data)
			return err
		}
		return nil
	}))
	return found
}

// refuse wants a command to end with 2, to change nothing anywhere and to say
// nothing of what is in the other project.
func (w town) refuse(args ...string) {
	w.Helper()
	w.unchanged(func() { w.refused(args...) })
}

// unchanged wants commands to change nothing anywhere.
func (w town) unchanged(commands func()) {
	w.Helper()
	before := w.files("")
	commands()
	if diff := cmp.Diff(before, w.files("")); diff != "" {
		w.Errorf("something has changed (-before +after):\n%s", diff)
	}
}

// refused is refuse without a look at what has changed.
func (w town) refused(args ...string) string {
	w.Helper()
	out, told, code := w.run(args...)
	if code != Usage {
		w.Errorf("%v: exit %d\n%s%s", args, code, out, told)
	}
	if strings.Contains(out+told, mark) {
		w.Errorf("%v shows what is outside:\n%s%s", args, out, told)
	}
	return out + told
}

// argument is a flag or a positional of a command.
type argument struct {
	args []string // a command line with PATH in it
	// paths in another project that it is tried with. Each is reached through a
	// link to the project, and through one of its own where it exists.
	paths []string
	plain string // a path outside that no link leads to; nothing is tried when it is ""
}

// text is for what names no file.
var text = argument{}

// arguments are all flags with values and all positionals of all commands. What
// is missing here fails the test: say where a new path may lead.
func arguments(agent string) map[string]argument {
	all := map[string]argument{
		"-chdir":  {[]string{"-C", "PATH", "lint"}, []string{"."}, "."},
		"-config": {[]string{"--config", "PATH", "lint"}, []string{"cardwright.yaml"}, "cardwright.yaml"},
		"-color":  text,

		"generate -out": {[]string{"generate", "--out", "PATH"}, []string{"dist", "new", "new/er", ".git"}, "new"},
		"generate -private-out": {
			[]string{"generate", "--private-out", "PATH"}, []string{"private", "dist", "new"}, "new",
		},
		"generate -server-dir": {
			[]string{"generate", "--server", "nginx", "--server-dir", "PATH"}, []string{"dist.server", "dist", "new"}, "new",
		},
		"generate -audit": {[]string{"generate", "--audit", "PATH"}, []string{"rc", "new", ".git/config"}, "new"},

		"lint CARD": {
			[]string{"lint", "PATH"},
			[]string{"agent-card.json", "dist", "rc", "*.json", "nothing"},
			"agent-card.json",
		},
		"diff OLD": {[]string{"diff", "PATH", "agent-card.json"}, []string{"agent-card.json"}, "agent-card.json"},
		"diff NEW": {[]string{"diff", "dist", "PATH", "--fail-on", "additive"}, []string{"dist"}, "dist"},

		"convert CARD": {[]string{"convert", "PATH", "--to", "1.0"}, []string{"agent-card.json", "rc"}, "agent-card.json"},
		"convert -o": {
			[]string{"convert", "agent-card.json", "--to", "1.0", "-o", "PATH"},
			[]string{"rc", "new", ".git/x"},
			"new",
		},

		"init -out": text, "init DIR": text, // internal/starter tries those

		"sign CARD": {
			[]string{"sign", "--key", "file:key.pem", "PATH"},
			[]string{"agent-card.json", "dist/.well-known/agent-card.json"},
			"agent-card.json",
		},
		"sign -key": {
			[]string{"sign", "--key", "file:PATH", "agent-card.json"},
			[]string{"key.pem", "rc", "skills", "nothing"},
			"key.pem",
		},

		"sign -attach": {
			[]string{"sign", "--attach", "PATH", "--key", "file:public.json", "agent-card.json"},
			[]string{"rc", "nothing"},
			"",
		},

		"verify CARD|DIR": {[]string{"verify", "PATH"}, []string{"dist", "agent-card.json"}, "dist"},
		"verify -key":     {[]string{"verify", "--key", "file:PATH", "dist"}, []string{"public.json", "rc"}, ""},
		"verify -jwks":    {[]string{"verify", "--jwks", "PATH", "dist"}, []string{"jwks.json", "rc"}, ""},

		"key new -o":      {[]string{"key", "new", "--alg", "EdDSA", "-o", "PATH"}, []string{"rc", "new", ".git/x"}, "new"},
		"key public FILE": {[]string{"key", "public", "PATH"}, []string{"key.pem", "rc", "skills", "nothing"}, "key.pem"},

		"serve DIR":      {[]string{"serve", "PATH"}, []string{"dist", "."}, ""},
		"probe URL":      text,
		"probe -against": {[]string{"probe", agent, "--against", "PATH"}, []string{"dist"}, ""},
		"probe -jwks":    {[]string{"probe", agent, "--jwks", "PATH"}, []string{"jwks.json", "rc"}, ""},

		"rules ID": text, "schema NAME": text,
		"completion bash|zsh|fish|powershell": text,
	}
	for _, flags := range []string{
		"generate: base-url env fail-on format server set",
		"lint: base-url env fail-on format set",
		"diff: fail-on format",
		"convert: set to",
		"sign: alg jku kid",
		"verify: at",
		"key new: alg",
		"serve: addr base-url env",
		"probe: format resolve",
	} {
		command, names, _ := strings.Cut(flags, ":")
		for name := range strings.FieldsSeq(names) {
			all[command+" -"+name] = text
		}
	}
	for command, args := range map[string][]string{
		"generate": nil, "lint": nil, "diff": {"dist", "dist"},
	} {
		all[command+" -report"] = argument{
			append([]string{command, "--report", "json=PATH"}, args...),
			[]string{"rc", "new", ".git/x"},
			"report.json",
		}
	}
	return all
}

// TestPathsAreListed finds flags and positionals that no one has said about where
// they may lead.
func TestPathsAreListed(t *testing.T) {
	known := arguments("")
	var missing []string
	listed := func(name string) {
		if _, ok := known[name]; !ok {
			missing = append(missing, name)
		}
	}
	root := commandTree(new(app))
	for _, f := range root.Flags {
		if takesValue(f) {
			listed("-" + f.Names()[0])
		}
	}
	positional := regexp.MustCompile(`\b[A-Z][A-Z_|]+\b|\[[a-z]+(\|[a-z]+)+\]`)
	for _, c := range root.Commands {
		for _, sub := range append(slices.Clone(c.Subcommands), c) {
			name := c.Name
			if sub != c {
				name += " " + sub.Name
			} else if len(c.Subcommands) > 0 {
				continue
			}
			for _, f := range sub.Flags {
				if takesValue(f) {
					listed(name + " -" + f.Names()[0])
				}
			}
			usage := regexp.MustCompile(`-+[a-z-]+ [A-Z]+`).ReplaceAllString(sub.UsageText, "")
			for _, word := range positional.FindAllString(usage, -1) {
				listed(name + " " + word)
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("say in arguments where these may lead:\n%s", strings.Join(missing, "\n"))
	}
}

// No path of the command line leads out of the project through a link in it,
// whether it is read or written, and whether anything is there or not. The same
// path without a link is what the command works on.
func TestPathsAreNotReachedThroughLinks(t *testing.T) {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"name": "A", "description": "B", "version": "1.0.0", "skills": [], "capabilities": {}, ` +
			`"defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], ` +
			`"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", ` +
			`"protocolVersion": "1.0"}]}`))
	}))
	t.Cleanup(agent.Close)
	all := arguments(agent.URL)
	w := build(t).again(t) // nothing happens in it until the last of them
	with := func(a argument, p string) []string {
		args := slices.Clone(a.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "PATH", filepath.FromSlash(p))
		}
		return args
	}
	ways := map[string][]string{}
	for name, a := range all {
		for _, p := range a.paths {
			ways[name] = append(ways[name], "link/"+p)
			if _, err := os.Lstat(filepath.Join(w.dir, "victim", filepath.FromSlash(p))); err == nil && p != "." {
				w.link("links/"+p, strings.Repeat("../", strings.Count(p, "/"))+"../../victim/"+p)
				ways[name] = append(ways[name], "links/"+p)
			}
		}
	}
	w.unchanged(func() { // where it fails, -run names the argument that does it
		for _, name := range slices.Sorted(maps.Keys(all)) {
			t.Run(name, func(t *testing.T) {
				for _, way := range ways[name] {
					town{T: t, dir: w.dir}.refused(with(all[name], way)...)
				}
			})
		}
	})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name].plain; p != "" {
			if p == "new" {
				p = strings.ReplaceAll(name, " ", "") // which nothing has
			}
			args := with(all[name], "../plain/"+p)
			if out, told, code := w.run(args...); code != OK {
				t.Errorf("%v: exit %d\n%s%s", args, code, out, told)
			}
		}
	}
}

// A directory and a pattern are searched, and what is a link in them leads no
// further than they go.
func TestSearchesDoNotFollowLinks(t *testing.T) {
	town := build(t)
	for name, args := range map[string][]string{
		"lint a directory":    {"lint", "cards"},
		"lint a pattern":      {"lint", "cards/*.json"},
		"lint a deep pattern": {"lint", "card?/**/agent-card.json"},
		"diff directories":    {"diff", "cards", "dist"},
	} {
		t.Run(name, func(t *testing.T) {
			w := town.again(t)
			for _, target := range []string{"../../victim/agent-card.json", "../../victim/rc", "../../nothing", "../.git/HEAD"} {
				w.link("cards/agent-card.json", target)
				w.refuse(args...)
			}
		})
	}
}

// configured is a key of the configuration that names a path.
type configured struct {
	config string // with PATH in it
	paths  []string
}

// configuredPaths are all keys that name one, as the schema has them.
func configuredPaths() map[string]configured {
	from := func(kind string) configured {
		return configured{
			strings.ReplaceAll(victimConfig, "{type: skills, path: skills}", "{type: "+kind+", path: PATH}"),
			[]string{"skills", "rc", "nothing"},
		}
	}
	signing := func(value string) configured {
		return configured{
			victimConfig + "    signing: " + value + "\n",
			[]string{"key.pem", "public.json", "rc", "skills", "nothing"},
		}
	}
	out := []string{"dist", "new"}
	return map[string]configured{
		"out":             {victimConfig + "out: PATH\n", out},
		"environment out": {victimConfig + "out: dist\nenvironments: {test: {out: PATH}}\n", out},
		"skills path":     from("skills"),
		"mcp path":        from("mcp"),
		"packs path":      from("packs"),
		"forge path":      from("forge"),
		"fast-agent path": from("fast-agent"),
		"card path":       from("card"),
		"plugin path":     from("plugin"),
		"package path":    from("package"),
		"signing key":     signing(`{key: 'file:PATH'}`),
		"signing publish": signing(`{key: "file:key.pem", publish: ['file:PATH']}`),
		"include":         {victimConfig + "include: [PATH]\n", []string{"skills", "rc", "nothing"}},
		"include pattern": {victimConfig + "include: ['PATH/*']\n", []string{"skills", "nothing"}},
		"policy":          {victimConfig + "policies: [PATH]\n", []string{"skills", "rc", "nothing"}},
		"environment policy": {
			victimConfig + "environments: {test: {policies: [PATH]}}\n", []string{"skills", "rc", "nothing"},
		},
		"the configuration": {},
	}
}

// Nothing that the configuration names lies outside the project: by a link, by
// its name or in .git. What is said about it must not reveal whether anything is there.
func TestConfiguredPathsStayInside(t *testing.T) {
	w := build(t).again(t)
	config := filepath.Join(w.dir, "project", "cardwright.yaml")
	w.must(os.Remove(config))
	w.unchanged(func() {
		for name, key := range configuredPaths() {
			t.Run(name, func(t *testing.T) { town{T: t, dir: w.dir}.refusePaths(name, key) })
		}
		w.must(os.Remove(config))
	})
}

// refusePaths tries a key of the configuration with each path outside.
func (w town) refusePaths(name string, key configured) {
	said := map[string]string{}
	for n, p := range key.paths {
		ways := []string{"../victim/" + p, "link/" + p, filepath.ToSlash(filepath.Join(w.dir, "victim", p))}
		if n == 0 || fixture.Long() { // there is nothing at the other paths
			ways = append(ways, ".git/"+p, `link\`+p)
		}
		for i, way := range ways {
			w.put("project/cardwright.yaml", strings.ReplaceAll(strings.ReplaceAll(key.config, mark, "Review"), "PATH", way))
			both := [][]string{{"generate"}, {"generate", "--check"}}
			if !fixture.Long() {
				both = both[i%2:][:1]
			}
			for _, args := range both {
				if strings.HasPrefix(name, "environment ") {
					args = append(args, "--env", "test")
				}
				got := reasons(w.refused(args...))
				if kind := strings.TrimSuffix(way, p); said[kind] == "" {
					said[kind] = got
				} else if said[kind] != got {
					w.Errorf("messages tell places apart:\n%s\n%s", said[kind], got)
				}
			}
		}
	}
}

// reasons are the errors that a command reports, without the paths that they quote.
func reasons(output string) string {
	return strings.Join(regexp.MustCompile(`"[^"]*"`).
		Split(strings.Join(regexp.MustCompile(`error: .*`).FindAllString(output, -1), "\n"), -1), "PATH")
}

// Two trees in one directory, or one inside the other, would take each other's
// files for stale.
func TestTreesStayApart(t *testing.T) {
	town := build(t)
	for name, test := range map[string]struct {
		link, target string
		out          string // of the configuration
		args         []string
	}{
		"servers in the cards, by a link":   {"dist.server", "dist", "dist", []string{"--server", "nginx"}},
		"servers elsewhere, by a link":      {"dist.server", "../victim/dist", "dist", []string{"--server", "nginx"}},
		"cards elsewhere, by a link":        {"dist", "../victim/dist", "dist", nil},
		"cards of another project, by name": {"", "", "../victim/dist", nil},
		"the project by its own name":       {"", "", "../project", []string{"--server", "nginx"}},
		"private cards in the cards":        {"", "", "dist", []string{"--private-out", "dist/private"}},
		"cards in the private ones":         {"", "", "dist/public", []string{"--private-out", "dist"}},
		"one directory for two": {
			"", "", "dist",
			[]string{"--private-out", "same", "--server", "nginx", "--server-dir", "same"},
		},
		"cards among the servers":    {"", "", "dist", []string{"--server", "nginx", "--server-dir", "."}},
		"in .git":                    {"", "", ".git", nil},
		"in .git, spelled otherwise": {"", "", ".GIT/hooks", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := town.again(t)
			if test.link != "" {
				w.link(test.link, test.target)
			}
			w.put("project/cardwright.yaml", strings.ReplaceAll(victimConfig, mark, "Changed")+"out: "+test.out+"\n")
			w.refuse(append([]string{"generate"}, test.args...)...)
		})
	}
	// A link that no run is asked to write through does no harm.
	w := town.again(t)
	w.link("dist.server", "../victim/dist.server")
	before := w.files("victim")
	w.succeed("generate")
	if diff := cmp.Diff(before, w.files("victim")); diff != "" {
		t.Error(diff)
	}
}

// The path of an agent leads nowhere but below the output directory.
func TestAgentPathStaysInside(t *testing.T) {
	w := build(t).again(t)
	w.link("dist/link", "../../victim/dist")
	for _, p := range []string{
		"../victim/dist", "..", "a/../../victim", "link", "link/x", w.dir + "/victim/dist", ".git",
		"a/.GIT/hooks", `link\x`,
	} {
		w.put("project/cardwright.yaml", strings.ReplaceAll(victimConfig, mark, "Changed")+"    path: '"+p+
			"'\nlayout: path\n")
		before := w.files("")
		if _, told, code := w.run("generate"); code == OK || told == "" {
			t.Errorf("path %s: exit %d, %s", p, code, told)
		}
		if diff := cmp.Diff(before, w.files("")); diff != "" {
			t.Errorf("path %s changes something (-before +after):\n%s", p, diff)
		}
	}
}

// The spelling of the system is the one of the command line.
func TestSystemSpelling(t *testing.T) {
	w := build(t)
	sep := string(filepath.Separator)
	w.succeed("generate", "--out", "."+sep+"new"+sep+"dist")
	w.succeed("verify", filepath.Join(w.dir, "project", "new", "dist"))
}
