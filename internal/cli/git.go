package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
	"cardwright/internal/source"
)

const (
	// mostListed and mostContent bound, in bytes, what git tells of the files in
	// a commit and what it hands out of them.
	mostListed  = 64 << 20
	mostContent = 256 << 20
)

// committed opens a card or a directory as it is in a commit. What is not in
// the commit is an edition without cards.
func committed(ctx context.Context, rev, name string, tree bool, limits source.Limits) (*edition, error) {
	g := git{dir: name}
	wanted := matters
	if !tree {
		g.dir = filepath.Dir(name)
		wanted = func(file string) bool { return file == filepath.Base(name) }
	}
	commit, err := g.commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	blobs, err := g.list(ctx, commit, wanted)
	if err != nil {
		return nil, err
	}
	if err := g.fill(ctx, blobs, max(limits.WithDefaults().Card, publish.MaxManifest)); err != nil {
		return nil, err
	}
	e := &edition{tree: tree, show: func(file string) string { return rev + ":" + path.Join(filepath.ToSlash(g.dir), file) }}
	byFile := map[string]blob{}
	for _, b := range blobs {
		e.files = append(e.files, b.file)
		byFile[b.file] = b
	}
	e.read = func(file string, limit int) ([]byte, error) {
		switch b, ok := byFile[file]; {
		case !ok:
			return nil, os.ErrNotExist
		case b.link:
			return nil, &source.NotRegularError{Name: file, Kind: "a symbolic link"}
		case b.size > limit:
			return nil, &source.TooLargeError{Name: file, Limit: limit}
		default:
			return b.data, nil
		}
	}
	return e, nil
}

// blob is a file in a commit.
type blob struct {
	file string // slash path relative to the directory that git runs in
	id   string
	size int
	link bool
	data []byte
}

// git runs git in a directory. Only commands that read objects are used: they
// run no program that the repository names, and fetch nothing.
type git struct{ dir string }

// objectID is the name of an object, with either hash that git knows.
var objectID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// commit returns the id of the commit that rev names.
func (g git) commit(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsRune(rev, 0) {
		return "", usageError("a commit, branch or tag, such as --git main", "%s is no revision", diag.Quote(rev))
	}
	out, err := g.run(ctx, nil, 1<<10, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", usageError("in CI, fetch it first: git fetch --depth=1 origin BRANCH, then --git FETCH_HEAD", "git knows no revision %s", diag.Quote(rev))
	}
	if err != nil {
		return "", g.explain(err)
	}
	id := strings.TrimSpace(string(out))
	if !objectID.MatchString(id) {
		return "", usageError("", "git does not tell which commit %s is", diag.Quote(rev))
	}
	return id, nil
}

// list returns the files of a commit at or below the directory that are wanted,
// in bytewise order of their paths.
func (g git) list(ctx context.Context, commit string, wanted func(string) bool) ([]blob, error) {
	out, err := g.run(ctx, nil, mostListed, "ls-tree", "-r", "-z", "--long", commit)
	if err != nil {
		return nil, g.explain(err)
	}
	var blobs []blob
	for entry := range strings.SplitSeq(string(out), "\x00") {
		meta, file, _ := strings.Cut(entry, "\t")
		words := strings.Fields(meta) // mode, type, id, size
		if len(words) != 4 || words[1] != "blob" || !wanted(file) || !objectID.MatchString(words[2]) {
			continue
		}
		size, err := strconv.Atoi(words[3])
		if err != nil {
			return nil, lacking(file)
		}
		blobs = append(blobs, blob{file: file, id: words[2], size: size, link: words[0] == "120000"})
	}
	return blobs, nil
}

// fill reads the files, but for links and those of more bytes than the bound.
func (g git) fill(ctx context.Context, blobs []blob, bound int) error {
	var ids bytes.Buffer
	var asked []*blob
	total := 0
	for i := range blobs {
		if b := &blobs[i]; !b.link && b.size <= bound {
			fmt.Fprintln(&ids, b.id)
			asked, total = append(asked, b), total+b.size+1<<7
		}
	}
	if total > mostContent {
		return usageError("name a directory with fewer cards", "the cards in the commit have more than %d bytes", mostContent)
	}
	if len(asked) == 0 {
		return nil
	}
	out, err := g.run(ctx, ids.Bytes(), total, "cat-file", "--batch")
	if err != nil {
		return g.explain(err)
	}
	for _, b := range asked {
		header, rest, _ := bytes.Cut(out, []byte("\n"))
		if string(header) != fmt.Sprintf("%s blob %d", b.id, b.size) || len(rest) <= b.size {
			return lacking(b.file)
		}
		b.data, out = rest[:b.size], rest[b.size+1:]
	}
	return nil
}

// lacking says that a partial clone has a file in name only.
func lacking(file string) error {
	return usageError("fetch the whole commit, without --filter", "git does not have the content of %s", diag.Quote(file))
}

// run runs git, and returns what it prints: at most so many bytes.
func (g git) run(ctx context.Context, stdin []byte, bound int, args ...string) ([]byte, error) {
	args = append([]string{"--no-pager", "--no-replace-objects"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, gitEnvironment(), bytes.NewReader(stdin)
	out, said := capped{room: bound}, capped{room: 4 << 10}
	cmd.Stdout, cmd.Stderr = &out, &said
	switch err := cmd.Run(); {
	case err == nil:
		return out.kept.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.full:
		return nil, &gitError{errTooMuch, ""}
	default:
		return nil, &gitError{err, said.kept.String()}
	}
}

var errTooMuch = errors.New("git prints more than is read")

// gitEnvironment is what git needs to know of its environment. GIT_DIR and the
// like, which hooks of git inherit, would have it look elsewhere.
func gitEnvironment() []string {
	env := []string{
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", // a partial clone fetches what it lacks
		"GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// gitError is why git failed, and what it said about that.
type gitError struct {
	error
	said string
}

func (e *gitError) Unwrap() error { return e.error }

// explain says in our words why git failed.
func (g git) explain(err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return err
	}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return usageError("install git, or compare two directories", "--git needs git, which is not installed")
	case errors.Is(err, errTooMuch):
		return usageError("name a directory with fewer files", "the commit has more files than are read")
	case strings.Contains(failed.said, "not a git repository"):
		return usageError("", "%s is in no git repository", diag.Quote(g.dir))
	case strings.Contains(failed.said, "dubious ownership"):
		return usageError("git config --global --add safe.directory DIR trusts it", "git does not trust the repository around %s: it belongs to another user", diag.Quote(g.dir))
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(failed.said, "fatal: "), "\n")
	if line == "" {
		line = failed.Error()
	}
	return usageError("", "git cannot read the commit: %s", line)
}

// capped keeps what is written to it as long as there is room. It is no
// [bytes.Buffer] itself, which would be read into past its Write.
type capped struct {
	kept bytes.Buffer
	room int
	full bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.kept.Len()+len(p) > c.room {
		c.full = true
		return 0, errTooMuch
	}
	return c.kept.Write(p)
}
