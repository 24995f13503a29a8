package project

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/git"
	"cardwright/internal/paths"
	"cardwright/internal/tree"
)

// changedSince are the ids of the agents whose inputs, or whose files in an output
// directory, differ from those of a commit. all tells that settings have changed
// which every agent shares, that an agent has gone, or that nothing else has changed
// than files of no agent.
func (r *Run) changedSince(ctx context.Context, rev string) (ids []string, all bool, err error) {
	p, c := r.Project, r.Config
	repo := git.Repository{Root: p.Root, Getenv: r.Getenv}
	commit, err := repo.Commit(ctx, rev)
	var changed, links []string
	if err == nil {
		changed, err = repo.Changed(ctx, commit)
	}
	if err == nil {
		links, err = repo.Links(ctx)
	}
	if failed, ok := errors.AsType[*git.Error](err); ok {
		return nil, false, diag.UsageError(failed.Hint, "%s", failed.Message)
	}
	if err != nil {
		return nil, false, err
	}
	shown := make(map[string]bool, len(changed))
	for _, file := range changed {
		shown[p.Whole.Show(file)] = true
	}
	if slices.ContainsFunc(c.Shared, func(file string) bool { return shown[file] }) || len(changed) > 0 && r.hasLeft() {
		return nil, true, nil
	}
	written, others := r.changedOutput(changed)
	for i := range c.Agents {
		a := &c.Agents[i]
		concerns := func(input string) bool {
			tree, err := p.OpenSource(input)
			// What lies behind a link may be anywhere.
			return err == nil && (anyBelow(changed, tree.Root) || len(changed) > 0 && anyBelow(links, tree.Root))
		}
		if shown[a.Node.Get("id").Span.File] || written[c.Dir(a)] || slices.ContainsFunc(inputs(a), concerns) {
			ids = append(ids, a.ID)
		}
	}
	return ids, len(ids) == 0 && others, nil
}

// hasLeft tells whether the output directory has files of an agent that is not in the
// configuration any more. A run for some agents does not see them.
func (r *Run) hasLeft() bool {
	if r.Request.Published == nil {
		return false
	}
	manifest := r.Request.Published(false, tree.ManifestName)
	if manifest == nil {
		return false
	}
	known := map[string]bool{"": true}
	for i := range r.Config.Agents {
		known[r.Config.Agents[i].ID] = true
	}
	entries, found := tree.ParseManifest(tree.ManifestName, manifest)
	return found != nil || slices.ContainsFunc(entries, func(e tree.Entry) bool { return !known[e.Agent] })
}

// changedOutput finds the directories of agents in which output has changed, and
// whether other output has: a card that is edited by hand has no changed input.
func (r *Run) changedOutput(changed []string) (dirs map[string]bool, others bool) {
	known := map[string]bool{}
	for i := range r.Config.Agents {
		known[r.Config.Dir(&r.Config.Agents[i])] = true
	}
	dirs = map[string]bool{}
	for _, out := range r.Dirs.All() {
		if !paths.Inside(r.Root, out.Path) {
			continue
		}
		top, err := filepath.Rel(r.Root, out.Path)
		if err != nil {
			continue
		}
		for _, file := range changed {
			rel, ok := strings.CutPrefix("/"+file, strings.TrimSuffix(path.Join("/", filepath.ToSlash(top)), "/")+"/")
			if !ok {
				continue
			}
			dir := rel
			for dir != "." && (out == r.Dirs.Servers || !known[dir]) {
				dir = path.Dir(dir)
			}
			if known[strings.TrimPrefix(dir, ".")] && out != r.Dirs.Servers {
				dirs[strings.TrimPrefix(dir, ".")] = true
			} else {
				others = true
			}
		}
	}
	return dirs, others
}

// inputs are the paths that an agent is made from, as the configuration spells them.
func inputs(a *config.Agent) []string {
	var names []string
	for _, s := range a.Skills.From {
		names = append(names, s.Path)
	}
	for _, p := range a.Policies {
		names = append(names, p.Schema.Value)
	}
	for _, s := range a.Signing {
		if file, ok := strings.CutPrefix(s.Key, "file:"); ok {
			names = append(names, file)
		}
		names = append(names, s.Publish...)
	}
	return names
}

// anyBelow tells whether any of some sorted slash paths is a path, lies below it, or
// leads to it.
func anyBelow(files []string, root string) bool {
	if root == "." {
		return len(files) > 0
	}
	i, exact := slices.BinarySearch(files, root)
	if exact {
		return true
	}
	j, _ := slices.BinarySearch(files, root+"/")
	if i < len(files) && strings.HasPrefix(files[i], root+"/") || j < len(files) && strings.HasPrefix(files[j], root+"/") {
		return true
	}
	for dir := root; strings.Contains(dir, "/"); { // a directory on the way may be a link, or have been a file
		dir = dir[:strings.LastIndexByte(dir, '/')]
		if _, is := slices.BinarySearch(files, dir); is {
			return true
		}
	}
	return false
}
