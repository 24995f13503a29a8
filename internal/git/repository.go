package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cardwright/internal/diag"
)

// Repository is the git repository of a work tree.
type Repository struct {
	Root string // of the work tree: absolute, and .git lies in it
	// Getenv looks up the few variables of the environment that git needs.
	Getenv func(name string) (string, bool)
}

// Error is why git could not answer, in the user's words.
type Error struct {
	Message string
	Hint    string // "" for none
}

func (e *Error) Error() string { return e.Message }

func failure(hint, format string, args ...any) error {
	return &Error{Message: fmt.Sprintf(format, args...), Hint: hint}
}

// patience is how long git may take: it hangs where its configuration includes a
// pipe.
const patience = 2 * time.Minute

// run runs git at the root of the work tree, and returns what it prints: at most
// so many bytes.
//
// Git is told where the repository is. So it neither looks further up, nor takes a
// committed directory with the files of a repository for one, nor asks who owns the
// files: all that it does here is to read objects and names.
func (r Repository) run(ctx context.Context, bound int, args ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := r.command(limited, args...)
	out, said := capped{room: bound}, capped{room: 4 << 10}
	cmd.Stdout, cmd.Stderr = &out, &said
	switch err := cmd.Run(); {
	case err == nil:
		return out.kept.Bytes(), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, &runError{errTooSlow, ""}
	case out.full:
		return nil, &runError{errTooMuch, ""}
	default:
		return nil, &runError{err, said.kept.String()}
	}
}

// answer runs git for a line that it prints, and reports whether it has one: it ends with 1
// where what was asked for is not there.
func (r Repository) answer(ctx context.Context, args ...string) (line string, is bool, err error) {
	out, err := r.run(ctx, 1<<10, args...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return "", false, nil
	}
	if err != nil {
		return "", false, r.explain(err)
	}
	return strings.TrimSpace(string(out)), true, nil
}

// command is a run of git that starts no other program, whatever the configuration
// and the attributes of the repository say.
func (r Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	args = append([]string{
		"--no-pager", "--no-replace-objects", "--literal-pathspecs",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
		"-c", "core.attributesFile=", "-c", "core.excludesFile=",
	}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = r.Root, r.environment(), time.Second
	return cmd
}

var (
	errTooMuch = errors.New("git printed too much")
	errTooSlow = errors.New("git did not answer")
)

// environment is what git needs to know of its environment, and nothing of the
// variables that hooks of git inherit. The configuration of the user and of the
// system is not read.
func (r Repository) environment() []string {
	env := []string{
		"GIT_DIR=" + filepath.Join(r.Root, ".git"), "GIT_WORK_TREE=" + r.Root,
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", // a partial clone fetches what it lacks
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1",
		"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP"} {
		if value, ok := r.Getenv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// runError is why a run of git failed, and what it said about that.
type runError struct {
	error
	said string
}

func (e *runError) Unwrap() error { return e.error }

// explain says in our words why git failed.
func (r Repository) explain(err error) error {
	var failed *runError
	if !errors.As(err, &failed) {
		return err
	}
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return failure("install git, use the image whose tag ends in -git, or compare two directories",
			"--git needs git, which is not installed")
	case errors.Is(err, errTooMuch):
		return failure("name a directory with fewer files", "the commit has more files than are read")
	case strings.Contains(failed.said, "not a git repository"):
		return failure("run the command in the git work tree of the cards, for example with -C DIR",
			"%s is not in a git repository",
			diag.Quote(r.Root))
	case errors.Is(err, errTooSlow):
		return failure("run git fsck, and look for an include in .git/config", "git did not answer in %s", patience)
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(failed.said, "fatal: "), "\n")
	if line == "" {
		line = failed.Error()
	}
	return failure("", "git cannot read the commit: %s", line)
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
