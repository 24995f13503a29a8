package cli

import (
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
type town struct{ workdir }

func build(t *testing.T) town {
	t.Helper()
	w := town{workdir{t, t.TempDir()}}
	for _, name := range []string{"project", "victim", "plain"} {
		w.put(name+"/.git/HEAD", "ref: refs/heads/main\n")
		w.put(name+"/cardwright.yaml", victimConfig)
		w.put(name+"/skills/pdf/SKILL.md",
			"---\nname: pdf\ndescription: Reads and merges PDF files.\nmetadata: {a2a-tags: documents}\n---\n")
		w.put(name+"/rc", "# "+mark+"\n")
		w.put(name+"/private/notes", mark+"\n")
		t.Chdir(filepath.Join(w.dir, name))
		if name == "project" {
			w.put("project/cardwright.yaml", strings.ReplaceAll(victimConfig, mark, "Review"))
		}
		w.succeed("generate", "-q", "--server", "nginx")
		w.put(name+"/agent-card.json", w.read(name+"/dist/.well-known/agent-card.json"))
		key := w.succeed("key", "new", "--alg", "EdDSA", "-o", "key.pem")
		w.put(name+"/public.json", key)
		w.put(name+"/jwks.json", `{"keys": [`+strings.TrimSpace(key)+`]}`)
	}
	return w.again(t)
}

// again is a town as this one was when nothing had happened in it.
func (w town) again(t *testing.T) town {
	t.Helper()
	n := town{workdir{t, t.TempDir()}}
	n.must(os.CopyFS(n.dir, os.DirFS(w.dir)))
	n.link("link", "../victim")
	t.Chdir(filepath.Join(n.dir, "project"))
	return n
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

// files are all files of the town, and what is in them.
func (w town) files() map[string]string {
	w.Helper()
	found := map[string]string{}
	w.must(filepath.Walk(w.dir, func(p string, info fs.FileInfo, err error) error {
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

// unchanged wants commands to change nothing anywhere.
func (w town) unchanged(commands func()) {
	w.Helper()
	before := w.files()
	commands()
	if diff := cmp.Diff(before, w.files()); diff != "" {
		w.Errorf("something has changed (-before +after):\n%s", diff)
	}
}

// refused wants a command to end with 2, and to print nothing that is in the other project.
func (w town) refused(args ...string) string {
	w.Helper()
	out, err, code := w.run(args...)
	if code != Usage {
		w.Errorf("%v: exit %d\n%s%s", args, code, out, err)
	}
	if strings.Contains(out+err, mark) {
		w.Errorf("%v shows what is outside:\n%s%s", args, out, err)
	}
	return out + err
}

// argument is a flag or a positional of a command.
type argument struct {
	command string // a command line with PATH in it
	// paths in another project that it is tried with. Each is reached through a
	// link to the project, and through one of its own where it exists.
	paths string
	plain string // a path outside that no link leads to; nothing is tried when it is ""
}

// arguments are all flags and positionals that take a path: say where a new one may lead.
func arguments(agent string) map[string]argument {
	return map[string]argument{ // init is tried in internal/starter
		"-chdir":  {"-C PATH lint", ".", "."},
		"-config": {"--config PATH lint", "cardwright.yaml", "cardwright.yaml"},

		"generate -out":         {"generate --out PATH", "dist new new/er .git", "new"},
		"generate -private-out": {"generate --private-out PATH", "private dist new", "new"},
		"generate -server-dir":  {"generate --server nginx --server-dir PATH", "dist.server dist new", "new"},
		"generate -audit":       {"generate --audit PATH", "rc new .git/config", "new"},
		"generate -report":      {"generate --report json=PATH", "rc new .git/x", "report.json"},

		"lint CARD":    {"lint PATH", "agent-card.json dist rc *.json nothing", "agent-card.json"},
		"lint -report": {"lint --report json=PATH", "rc new .git/x", "report.json"},
		"diff OLD":     {"diff PATH agent-card.json", "agent-card.json", "agent-card.json"},
		"diff NEW":     {"diff dist PATH --fail-on additive", "dist", "dist"},
		"diff -report": {"diff --report json=PATH dist dist", "rc new .git/x", "report.json"},

		"convert CARD": {"convert PATH --to 1.0", "agent-card.json rc", "agent-card.json"},
		"convert -o":   {"convert agent-card.json --to 1.0 -o PATH", "rc new .git/x", "new"},

		"sign CARD": {
			"sign --key file:key.pem PATH", "agent-card.json dist/.well-known/agent-card.json", "agent-card.json",
		},
		"sign -key":    {"sign --key file:PATH agent-card.json", "key.pem rc skills nothing", "key.pem"},
		"sign -attach": {"sign --attach PATH --key file:public.json agent-card.json", "rc nothing", ""},

		"verify CARD|DIR": {"verify PATH", "dist agent-card.json", "dist"},
		"verify -key":     {"verify --key file:PATH dist", "public.json rc", ""},
		"verify -jwks":    {"verify --jwks PATH dist", "jwks.json rc", ""},

		"key new -o":      {"key new --alg EdDSA -o PATH", "rc new .git/x", "new"},
		"key public FILE": {"key public PATH", "key.pem rc skills nothing", "key.pem"},

		"serve DIR":      {"serve PATH", "dist .", ""},
		"probe -against": {"probe " + agent + " --against PATH", "dist", ""},
		"probe -jwks":    {"probe " + agent + " --jwks PATH", "jwks.json rc", ""},
	}
}

// No path of the command line leads out of the project through a link in it,
// whether it is read or written, and whether anything is there or not. The same
// path without a link is what the command works on.
func TestPathsAreNotReachedThroughLinks(t *testing.T) {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(minimalCard))
	}))
	t.Cleanup(agent.Close)
	all := arguments(agent.URL)
	w := build(t) // nothing happens in it until the last of them
	with := func(a argument, p string) []string {
		args := strings.Fields(a.command)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "PATH", filepath.FromSlash(p))
		}
		return args
	}
	ways := map[string][]string{}
	for name, a := range all {
		for p := range strings.FieldsSeq(a.paths) {
			ways[name] = append(ways[name], "link/"+p)
			if _, err := os.Lstat(filepath.Join(w.dir, "victim", filepath.FromSlash(p))); err == nil && p != "." {
				w.link("links/"+p, strings.Repeat("../", strings.Count(p, "/"))+"../../victim/"+p)
				ways[name] = append(ways[name], "links/"+p)
			}
		}
	}
	w.unchanged(func() { // where it fails, -run names the argument that does it
		for name, paths := range ways {
			t.Run(name, func(t *testing.T) {
				for _, way := range paths {
					town{workdir{t, w.dir}}.refused(with(all[name], way)...)
				}
			})
		}
	})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if p := all[name].plain; p != "" {
			if p == "new" {
				p = strings.ReplaceAll(name, " ", "") // which nothing has
			}
			w.succeed(with(all[name], "../plain/"+p)...)
		}
	}
}

