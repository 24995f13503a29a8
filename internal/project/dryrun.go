package project

import (
	"context"

	"cardwright/internal/diag"
	"cardwright/internal/publish"
)

// DryRun says what [WriteTrees] would do, and writes nothing.
func DryRun(ctx context.Context, run *Run, trees []Output) (reports []publish.Report, blocked diag.List, err error) {
	for _, t := range trees {
		u, found, err := publish.Begin(ctx, t.Dir, t.Files, t.options)
		if u == nil {
			return nil, found, err
		}
		report, found := u.Plan()
		u.Close()
		run.Note(found)
		reports = append(reports, report)
	}
	return reports, nil, nil
}
