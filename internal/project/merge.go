package project

import (
	"context"
	"path"
	"slices"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// Merge joins the trees that the command line names into those that one run for all
// agents makes. Where the run has failed, there are none.
func Merge(ctx context.Context, p *Project, settings Options, o OutputOptions, names []string) (run *Run,
	trees []Output, err error,
) {
	run = &Run{Project: p, Options: settings, Config: &config.Config{}}
	if p.Config != "" {
		cfg, found, err := Load(p, settings)
		if err != nil {
			return nil, nil, err
		}
		if cfg != nil {
			run.Config, p.Reach = cfg, cfg.Reach
		}
		if found.Worst() == diag.Error {
			run.Note(found)
			return run, nil, nil
		}
	}
	if run.Dirs, _, err = OpenDirs(p, run.Config, o.Places); err != nil {
		return nil, nil, err
	}
	run.Request.Published = run.OnDisk(run.Dirs.Public, nil)
	shards, found, err := readShards(run, names)
	if err != nil {
		return nil, nil, err
	}
	if found.Worst() < diag.Error {
		var more diag.List
		if p.Config != "" && public(shards) {
			run.Result, more, err = generate.Join(ctx, generate.Request{Config: run.Config, Open: p.OpenSource}, shards)
		} else { // extended cards are on no site
			run.Result, more = generate.Union(shards)
		}
		if err != nil {
			return nil, nil, err
		}
		found = append(found, more...)
		run.Result.Public = withCodings(run.Result.Public, run.Config.Compress)
	}
	run.Found = run.counted(nil, found)
	if !o.Force {
		run.Note(run.moved())
	}
	switch {
	case run.Failed():
		return run, nil, nil
	case !public(shards):
		return run, []Output{{
			Kind: Private, Dir: run.Dirs.Public, Files: run.Result.Public,
			options: publish.Options{Environment: run.Environment, Force: o.Force, Guard: true, Private: true},
		}}, nil
	}
	trees, err = TreesOf(run, o)
	return run, trees, err
}

// public reports whether any shard has a card that everybody may read.
func public(shards []generate.Shard) bool {
	for _, s := range shards {
		for _, f := range s.Files {
			if path.Base(f.Path) == "agent-card.json" {
				return true
			}
		}
	}
	return false
}

// readShards reads the trees that the command line names, and checks each against its
// manifest. Without a configuration, the first one says for which environment they are.
func readShards(run *Run, names []string) ([]generate.Shard, diag.List, error) {
	var shards []generate.Shard
	var found diag.List
	p, out := run.Project, run.Dirs.Public
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return nil, nil, diag.UsageError("name each tree once", "%s is named twice", diag.Quote(name))
		}
		dir, err := p.Folder(name)
		if err != nil {
			return nil, nil, diag.UsageError("", "cannot read %s: %s", diag.Quote(name), files.Reason(err))
		}
		if out != nil && (out.Contains(dir) || dir.Contains(out)) {
			return nil, nil, diag.UsageError("choose another directory with --out", "the tree %s and --out %s overlap",
				diag.Quote(name), out.Name)
		}
		files, environment, faults := publish.Verify(dir)
		found = append(found, faults...)
		switch {
		case i == 0 && p.Config == "":
			run.Environment = environment
		case faults == nil && environment != run.Environment:
			found = append(found, diag.New("merge-conflict", diag.Span{File: path.Join(dir.Name, tree.ManifestName)},
				"the tree %s was made %s, and the joined one would be %s", diag.Quote(dir.Name), tree.MadeFor(environment),
				tree.MadeFor(run.Environment)).WithHint("generate all trees with the same --env, and merge with it"))
		}
		shards = append(shards, generate.Shard{Name: dir.Name, Files: files})
	}
	return shards, found, nil
}