// A directory and a pattern are searched, and what is a link in them leads no
// further than they go.
func TestSearchesDoNotFollowLinks(t *testing.T) {
	w := build(t)
	for _, target := range []string{"../../victim/agent-card.json", "../../victim/rc", "../../nothing", "../.git/HEAD"} {
		w.link("cards/agent-card.json", target)
		w.unchanged(func() {
			w.refused("lint", "cards")
			w.refused("lint", "card?/**/agent-card.json")
			w.refused("diff", "cards", "dist")
		})
	}
}

// configured is a key of the configuration that names a path.
type configured struct {
	config string // with PATH in it
	paths  string
}

// configuredPaths are all keys that name one. The types of sources are opened in one way.
func configuredPaths() map[string]configured {
	from := func(kind string) configured {
		config := strings.ReplaceAll(victimConfig, "{type: skills, path: skills}", "{type: "+kind+", path: PATH}")
		return configured{config, "skills rc nothing"}
	}
	signing := func(value string) configured {
		return configured{victimConfig + "    signing: " + value + "\n", "key.pem rc skills nothing"}
	}
	return map[string]configured{
		"out":                {victimConfig + "out: PATH\n", "dist new"},
		"environment out":    {victimConfig + "out: dist\nenvironments: {test: {out: PATH}}\n", "dist new"},
		"skills path":        from("skills"),
		"mcp path":           from("mcp"),
		"plugin path":        from("plugin"),
		"signing key":        signing(`{key: 'file:PATH'}`),
		"signing publish":    signing(`{key: "file:key.pem", publish: ['file:PATH']}`),
		"include":            {victimConfig + "include: [PATH]\n", "skills rc nothing"},
		"include pattern":    {victimConfig + "include: ['PATH/*']\n", "skills nothing"},
		"policy":             {victimConfig + "policies: [PATH]\n", "skills rc nothing"},
		"environment policy": {victimConfig + "environments: {test: {policies: [PATH]}}\n", "rc nothing"},
	}
}

