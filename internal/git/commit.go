package git

import (
	"context"
	"path/filepath"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
)

var (
	// objectID is the name of an object, with either hash that git knows.
	objectID = parallel.Regexp(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
	// abbreviated is what git may also take for the beginning of an id, alone or as
	// git describe prints it.
	abbreviated = parallel.Regexp(`^(?:.*-g)?([0-9a-f]{4,63})$`)
	// special are the revisions that git itself keeps, such as HEAD~2.
	special = parallel.Regexp(`^(@|HEAD|FETCH_HEAD|MERGE_HEAD|ORIG_HEAD)($|[~^:]|@\{)`)
	// relation is what may follow a name, such as ~2.
	relation = parallel.Regexp(`([~^:]|@\{).*$`)
)

// Commit returns the id of the commit that a revision names. Somebody who may
// push tags could name one like a branch, so branches count first, and those of
// remotes before any other: origin/main is never anything else. A tag that could
// be taken for something else is refused. In a submodule, whose history is that
// of whatever repository a commit of the outer one names, only ids count.
func (r Repository) Commit(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsRune(rev, 0) {
		return "", failure("a commit, branch or tag, such as --git origin/main", "%s is not a revision", diag.Quote(rev))
	}
	if objectID().MatchString(rev) {
		return r.commit(ctx, rev, rev)
	}
	if outer := r.outer(ctx); outer != "" {
		return "", failure("run it in "+diag.Quote(outer)+", or use the full commit id",
			"%s is a submodule, with branches and tags of another repository", diag.Quote(r.Root))
	}
	asked, name := rev, relation().ReplaceAllString(rev, "")
	spaces := []string{"refs/remotes/", "refs/heads/", "refs/tags/", ""}
	switch first, _, _ := strings.Cut(rev, "/"); {
	case name == "", name == "@", name == "HEAD":
		return r.commit(ctx, asked, rev)
	case special().MatchString(rev):
		spaces = spaces[3:]
	case first == "origin":
		spaces = spaces[:1]
	case first == "refs":
		spaces = []string{"refs/"}
		rev, name = strings.TrimPrefix(rev, "refs/"), strings.TrimPrefix(name, "refs/")
	case first == "remotes", first == "heads", first == "tags":
		spaces = []string{"refs/"}
	}
	refs, err := r.refs(ctx, name)
	if err != nil {
		return "", err
	}
	if _, is := refs["refs/tags/"+name]; is && spaces[0] == "" { // which git takes when it keeps nothing
		return "", failure("delete the tag", "%s is the name of a tag", diag.Quote(name))
	}
	for _, space := range spaces {
		id, is := refs[space+name]
		if space != "" && !is {
			continue
		}
		if err := r.only(ctx, refs, space, name); err != nil {
			return "", err
		}
		if id != "" && rev == name {
			return id, nil
		}
		return r.commit(ctx, asked, space+rev)
	}
	return "", r.unknown(ctx, asked)
}

// refs are the references that a name may stand for, with the id of the commit that each
// is, "" for another object.
func (r Repository) refs(ctx context.Context, name string) (map[string]string, error) {
	args := []string{"for-each-ref", "--format=%(objecttype) %(objectname) %(refname)"}
	for _, space := range []string{"refs/", "refs/remotes/", "refs/heads/", "refs/tags/", "refs/remotes/origin/"} {
		args = append(args, space+name)
	}
	out, err := r.run(ctx, mostListed, args...)
	if err != nil {
		return nil, r.explain(err)
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "commit" {
			refs[words[2]] = words[1]
		} else if len(words) == 3 {
			refs[words[2]] = ""
		}
	}
	return refs, nil
}

func (r Repository) unknown(ctx context.Context, rev string) error {
	shallow, err := r.shallow(ctx)
	if err != nil {
		return err
	}
	return failure(fetch(rev, shallow), "there is no git revision %s", diag.Quote(rev))
}

// outer returns the work tree of which this one is a submodule, "" where it is none: the
// outer repository, which others may change, decides which repository that is, and so
// what its branches are.
func (r Repository) outer(ctx context.Context) string {
	around, err := files.Around(filepath.Dir(r.Root))
	if err != nil || !around.Versioned() {
		return ""
	}
	self, err := filepath.Rel(around.Root, r.Root)
	if err != nil {
		return ""
	}
	entries, err := Repository{Root: around.Root, Getenv: r.Getenv}.index(ctx, []string{filepath.ToSlash(self)})
	if err != nil || len(entries) != 1 || entries[0].mode != submodule {
		return ""
	}
	return around.Root
}

// only refuses a name in a space of names that could be taken for something else.
func (r Repository) only(ctx context.Context, refs map[string]string, space, name string) error {
	if space == "" || space == "refs/" {
		return nil
	}
	if _, branch := refs["refs/remotes/origin/"+name]; branch && space == "refs/tags/" {
		if err := r.onlyTag(ctx, name); err != nil {
			return err
		}
	}
	beginning := abbreviated().FindStringSubmatch(name)
	if beginning == nil {
		return nil
	}
	ids, err := r.run(ctx, mostListed, "rev-parse", "--disambiguate="+beginning[1])
	switch {
	case err != nil:
		return r.explain(err)
	case len(ids) > 0:
		return failure("name one of them: the whole id, or --git "+space+name,
			"%s is a branch or tag, but the id of an object also begins with %s", diag.Quote(name), beginning[1])
	}
	return nil
}

// onlyTag refuses the name of a tag that a branch of origin has too, unless both
// are one commit.
func (r Repository) onlyTag(ctx context.Context, name string) error {
	tag, err := r.parse(ctx, "refs/tags/"+name)
	if err != nil {
		return err
	}
	if id, err := r.parse(ctx, "refs/remotes/origin/"+name); err != nil || id == tag {
		return err
	}
	return failure("name one of them: --git origin/"+name+" or --git refs/tags/"+name,
		"%s is a tag, and a branch of origin has its name", diag.Quote(name))
}

// commit returns the id of the commit that a revision names.
func (r Repository) commit(ctx context.Context, asked, rev string) (string, error) {
	id, err := r.parse(ctx, rev)
	if err == nil && id == "" {
		err = r.unknown(ctx, asked)
	}
	return id, err
}

// parse returns the id of the commit that a revision names, "" where there is
// none.
func (r Repository) parse(ctx context.Context, rev string) (string, error) {
	id, is, err := r.answer(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if is && !objectID().MatchString(id) {
		return "", failure("", "git cannot resolve the commit %s", diag.Quote(rev))
	}
	return id, err
}

// Names returns the branches and tags of the repository, the newest first: what
// somebody who types a commit can mean.
func (r Repository) Names(ctx context.Context) []string {
	out, err := r.run(ctx, mostListed, "for-each-ref", "--count=200", "--sort=-creatordate", "--format=%(refname:short)",
		"refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil
	}
	return append(strings.Fields(string(out)), "HEAD")
}
