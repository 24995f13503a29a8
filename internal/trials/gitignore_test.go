package trials

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/files"
	"cardwright/internal/fixture"
)

// ignoreFiles are what people write to keep build output out of git.
var ignoreFiles = []string{
	"", "#dist\n", "dist\n", "dist/\n", "/dist\n", "/dist/\n", "node_modules\n/dist", "dist  \n", "dist\\ \n",
	"node_modules/\r\ndist/\r\n", "\ufeffdist\n", "**/dist\n", "**/dist/**\n", "dist/*\n", "/dist/**\n",
	"dist/*\n!dist/.gitkeep\n", "dist/*\n!dist/.well-known\n", "dist\n!dist/.well-known\n", "dist\n!dist\n",
	"!dist\ndist\n", "[Dd]ist/\n", "[!a]ist\n", "d?st\n", "*dist*\n", "build*\n*.py[cod]\n*$py.class\nlib/\n",
	"*.json\n", "*.json\n!package.json\n", "**/*.json\n", "/dist/**/*.json\n", "*.json\r\n.*\r\n", "agent-card.json\n",
	"agent*\n", "*.manifest.json\n", ".*\n!.github\n", "*.*\n!*.md\n", ".git*\n", ".well-known\n", "**/.well-known/\n",
	".well-known/*.json\n", "*.etag\n*.sha256\n", "/*\n!/docs\n!/.gitignore\n", "*\n!*/\n!*.md\n", "dist/**/agent.json\n",
	"\\#dist\n\\!dist\n", "dist/.well-known/\n!dist/.well-known/agent.json\n", "a/**/b\n", "a/**\n!a/b\n", "/a/*/c\n",
}

// The reader of ignore files ignores what git ignores.
func TestIgnoresAsGit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		fixture.Missing(t, "git")
	}
	top := t.TempDir()
	var names []string
	for i, text := range ignoreFiles {
		dir := fmt.Sprintf("s%d", i)
		fixture.Write(t, top, dir+"/.gitignore", text)
		for _, name := range []string{
			"dist/.well-known/agent-card.json", "dist/.well-known/agent.json", "dist/cardwright.manifest.json",
			"dist/.gitignore", "dist/.well-known/agent.json.etag", "dist ", "docs/dist/x.md", "docs/index.md", "#dist",
			"!dist", "package.json", "a/b", "a/x/b", "a/x/y/b", "a/x/c", ".github/x.json", "agent-cards/x", "dist2/x",
		} {
			names = append(names, path.Join(dir, name))
		}
	}
	shell(t, top, "git init -q --template= .")
	git := exec.CommandContext(t.Context(), "git", "check-ignore", "--no-index", "--stdin", "-z")
	git.Dir, git.Stdin = top, strings.NewReader(strings.Join(names, "\x00"))
	out, err := git.Output()
	if err != nil {
		t.Fatal(err)
	}
	ignored := strings.Split(string(out), "\x00")
	ours := files.NewIgnores(os.DirFS(top), top)
	for i, text := range ignoreFiles {
		for _, name := range names {
			if dir, below, _ := strings.Cut(name, "/"); dir == fmt.Sprintf("s%d", i) {
				if got, want := ours.Has(name), slices.Contains(ignored, name); got != want {
					t.Errorf("%q: %s: %t, git says %t", text, below, got, want)
				}
			}
		}
	}
}
