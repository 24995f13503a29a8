package git_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "cardwright/internal/fixture" // temporary directories in memory
	"cardwright/internal/git"
)

// repository makes a real repository with the commits one, two and three on the
// branch main, and returns it with a function that runs git in it.
func repository(t *testing.T) (git.Repository, func(args ...string) string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Stdin = root, strings.NewReader(history)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+root,
			"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@acme.example", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@acme.example")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	run("fast-import", "--quiet")
	run("reset", "-q", "--hard")
	return git.Repository{Root: root, Getenv: os.LookupEnv}, run
}

// history is what git fast-import makes the three commits of.
const history = `commit refs/heads/main
committer t <t@acme.example> 0 +0000
data 3
one
M 644 inline file
data 3
one
commit refs/heads/main
committer t <t@acme.example> 0 +0000
data 3
two
M 644 inline file
data 3
two
commit refs/heads/main
committer t <t@acme.example> 0 +0000
data 5
three
M 644 inline file
data 5
three
`

// Names of branches count before those of tags, those of remotes before all.
func TestCommit(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	one, two, three := run("rev-parse", "main~2"), run("rev-parse", "main~1"), run("rev-parse", "main")
	refs := map[string]string{
		"remotes/origin/main": one, "remotes/origin/next": one, "remotes/origin/same": two, "tags/same": two,
	}
	for _, tag := range []string{
		"origin/main", "origin/none", "main", "next", "HEAD", one, one[:9], "v1-1-g" + one[:9],
		"refs/remotes/origin/lost", "refs/heads/lost", "remotes/origin/lost", "heads/lost", "ORIG_HEAD", "MAIN", "abcdef",
	} {
		refs["tags/"+tag] = three
	}
	run("tag", "-a", "-m", "v1", "v1", two)
	run("update-ref", "refs/heads/main", two)
	refs["heads/MAIN"] = two
	for ref, id := range refs {
		lay(t, r.Root, map[string]string{".git/refs/" + ref: id + "\n"})
	}
	const ambiguous = "%q is a branch or tag, but the id of an object also begins with %s"
	tests := map[string]string{
		"origin/main":              one,
		"refs/tags/origin/main":    three,
		"main":                     two,
		"main~1":                   one,
		"HEAD":                     two,
		"HEAD~1":                   one,
		one:                        one,
		one[:12]:                   one,
		one[:9]:                    fmt.Sprintf(ambiguous, one[:9], one[:9]),
		one[:9] + "~0":             fmt.Sprintf(ambiguous, one[:9], one[:9]),
		"v1-1-g" + one[:9]:         fmt.Sprintf(ambiguous, "v1-1-g"+one[:9], one[:9]),
		"v1-1-g" + one[:8]:         one,
		"refs/tags/" + one[:9]:     three,
		"abcdef":                   three,
		"ORIG_HEAD":                `"ORIG_HEAD" is the name of a tag`,
		"MAIN":                     two,
		"@":                        two,
		"remotes/origin/main":      one,
		"heads/main":               two,
		"origin/lost":              `there is no git revision "origin/lost"`,
		"remotes/origin/lost":      `there is no git revision "remotes/origin/lost"`,
		"heads/lost":               `there is no git revision "heads/lost"`,
		"refs/heads/lost":          `there is no git revision "refs/heads/lost"`,
		"v1":                       two,
		"v1^{commit}":              two,
		"same":                     two,
		"origin/none":              `there is no git revision "origin/none"`,
		"next":                     `"next" is a tag, and a branch of origin has its name`,
		"none":                     `there is no git revision "none"`,
		"main:file":                `there is no git revision "main:file"`,
		"refs/remotes/origin/no":   `there is no git revision "refs/remotes/origin/no"`,
		"refs/remotes/origin/lost": `there is no git revision "refs/remotes/origin/lost"`,
		"":                         `"" is not a revision`,
		"--output=x":               `"--output=x" is not a revision`,
		"main\x00":                 `"main\x00" is not a revision`,
	}
	for rev, want := range tests {
		t.Run(rev, func(t *testing.T) {
			t.Parallel()
			got, err := r.Commit(t.Context(), rev)
			if failed, ok := errors.AsType[*git.Error](err); ok {
				got = failed.Message
			}
			if got != want {
				t.Errorf("got %q (%v), want %q", got, err, want)
			}
		})
	}
}

// The branches and tags of a submodule are not asked: a pull request says which
// repository it is.
func TestSubmodule(t *testing.T) {
	t.Parallel()
	inner, runInner := repository(t)
	outer, run := repository(t)
	run("-c", "protocol.file.allow=always", "submodule", "-q", "add", inner.Root, "deep/dist")
	run("commit", "-q", "-m", "four")
	one := runInner("rev-parse", "main~2")
	r := git.Repository{Root: filepath.Join(outer.Root, "deep", "dist"), Getenv: os.LookupEnv}
	for _, rev := range []string{"origin/main", "main", "HEAD", "FETCH_HEAD", one[:12], "refs/remotes/origin/main"} {
		_, err := r.Commit(t.Context(), rev)
		if failed, ok := errors.AsType[*git.Error](err); !ok || !strings.Contains(failed.Message, "is a submodule") ||
			!strings.Contains(failed.Hint, filepath.ToSlash(outer.Root)) {
			t.Errorf("%s: %v", rev, err)
		}
	}
	if id, err := r.Commit(t.Context(), one); id != one || err != nil {
		t.Errorf("the whole id: %s, %v", id, err)
	}
	if id, err := outer.Commit(t.Context(), "HEAD"); id != run("rev-parse", "HEAD") || err != nil {
		t.Errorf("around the submodule: %s, %v", id, err)
	}
}

// Git finds the repository of the work tree or none: not one further up, and none
// that is a directory with the files of a repository.
func TestOtherRepositories(t *testing.T) {
	t.Parallel()
	r, run := repository(t)
	bare := filepath.Join(r.Root, "dist")
	run("clone", "-q", "--bare", ".", bare)
	below := filepath.Join(r.Root, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{bare, below} {
		_, err := git.Repository{Root: root, Getenv: os.LookupEnv}.Commit(t.Context(), "HEAD")
		if _, ok := errors.AsType[*git.Error](err); !ok {
			t.Errorf("%s is taken for a work tree: %v", root, err)
		}
	}
}
