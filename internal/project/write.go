package project

import (
	"context"
	"fmt"
	"io"
	"time"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/publish"
)

// Log takes a line for each card that is published.
type Log struct {
	Name   string    // of a file, "-" for Stdout, "" for no log
	Stdout io.Writer // of the run
	Now    func() time.Time
}

// publish is the last stage of a run: it writes the trees or compares them with those on
// disk, unless the findings are why nothing is published.
func (r *Run) publish(ctx context.Context, made generate.Result, found diag.List) (err error) {
	r.Result = made
	if r.count(found); r.Failed() {
		return nil
	}
	if r.Trees, err = r.trees(); err != nil {
		return err
	}
	if r.Output.Check {
		drift, found := DriftOf(r, r.Trees)
		r.Drift, r.Uncompared = &drift, found
		return nil
	}
	return r.write(ctx)
}

// write writes all trees or, where something stands in the way of one, none, and records
// the cards.
func (r *Run) write(ctx context.Context) error {
	var updates []*publish.Update
	for _, t := range r.Trees {
		u, found := publish.Begin(t.Dir, t.Files, t.options)
		if u == nil {
			r.Blocked = found
			return nil
		}
		updates = append(updates, u)
	}
	log, err := r.Output.Log.open(r.Workspace, r.Trees)
	if err != nil {
		return err
	}
	for i, t := range r.Trees {
		report, found, err := updates[i].Write(ctx)
		if err != nil {
			return err
		}
		if found.Worst() == diag.Error {
			r.Blocked = found
			return nil
		}
		r.Note(found)
		r.Reports = append(r.Reports, report)
		if t.Kind != Public || log == nil {
			continue
		}
		if err := audit(log, r.Output.Log.Now(), r.Result); err != nil {
			return err
		}
	}
	return nil
}

// ChangedCards are the files that were written or removed, by [Output.key].
func ChangedCards(run *Run) map[string]bool {
	changed := map[string]bool{}
	for i, t := range run.Trees {
		for _, r := range run.Reports[i] {
			changed[t.key(r.Path)] = r.State != publish.Unchanged
		}
	}
	return changed
}

// open opens the log before anything is published: what cannot be recorded is not
// done. It is open as long as the space, and nil where there is none.
func (l Log) open(s *Workspace, trees []Output) (io.Writer, error) {
	switch l.Name {
	case "":
		return nil, nil
	case "-":
		return l.Stdout, nil
	}
	dir, name, err := s.FileDir("the audit log", l.Name)
	if err != nil {
		return nil, err
	}
	for _, t := range trees {
		if t.Dir.Contains(dir) {
			return nil, diag.UsageError("choose a file outside of it",
				"the audit log %s is in the output directory %s, which must not depend on time", l.Name, t.Dir.Name)
		}
	}
	file, err := publish.OpenLog(dir, name)
	if err != nil {
		return nil, fmt.Errorf("nothing is published, because the audit log cannot be written: %w", err)
	}
	s.keep(file.Close)
	return file, nil
}
