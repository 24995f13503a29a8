package git

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"

	"cardwright/internal/diag"
)

var (
	// objectID is the name of an object, with either hash that git knows.
	objectID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	// special begins the revisions that git names itself, such as HEAD~2.
	special = regexp.MustCompile(`^[A-Z_]+($|[~^@:])`)
)

// Commit returns the id of the commit that a revision names. Somebody who may
// push tags could name one like a branch, so branches count first, and those of
// remotes before any other: origin/main is never anything else. A tag beside a
// branch of origin with its name is refused.
func (r Repository) Commit(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsRune(rev, 0) {
		return "", failure("a commit, branch or tag, such as --git origin/main", "%s is no revision", diag.Quote(rev))
	}
	spaces := []string{"refs/remotes/", "refs/heads/", "refs/tags/", ""}
	switch {
	case objectID.MatchString(rev), special.MatchString(rev), strings.HasPrefix(rev, "refs/"):
		spaces = []string{""}
	case strings.HasPrefix(rev, "origin/"):
		spaces = spaces[:1]
	}
	for _, space := range spaces {
		id, err := r.parse(ctx, space+rev)
		if err != nil {
			return "", err
		}
		if id == "" {
			continue
		}
		if space == "refs/tags/" {
			err = r.onlyTag(ctx, rev, id)
		}
		return id, err
	}
	return "", failure("in CI, fetch it first: git fetch --depth=1 origin BRANCH, then --git FETCH_HEAD", "git knows no revision %s", diag.Quote(rev))
}

// onlyTag refuses the name of a tag that a branch of origin has too.
func (r Repository) onlyTag(ctx context.Context, rev, id string) error {
	branch, err := r.parse(ctx, "refs/remotes/origin/"+rev)
	if err == nil && branch != "" && branch != id {
		err = failure("name one of them: --git origin/"+rev+" or --git refs/tags/"+rev, "%s is a tag, and a branch of origin has its name", diag.Quote(rev))
	}
	return err
}

// parse returns the id of the commit that a revision names, "" where there is
// none.
func (r Repository) parse(ctx context.Context, rev string) (string, error) {
	out, err := r.run(ctx, nil, 1<<10, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		return "", nil
	}
	if err != nil {
		return "", r.explain(err)
	}
	id := strings.TrimSpace(string(out))
	if !objectID.MatchString(id) {
		return "", failure("", "git does not tell which commit %s is", diag.Quote(rev))
	}
	return id, nil
}
