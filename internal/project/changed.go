package project

import (
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/git"
	"cardwright/internal/tree"
)

// changedSince are the ids of the agents whose inputs, or whose files in an output
// directory, differ from those of the commit that a revision and HEAD have in common.
// all tells that every agent is concerned: because of what they share, of an agent
// that has gone, of a flag or a variable that the commit does not know, or because
// nothing else has changed than files of no agent.
func (r *Run) changedSince(ctx context.Context, rev string) (ids []string, all bool, err error) {
	repo := git.Repository{Root: r.Root, Getenv: r.Getenv}
	var base *git.Snapshot
	sides, err := repo.Since(ctx, rev)
	if err == nil {
		base, err = repo.Snapshot(ctx, sides.From)
	}
	if err != nil {
		return nil, false, gitError(err)
	}
	defer base.Close()
	r.concern(func(d diag.Diagnostic) bool { return r.fileChanged(base, d.Team) })
	written, others := r.changedOutput(base)
	all = r.sharedChanged(base) || r.hasLeft()
	if !all && others && written == nil {
		all, r.changed = true, r.changedAgents(base, nil)
	}
	if all {
		if len(r.Local) > 0 && !r.configChanged(base) {
			return r.Config.IDs(), false, nil // without the teams that were broken before
		}
		return nil, true, nil
	}
	ids = r.changedAgents(base, written)
	return ids, len(ids) == 0 && others && len(r.Local) == 0, nil
}

