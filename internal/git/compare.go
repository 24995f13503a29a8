package git

import (
	"cmp"
	"context"
	"strings"

	"cardwright/internal/diag"
)

// Sides are two states to compare.
type Sides struct {
	From, To         string // ids of commits, To is "" for the work tree
	FromName, ToName string // as messages name them
}

// Sides returns what a revision asks to compare, as git diff does: REV is the last
// commit that REV and HEAD have in common and the work tree, A..B two commits, and
// A...B the last commit that these have in common and B. A side that is left out is
// HEAD.
func (r Repository) Sides(ctx context.Context, rev string) (Sides, error) {
	from, to, ranged := strings.Cut(rev, "..")
	if !ranged {
		return r.base(ctx, rev)
	}
	to, joint := strings.CutPrefix(to, ".")
	s := Sides{FromName: cmp.Or(from, "HEAD"), ToName: cmp.Or(to, "HEAD")}
	var err error
	if s.From, err = r.Commit(ctx, s.FromName); err != nil {
		return s, err
	}
	if s.To, err = r.Commit(ctx, s.ToName); err == nil && joint {
		err = r.join(ctx, &s, s.To, s.ToName)
	}
	return s, err
}

// Since returns the commit to compare the work tree with, as a revision or a range asks
// for it. HEAD is what the work tree belongs to, so a range has no other end.
func (r Repository) Since(ctx context.Context, rev string) (Sides, error) {
	s, err := r.Sides(ctx, rev)
	if err != nil || s.To == "" {
		return s, err
	}
	if head, err := r.parse(ctx, "HEAD"); err != nil || head == s.To {
		return s, err
	}
	return s, failure("leave out "+diag.Quote(s.ToName)+", or check it out",
		"the work tree is compared, which belongs to HEAD and not to %s", diag.Quote(s.ToName))
}

// base returns the last commit that a revision and HEAD have in common, to compare the
// work tree with. In a submodule it is the revision itself, because whoever changes the
// outer repository chooses HEAD.
func (r Repository) base(ctx context.Context, rev string) (Sides, error) {
	commit, err := r.Commit(ctx, rev)
	s := Sides{From: commit, FromName: rev}
	if err != nil || rev == "HEAD" || r.outer(ctx) != "" {
		return s, err
	}
	head, err := r.parse(ctx, "HEAD")
	if err != nil || head == "" { // before the first commit
		return s, err
	}
	return s, r.join(ctx, &s, head, "HEAD")
}

// join replaces From by the last commit that it has in common with another.
func (r Repository) join(ctx context.Context, s *Sides, other, name string) error {
	if s.From == other {
		return nil
	}
	base, _, err := r.answer(ctx, "merge-base", s.From, other)
	if err != nil {
		return err
	}
	switch known, err := r.sure(ctx, s.From, other, base); {
	case err != nil:
		return err
	case !known:
		return failure(fetch(s.FromName, true),
			"the clone is shallow, so the last commit that %s and %s have in common is unknown", diag.Quote(s.FromName),
			diag.Quote(name))
	case base == "":
		return failure("to compare them all the same, use --git "+s.FromName+".."+name, "%s and %s have no commit in common",
			diag.Quote(s.FromName), diag.Quote(name))
	case base != s.From:
		s.From, s.FromName = base, base[:12]
	}
	return nil
}

// sure reports whether base is the last commit that two others have in common. In a
// shallow clone, whose history is cut off, there may be a later one behind the cut.
func (r Repository) sure(ctx context.Context, one, other, base string) (bool, error) {
	if base == one || base == other {
		return true, nil
	}
	shallow, err := r.shallow(ctx)
	if err != nil || !shallow || base == "" {
		return !shallow, err
	}
	cut, _, err := r.answer(ctx, "rev-list", "--max-parents=0", "--max-count=1", one, other, "^"+base)
	return cut == "", err
}

func (r Repository) shallow(ctx context.Context) (bool, error) {
	shallow, _, err := r.answer(ctx, "rev-parse", "--is-shallow-repository")
	return shallow == "true", err
}

// fetch is the hint to fetch the history of a revision.
func fetch(rev string, shallow bool) string {
	branch := "*"
	if name, ok := strings.CutPrefix(relation().ReplaceAllString(rev, ""), "origin/"); ok {
		branch = name
	}
	whole := ""
	if shallow {
		whole = "--unshallow "
	}
	return "fetch it first: git fetch " + whole + "origin '+refs/heads/" + branch + ":refs/remotes/origin/" + branch + "'"
}
