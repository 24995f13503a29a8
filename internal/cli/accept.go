package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/diff"
	"cardwright/internal/project"
	"cardwright/internal/report"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/workspace"
)

// accept takes the differences out that the configuration of the project accepts.
func (a *app) accept(list []diff.Comparison) ([]diff.Comparison, diag.List, error) {
	p, err := a.openProject()
	if err != nil {
		return list, nil, err
	}
	defer p.Close()
	if p.Config == "" {
		return list, nil, nil
	}
	cfg, _, err := project.Load(p, project.Options{Getenv: os.LookupEnv})
	if err != nil || cfg == nil {
		return list, nil, err // its faults are for generate to report
	}
	entries, found := project.Accepted(p, cfg)
	if found.Worst() == diag.Error {
		return list, found, nil
	}
	kept, more := diff.Accept(list, entries, a.now())
	return kept, report.WithoutSecrets(append(found, more...)), nil
}

// acceptInto writes entries for the differences that count, behind those that a
// file has, for people to review.
func (a *app) acceptInto(s *workspace.Space, name string, d *report.Comparison) error {
	data, err := s.ReadAll(name, source.Limits{}.WithDefaults().Source)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usageError("", "cannot read %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	changes := slices.DeleteFunc(d.Changes(), func(c diff.Change) bool { return c.Class < d.Threshold })
	data, added, err := diff.AcceptInto(name, data, changes, a.now())
	if err != nil {
		return err
	}
	if _, err := s.Write("--accept-into", name, data, false); err != nil {
		return err
	}
	entries := "1 entry"
	if added != 1 {
		entries = fmt.Sprintf("%d entries", added)
	}
	a.talk(fmt.Sprintf("%s: %s added; review them, and name the file in accept: of the configuration", name, entries))
	return nil
}