// changedAgents are the ids of the agents whose inputs differ from those of a commit, or
// whose directories are among those with changed output. They are never nil.
func (r *Run) changedAgents(base *git.Snapshot, written map[string]bool) []string {
	ids := []string{}
	for i := range r.Config.Agents {
		a := &r.Config.Agents[i]
		if a.Outside || r.signsFromEnvironment(a) || written[r.Config.Dir(a)] ||
			a.Team != "" && r.fileChanged(base, a.Team) ||
			slices.ContainsFunc(r.inputs(a), func(name string) bool { return r.inputChanged(base, name) }) ||
			r.unexplained(base, a) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// sharedChanged reports whether anything has changed that every agent depends on, or
// that the commit does not know.
func (r *Run) sharedChanged(base *git.Snapshot) bool {
	tools := func(m config.MCP) bool { return m.Tools.Value != "" && r.inputChanged(base, m.Tools.Value) }
	return r.Config.Outside || r.Environment != "" || r.BaseURL != "" || len(r.Set) > 0 || len(r.Sources) > 0 ||
		r.configChanged(base) || slices.ContainsFunc(r.Config.MCP, tools) ||
		slices.ContainsFunc(r.Config.List, func(t config.Text) bool {
			dir, _ := t.Split()
			return r.inputChanged(base, dir)
		})
}

// configChanged reports whether the configuration has changed, or a file that it extends.
func (r *Run) configChanged(base *git.Snapshot) bool {
	return slices.ContainsFunc(r.Config.Shared, func(file string) bool { return r.fileChanged(base, file) })
}

// fileChanged reports whether a file of the configuration has changed, which is spelled
// as findings show it.
func (r *Run) fileChanged(base *git.Snapshot, shown string) bool {
	name, ok := r.inTree(shown)
	return !ok || len(base.Changed(r.Whole.FS, name)) > 0
}

// inputChanged reports whether anything has changed at or below a path that the
// configuration names, or is there of which the commit has nothing: git may ignore what
// was in it. What neither has was broken before, and stops only its own team.
func (r *Run) inputChanged(base *git.Snapshot, name string) bool {
	tree, err := r.OpenSource(name, diag.Span{})
	return err != nil || len(base.Changed(r.Whole.FS, tree.Root)) > 0 ||
		len(base.Files(tree.Root)) == 0 && r.isThere(tree.Root)
}

func (r *Run) isThere(name string) bool {
	_, err := fs.Stat(r.Whole.FS, name)
	return err == nil
}

// unexplained reports whether a published card of an agent with unchanged inputs has a
// skill that nothing in these is called, nor tells of: it was made from a file that git
// does not track, and that has gone again.
func (r *Run) unexplained(base *git.Snapshot, a *config.Agent) bool {
	if r.Request.Published == nil {
		return false
	}
	var files []string
	called := map[string]bool{}
	for _, name := range r.inputs(a) {
		tree, err := r.OpenSource(name, diag.Span{})
		if err != nil {
			return true
		}
		if !r.isThere(tree.Root) {
			return false // a full run says so
		}
		files = append(files, base.Files(tree.Root)...)
	}
	for _, file := range files {
		for part := range strings.SplitSeq(file, "/") {
			called[strings.TrimSuffix(part, path.Ext(part))] = true
		}
	}
	text := sync.OnceValue(func() string {
		return r.textOf(slices.Concat(files, r.filesOf(r.Config.Shared...), r.filesOf(a.Team)))
	})
	for private, name := range map[bool]string{false: tree.CardPath, true: tree.ExtendedCardName} {
		var card struct {
			Skills []struct{ ID string }
		}
		data := r.Request.Published.File(private, path.Join(r.Config.Dir(a), name))
		if json.Unmarshal(data, &card) != nil { // there is none
			continue
		}
		for _, s := range card.Skills {
			if !called[s.ID] && !strings.Contains(text(), s.ID) {
				return true
			}
		}
	}
	return false
}

// filesOf are files of the configuration in the project, which are spelled as findings
// show them.
func (r *Run) filesOf(all ...string) []string {
	var files []string
	for _, shown := range all {
		if name, ok := r.inTree(shown); ok && shown != "" {
			files = append(files, name)
		}
	}
	return files
}

// textOf joins the texts of files that can be read.
func (r *Run) textOf(names []string) string {
	var text strings.Builder
	for _, name := range names {
		data, _ := files.ReadFile(r.Whole.FS, name, r.Config.Limits.WithDefaults().Source)
		text.Write(data)
		text.WriteByte('\n')
	}
	return text.String()
}

// inTree returns the slash path of a file in the project, which is absolute or spelled as
// findings show it, and false where it lies elsewhere.
func (r *Run) inTree(name string) (string, bool) {
	full, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(r.Root, full)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// hasLeft reports whether the output directory has files of an agent that is not in the
// configuration any more, or of another environment. A run for some agents does not see them.
func (r *Run) hasLeft() bool {
	if len(r.broken) > 0 || r.Request.Published.File(false, tree.ManifestName) == nil {
		return false
	}
	known := set(append(r.Config.IDs(), ""))
	listed := r.Request.Published.Manifest()
	return len(listed.Files) == 0 || listed.Environment != r.Environment ||
		slices.ContainsFunc(listed.Files, func(e tree.Entry) bool { return !known[e.Agent] })
}

// changedOutput finds the directories of agents in which output has changed, and
// whether other output has: a card that is edited by hand has no changed input. Where
// the commit has no output, nobody knows what it was: there are no directories, and
// others is true.
func (r *Run) changedOutput(base *git.Snapshot) (dirs map[string]bool, others bool) {
	known := map[string]bool{}
	for i := range r.Config.Agents {
		known[r.Config.Dir(&r.Config.Agents[i])] = true
	}
	dirs = map[string]bool{}
	for _, out := range r.Dirs.all() {
		top, ok := r.inTree(out.Path)
		committed := ok && len(base.Files(top)) > 0
		if out == r.Dirs.Public && r.Request.Published != nil && !committed {
			return nil, true
		}
		if !ok || r.Request.Published == nil && !committed { // sources are judged, not output
			continue
		}
		for _, file := range base.Changed(r.Whole.FS, top) {
			dir := file
			if top != "." {
				dir = strings.TrimPrefix(file, top+"/")
			}
			for dir != "." && (out == r.Dirs.Servers || !known[dir]) {
				dir = path.Dir(dir)
			}
			if dir = strings.TrimPrefix(dir, "."); known[dir] && out != r.Dirs.Servers {
				dirs[dir] = true
			} else {
				others = true
			}
		}
	}
	return dirs, others
}

// signsFromEnvironment reports whether a key of an agent stands in the environment, which
// no commit knows.
func (r *Run) signsFromEnvironment(a *config.Agent) bool {
	return slices.ContainsFunc(a.Signing, func(s config.Signing) bool {
		name, ok := strings.CutPrefix(s.Key, "env:")
		if ok {
			_, ok = r.Getenv(name)
		}
		return ok
	})
}

// inputs are the paths that an agent is made from, as the configuration spells them.
func (r *Run) inputs(a *config.Agent) []string {
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
