package cli

import (
	"io"

	"cardwright/internal/report"
)

// console is where a run prints data and talks to people.
type console struct {
	Out, Err io.Writer
	Command  string // that runs, "" before it is known
	Version  string // of cardwright
	Home     string // URL of its repository, "" while it has none
	Quiet    bool   // errors only
	Color    string // one of [colorModes]
	Getenv   func(name string) (string, bool)
	// Unprinted is why a line of data was not printed.
	Unprinted error
}

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

// colored reports whether a stream gets color.
func (c *console) colored(w io.Writer) bool {
	return stream{To: w, Getenv: c.Getenv}.colored(c.Color)
}

// showProgress shows on a terminal how far a run is, until stop is called. In quiet
// runs it shows nothing.
func (c *console) showProgress(line func() string) (stop func()) {
	if c.Quiet {
		return func() {}
	}
	return stream{To: c.Err, Getenv: c.Getenv}.progress(line)
}
