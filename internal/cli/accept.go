package cli

import (
	"bytes"
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

// acceptDays is how long a difference is accepted that nobody has given a date.
const acceptDays = 90

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
	changes := slices.DeleteFunc(d.Changes(), func(c diff.Change) bool { return c.Class < d.Threshold })
	var data []byte
	file, err := s.Given(name)
	if err == nil {
		data, err = safefile.ReadFile(file.FS, file.Root, source.Limits{}.WithDefaults().Source)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usageError("", "cannot read %s: %s", diag.Quote(name), safefile.Reason(err))
	}
	entries, found := diff.ParseAccepted(name, data, source.Limits{}.WithDefaults())
	if found.Worst() == diag.Error {
		return usageError("name a file with a list of accepted differences, or none", "%s: %s", found[0].Span,
			found[0].Message)
	}
	changes = slices.DeleteFunc(changes, func(c diff.Change) bool {
		return slices.ContainsFunc(entries, func(e diff.Accepted) bool {
			return e.Rule == c.Rule && e.Agent == c.Agent &&
				e.Pointer == c.Pointer()
		})
	})
	if data = bytes.TrimRight(data, "\n"); len(data) > 0 {
		data = append(data, '\n')
	}
	data = append(data, diff.AcceptEntries(changes, a.now().UTC().AddDate(0, 0, acceptDays))...)
	if _, err := s.Write("--accept-into", name, data, false); err != nil {
		return err
	}
	a.talk(fmt.Sprintf("%s: %s added; review them, and name the file in accept: of the configuration", name,
		counted(len(changes), "entry", "entries")))
	return nil
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
