package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"cardwright/generate"
	"cardwright/internal/audit"
	"cardwright/internal/publish"
	"cardwright/internal/workspace"
)

// auditLog takes a line for each card that is published. The zero value takes
// none.
type auditLog struct {
	io.Writer
	file *os.File // nil for standard output
}

// openAudit opens the log before anything is published: what cannot be recorded
// is not done.
func (a *app) openAudit(p *workspace.Space, o *generateOptions, trees []outTree) (auditLog, error) {
	switch o.audit {
	case "":
		return auditLog{}, nil
	case "-":
		return auditLog{Writer: a.Out}, nil
	}
	dir, name, err := p.FileDir("the audit log", o.audit)
	if err != nil {
		return auditLog{}, err
	}
	for _, t := range trees {
		if t.dir.Contains(dir) {
			return auditLog{}, usageError("choose a file outside of it",
				"the audit log %s is in the output directory %s, which must not depend on time", o.audit, t.dir.Name)
		}
	}
	// which may be a pipe
	file, err := workspace.Interruptible(p.Interrupted, func() (*os.File, error) { return publish.OpenLog(dir, name) })
	if err != nil {
		return auditLog{}, fmt.Errorf("nothing is published, because the audit log cannot be written: %w", err)
	}
	return auditLog{file, file}, nil
}

// Close closes the log.
func (l auditLog) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// record notes which cards are published.
func (l auditLog) record(now time.Time, made generate.Result) error {
	if l.Writer == nil {
		return nil
	}
	return audit.Record(l.Writer, now, made)
}