// Nothing that the configuration names lies outside the project: by a link, by
// its name or in .git. What is said about it must not reveal whether anything is there.
func TestConfiguredPathsStayInside(t *testing.T) {
	w := build(t)
	config := filepath.Join(w.dir, "project", "cardwright.yaml")
	w.must(os.Remove(config))
	w.unchanged(func() {
		for name, key := range configuredPaths() {
			t.Run(name, func(t *testing.T) { town{workdir{t, w.dir}}.refusePaths(name, key) })
		}
		w.must(os.Remove(config))
	})
}

// refusePaths tries a key of the configuration with each path outside.
func (w town) refusePaths(name string, key configured) {
	printed := map[string]string{}
	for n, p := range strings.Fields(key.paths) {
		ways := []string{"../victim/" + p, "link/" + p, filepath.ToSlash(filepath.Join(w.dir, "victim", p))}
		if n == 0 || fixture.Long() { // there is nothing at the other paths
			ways = append(ways, ".git/"+p, `link\`+p)
		}
		for i, way := range ways {
			w.put("project/cardwright.yaml", strings.ReplaceAll(strings.ReplaceAll(key.config, mark, "Review"), "PATH", way))
			args := []string{"generate"}
			if i%2 == 1 {
				args = append(args, "--check")
			}
			if strings.HasPrefix(name, "environment ") {
				args = append(args, "--env", "test")
			}
			got := reasons(w.refused(args...))
			if kind := strings.TrimSuffix(way, p); printed[kind] == "" {
				printed[kind] = got
			} else if printed[kind] != got {
				w.Errorf("messages tell places apart:\n%s\n%s", printed[kind], got)
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
// files for stale. The flags alone are tried in internal/project.
func TestTreesStayApart(t *testing.T) {
	town := build(t)
	for name, c := range map[string]struct{ link, target, out, flags string }{
		"servers in the cards, by a link":   {"dist.server", "dist", "dist", "--server nginx"},
		"servers elsewhere, by a link":      {"dist.server", "../victim/dist", "dist", "--server nginx"},
		"cards elsewhere, by a link":        {"dist", "../victim/dist", "dist", ""},
		"cards of another project, by name": {"", "", "../victim/dist", ""},
		"the project by its own name":       {"", "", "../project", "--server nginx"},
		"in .git":                           {"", "", ".git", ""},
		"in .git, spelled otherwise":        {"", "", ".GIT/hooks", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := town.again(t)
			if c.link != "" {
				w.link(c.link, c.target)
			}
			w.put("project/cardwright.yaml", strings.ReplaceAll(victimConfig, mark, "Changed")+"out: "+c.out+"\n")
			w.unchanged(func() { w.refused(append([]string{"generate"}, strings.Fields(c.flags)...)...) })
		})
	}
	// A link that no run is asked to write through does no harm.
	w := town.again(t)
	w.link("dist.server", "../victim/dist.server")
	w.succeed("generate")
}
