package trials

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/fixture"
)

// ignoreShape is a repository as its .gitignore shapes it.
type ignoreShape struct {
	name, ignore string
	more         map[string]string // further files
	project      string            // directory of the project, "" for the top
}

const (
	pythonIgnore = "__pycache__/\n*.py[cod]\n*$py.class\n\n*.so\n\n.Python\nbuild/\ndevelop-eggs/\ndist/\ndownloads/\n" +
		"eggs/\n.eggs/\nlib/\nlib64/\nparts/\nsdist/\nvar/\nwheels/\n*.egg-info/\n.installed.cfg\n*.egg\nMANIFEST\n"
	nodeIgnore = "logs\n*.log\nnpm-debug.log*\n.npm\n.eslintcache\nnode_modules/\n*.tsbuildinfo\n.env\n.env.*\n" +
		"!.env.example\n.next\nout\n.nuxt\ndist\n.cache\n.vuepress/dist\n.serverless/\n.vscode-test\n"
	webSite = "<html><body>A site of somebody.</body></html>\n"
)

// ignoreShapes are what repositories keep out of git, as far as it may concern a card.
var ignoreShapes = []ignoreShape{
	{name: "nothing"},
	{name: "a comment", ignore: "#dist\n"},
	{name: "dist", ignore: "dist\n"},
	{name: "dist slash", ignore: "dist/\n"},
	{name: "slash dist", ignore: "/dist\n"},
	{name: "slash dist slash", ignore: "/dist/\n"},
	{name: "without a line end", ignore: "node_modules\n/dist"},
	{name: "a blank behind dist", ignore: "dist  \n"},
	{name: "dist with CRLF", ignore: "node_modules/\r\ndist/\r\n"},
	{name: "dist behind a byte order mark", ignore: "\ufeffdist\n"},
	{name: "all dist", ignore: "**/dist\n"},
	{name: "what is in any dist", ignore: "**/dist/**\n"},
	{name: "what is in dist", ignore: "dist/*\n"},
	{name: "all that is in dist", ignore: "/dist/**\n"},
	{name: "what is in dist, with a file kept", ignore: "dist/*\n!dist/.gitkeep\n"},
	{name: "what is in dist, with the card kept", ignore: "dist/*\n!dist/.well-known\n"},
	{name: "a directory that cannot be taken back", ignore: "dist\n!dist/.well-known\n"},
	{name: "dist taken back", ignore: "dist\n!dist\n"},
	{name: "dist taken back too early", ignore: "!dist\ndist\n"},
	{name: "a class", ignore: "[Dd]ist/\n"},
	{name: "one letter", ignore: "d?st\n"},
	{name: "dist in a name", ignore: "*dist*\n"},
	{name: "build and all that begins so", ignore: "build*\nout*\n"},
	{name: "python", ignore: pythonIgnore},
	{name: "node", ignore: nodeIgnore},
	{name: "json", ignore: "*.json\n"},
	{name: "json but one", ignore: "*.json\n!package.json\n!tsconfig.json\n"},
	{name: "json at any depth", ignore: "**/*.json\n"},
	{name: "json in dist", ignore: "/dist/**/*.json\n"},
	{name: "json with CRLF", ignore: "*.json\r\n.*\r\n"},
	{name: "the card", ignore: "agent-card.json\n"},
	{name: "all about agents", ignore: "agent*\n"},
	{name: "the manifest", ignore: "*.manifest.json\n"},
	{name: "dotted names", ignore: ".*\n"},
	{name: "dotted names but one", ignore: ".*\n!.github\n"},
	{name: "names with a dot", ignore: "*.*\n!*.md\n!*.yaml\n"},
	{name: "git's own files", ignore: ".git*\n"},
	{name: "the ignore files", ignore: ".gitignore\n"},
	{name: "well-known", ignore: ".well-known\n"},
	{name: "any well-known", ignore: "**/.well-known\n"},
	{name: "any well-known slash", ignore: "**/.well-known/\n"},
	{name: "what is in well-known", ignore: ".well-known/*.json\n"},
	{name: "sidecars", ignore: "*.etag\n*.sha256\n"},
	{name: "dist and agent-cards", ignore: "dist\nagent-cards\n"},
	{name: "dist and cards by pattern", ignore: "/dist\n*-cards/\n"},
	{name: "dist, public and agent-cards", ignore: "dist\npublic\nagent-cards\n", more: map[string]string{
		"public/index.html": webSite, "docs/index.md": "# Docs\n",
	}},
	{
		name: "all fallbacks at the top, and a directory", ignore: "/dist\n/agent-cards\n/a2a\nassets\n",
		more: map[string]string{"assets/a.css": "p {}\n", "docs/index.md": "# Docs\n"},
	},
	{
		name: "all but some directories", ignore: "/*\n!/skills/\n!/src/\n!/.gitignore\n!/*.yaml\n!/README.md\n",
		more: map[string]string{"src/main.js": "run()\n"},
	},
	{
		name: "all but some directories and docs", ignore: "/*\n!/skills/\n!/docs\n!/.gitignore\n!/*.yaml\n!/README.md\n",
		more: map[string]string{"docs/index.md": "# Docs\n"},
	},
	{name: "all files but texts", ignore: "*\n!*/\n!*.md\n!*.yaml\n"},
	{name: "public of a site", ignore: "dist\n", more: map[string]string{"public/index.html": webSite}},
	{name: "public that is ignored", ignore: "dist\npublic\n", more: map[string]string{"public/index.html": webSite}},
	{name: "public that keeps its files out", ignore: "dist\n", more: map[string]string{
		"public/index.html": webSite, "public/.gitignore": "*\n!.gitignore\n!index.html\n",
	}},
	{name: "a dist that a bundler fills", ignore: "node_modules\n", more: map[string]string{"dist/index.html": webSite}},
	{name: "a dist that another tool fills and git ignores", ignore: "dist\n", more: map[string]string{
		"dist/main.js": "run()\n",
	}},
	{name: "exclude of the clone", more: map[string]string{".git/info/exclude": "dist\n"}},
	{name: "exclude of json", more: map[string]string{".git/info/exclude": "*.json\n"}},
	{name: "a part of a repository", ignore: "dist\n", project: "agents/shop"},
	{name: "a part of a repository, anchored", ignore: "/dist\n", project: "agents/shop"},
	{name: "a part of a repository, in between", project: "agents/shop", more: map[string]string{
		"agents/.gitignore": "dist\n",
	}},
	{name: "a part of a repository, by its path", ignore: "agents/*/dist\n", project: "agents/shop"},
	{name: "a part of a repository, taken back", ignore: "dist\n*.json\n", project: "agents/shop", more: map[string]string{
		"agents/shop/.gitignore": "!dist\n",
	}},
	{name: "several agents", ignore: "**/dist/**\n.*\n", more: secondAgent},
	{name: "several agents in an ignored dist", ignore: "dist\n", more: secondAgent},
	{name: "several agents without json", ignore: "*.json\n!plugin.json\n", more: secondAgent},
}

