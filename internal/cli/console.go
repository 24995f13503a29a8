package cli

import (
	"io"
	"os"
	"time"

	"cardwright/internal/report"
)

// console is where a run prints data and talks to people.
type console struct {
	Out, Err io.Writer
	Command  string // that runs, "" before it is known
	Version  string // of cardwright
	Quiet    bool   // errors only
	Color    string // one of [colorModes]
	// Unprinted is why a line of data was not printed.
	Unprinted error
}

// colorModes are how color is chosen: for terminals, for every stream or for none.
func colorModes() []string { return []string{"auto", "always", "never"} }

// Print prints one line of data. A run that could not print all ends with an error.
func (c *console) Print(line string) {
	if err := report.Line(c.Out, line); err != nil && c.Unprinted == nil {
		c.Unprinted = err
	}
}

// talk prints one line for people. What it says may quote input, so control
// characters are shown escaped.
func (c *console) talk(line string) { _ = report.Line(c.Err, line) }

// say is [console.talk] about what quiet runs keep to themselves.
func (c *console) say(line string) {
	if !c.Quiet {
		c.talk(line)
	}
}

// isTerminal reports whether a stream is a terminal that moves its cursor.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colored reports whether a stream gets color.
func (c *console) colored(stream io.Writer) bool {
	return c.Color == "always" || c.Color == "auto" && os.Getenv("NO_COLOR") == "" && isTerminal(stream)
}

// When a run shows how far it is, and how often it says so again.
const (
	eraseLine     = "\r\x1b[K"
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// showProgress shows on a terminal how far a run is that takes longer than two
// seconds, until stop is called. Elsewhere, and in quiet runs, it shows nothing.
func (c *console) showProgress(line func() string) (stop func()) {
	if c.Quiet || !isTerminal(c.Err) {
		return func() {}
	}
	return showAgain(c.Err, line)
}

// showAgain shows a line again and again in the same place, until stop takes it away.
func showAgain(w io.Writer, line func() string) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		shown, wait := "", time.NewTimer(progressAfter)
		defer wait.Stop()
		for {
			select {
			case <-quit:
				_, _ = io.WriteString(w, shown)
				return
			case <-wait.C:
				shown = eraseLine
				_, _ = io.WriteString(w, eraseLine+line())
				wait.Reset(progressEvery)
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}
