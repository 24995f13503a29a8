package cli

import (
	"context"
	"errors"

	"cardwright/internal/outcome"
	"cardwright/internal/watch"
)

// follow runs do, and again after every change of what it has read, until ctx
// is done. What do finds fault with is left for the user to fix, and
// consequence says what has become of it; only a first run that does not get
// as far as findings ends it.
//
// Where resume is not nil, it is asked after a change whether the next run reads
// again only what has changed; what the runs before have read stays watched then.
func (a *app) follow(ctx context.Context, consequence string, do func(context.Context) error,
	resume func(changed []string) bool,
) error {
	w, err := watch.New()
	if err != nil {
		return err
	}
	defer w.Close()
	a.watcher = w
	for first := true; ; first = false {
		if first || resume == nil || !resume(w.Changed()) {
			w.Begin()
		}
		err := do(ctx)
		_, reported := errors.AsType[outcome.ExitError](err)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && first && !reported:
			return err
		case err != nil:
			a.ExitCode(err)
			a.Talk(consequence + "; waiting for changes")
		case first:
			a.Say("waiting for changes; press Ctrl-C to stop")
		}
		if err := w.Wait(ctx); ctx.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
	}
}
