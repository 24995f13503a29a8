package cli

import (
	"errors"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

// reportFailure reports why a command ended before it had findings, in the format and
// to the files that its command line asks for: a service shows nothing else.
func reportFailure(a *app, err error) {
	if _, reported := errors.AsType[exitError](err); err == nil || reported {
		return
	}
	o := a.asked
	if o.Format == "" && len(o.Reports) == 0 {
		return
	}
	space, unusable := project.Here(nil)
	if unusable != nil {
		return
	}
	defer space.Close()
	failure := diag.New(diag.CommandFailed, diag.Span{}, "%s", err)
	if call, ok := errors.AsType[*diag.CallError](err); ok {
		failure = failure.WithHint(call.Hint)
	}
	out := a.outcome(&options{reporting: o}, space)
	out.run.Found = diag.List{failure}
	r := out.findings()
	r.Found = r.Prepared(r.Found)
	_ = out.writeReports(r.Write) // a second failure has nowhere to go
	if o.Format != "" {
		_ = r.Write(a.Out, o.Format)
	}
}

// askedBy is how a command line asks to have findings reported: the format is "" for
// people, and for a command that does not report any.
func askedBy(c *ucli.Context) (o reporting) {
	if c.IsSet("format") {
		format, ok := c.Generic("format").(*choice)
		if ok && *format.to != "text" && slices.Contains(format.words, *format.to) {
			o.Format = *format.to
		}
	}
	if given, ok := c.Generic("report").(*repeated); ok {
		o.Reports, _ = parseReports(*given, report.FileFormats()) // the command reports the fault
	}
	return o
}
