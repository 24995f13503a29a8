package project

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// Log takes a line for each card that is published.
type Log struct {
	Name   string    // of a file, "-" for Stdout, "" for no log
	Stdout io.Writer // of the run
	Now    func() time.Time
}

// WriteTrees writes all trees or, where something stands in the way of one, none, and
// records the cards. What stands in the way is returned, and what else there is to
// say of the trees is added to the run.
func WriteTrees(ctx context.Context, run *Run, trees []Output, log Log) (reports []publish.Report,
	blocked diag.List, err error,
) {
	var updates []*publish.Update
	for _, t := range trees {
		t.options.Written = &run.Progress.Written
		u, found := publish.Begin(t.Dir, t.Files, t.options)
		if u == nil {
			return nil, found, nil
		}
		updates = append(updates, u)
	}
	to, err := log.open(run.Space, trees)
	if err != nil {
		return nil, nil, err
	}
	for i, t := range trees {
		report, found, err := updates[i].Write(ctx)
		if err != nil {
			return nil, nil, err
		}
		if found.Worst() == diag.Error {
			return nil, found, nil
		}
		run.Note(found)
		reports = append(reports, report)
		if t.Kind != Public || to == nil {
			continue
		}
		if err := audit(to, log.Now(), run.Result); err != nil {
			return nil, nil, err
		}
	}
	return reports, nil, nil
}

// ChangedCards are the files that were written or removed, by [Output.key].
func ChangedCards(trees []Output, reports []publish.Report) map[string]bool {
	changed := map[string]bool{}
	for i, t := range trees {
		for _, r := range reports[i] {
			changed[t.key(r.Path)] = r.State != publish.Unchanged
		}
	}
	return changed
}

// ChangedURLs are sorted, and are those of the public files that were written or
// removed and that clients can ask for; paths where the configuration does not say
// where the output is served.
func ChangedURLs(run *Run, trees []Output, reports []publish.Report) []string {
	var urls []string
	add := func(file string) { urls = append(urls, cmp.Or(run.Config.URL(file), "/"+file)) }
	for i, t := range trees {
		for _, r := range reports[i] {
			if t.Kind != Public || r.State == publish.Unchanged || tree.IsSidecar(r.Path) || hosting.InRoot(r.Path) {
				continue
			}
			add(r.Path)
			if dir, page := strings.CutSuffix(r.Path, tree.PagePath); page && (dir == "" || strings.HasSuffix(dir, "/")) {
				add(dir)
			}
		}
	}
	slices.Sort(urls)
	return urls
}

// open opens the log before anything is published: what cannot be recorded is not
// done. It is open as long as the space, and nil where there is none.
func (l Log) open(s *Space, trees []Output) (io.Writer, error) {
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
