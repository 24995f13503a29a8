package cli

import (
	"context"
	"errors"
	"time"

	"cardwright/internal/watch"
)

// retryAfter is how long a run that could not do its work waits for a change before
// it is done again.
const retryAfter = 2 * time.Second

// follow runs do, and again after every change of what it has read, until ctx
// is done. What do finds fault with is left for the user to fix, and
// consequence says what has become of it; only a first run that does not get
// as far as findings ends it.
func (a *app) follow(ctx context.Context, consequence string, do func(context.Context) error) error {
	w, err := watch.New()
	if err != nil {
		return err
	}
	defer w.Close()
	a.close() // which the watcher does not observe
	a.watcher, a.endless = w, true
	printed := "" // what kept the last run from its work
	for first := true; ; first = false {
		w.Begin()
		err := a.fault(do(ctx))
		a.close()
		_, reported := errors.AsType[exitError](err)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && first && !reported:
			return err
		case err != nil && !reported && err.Error() == printed:
		case err != nil:
			a.exitCode(err)
			a.talk(consequence + "; waiting for changes")
		case first:
			a.say("waiting for changes; press Ctrl-C to stop")
		}
		wait, cancel := ctx, func() {}
		if printed = ""; err != nil && !reported { // such as a full disk, where no file changes when there is room
			printed = err.Error()
			wait, cancel = context.WithTimeout(ctx, retryAfter)
		}
		err = w.Wait(wait)
		late := wait.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !late:
			return err
		}
	}
}