// secondAgent is a plugin beside the skills of the repository.
var secondAgent = map[string]string{
	"desk/plugin.json": `{"name": "desk", "description": "Answers questions about desks.", "version": "1.2.0"}`,
	"desk/skills/book/SKILL.md": "---\nname: book\ndescription: Books a desk in the office.\n" +
		"metadata: {a2a-tags: desks}\n---\n",
}

// Whatever a repository ignores, the cards of a first run are in the commit, and a clone
// of it has no drift.
func TestCardsAreCommitted(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		fixture.Missing(t, "git")
	}
	for _, shape := range ignoreShapes {
		t.Run(shape.name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			shell(t, top, "git init -q -b main --template= repo")
			repo, clone := filepath.Join(top, "repo"), filepath.Join(top, "clone")
			files := map[string]string{
				path.Join(shape.project, "README.md"): "# Shop\n\nAnswers questions about orders.\n",
				path.Join(shape.project, "skills/pay/SKILL.md"): "---\nname: pay\ndescription: Pays invoices of a customer.\n" +
					"metadata: {a2a-tags: money}\n---\n",
			}
			if shape.ignore != "" {
				files[".gitignore"] = shape.ignore
			}
			maps.Copy(files, shape.more)
			for _, name := range slices.Sorted(maps.Keys(files)) {
				writeFile(t, repo, name, files[name])
			}
			shell(t, filepath.Join(repo, shape.project), "cardwright init && cardwright generate -q\n"+
				"git add -A && git commit -q -m first\n"+
				"git ls-files --full-name "+`"$(git rev-parse --show-toplevel)" >"$TOP/files.txt"`, "TOP="+top)
			committed := strings.Split(lineOf(t, top, "files.txt"), "\n")
			cards := slices.DeleteFunc(slices.Clone(committed), func(f string) bool {
				return path.Base(f) != "agent-card.json"
			})
			want := 1
			if _, several := shape.more["desk/plugin.json"]; several {
				want = 2
			}
			if len(cards) != want {
				t.Fatalf("%d cards in the commit, want %d:\n%s", len(cards), want, strings.Join(committed, "\n"))
			}
			shell(t, top, "git clone -q --template= repo clone")
			check := exec.CommandContext(t.Context(), "cardwright", "-C", filepath.Join(clone, shape.project),
				"generate", "--check")
			if out, err := check.CombinedOutput(); err != nil || strings.Contains(string(out), "git ignores") {
				t.Errorf("the check of a clone: %v\n%s\n%s", err, out, strings.Join(committed, "\n"))
			}
		})
	}
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
