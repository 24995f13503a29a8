package cli

import (
	"cmp"
	"errors"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

// reportFailure reports why a command ended before it had findings, in the format and
// to the files that its command line asks for: a service shows nothing else.
func (a *app) reportFailure(args []string, err error) {
	if _, reported := errors.AsType[exitError](err); err == nil || reported {
		return
	}
	o := a.asked(args)
	if o.Format == "" && len(o.Reports) == 0 {
		return
	}
	space, unusable := project.Here(nil)
	if unusable != nil {
		return
	}
	defer space.Close()
	failure := diag.New("command-failed", diag.Span{}, "%s", err)
	if call, ok := errors.AsType[*diag.CallError](err); ok {
		failure = failure.WithHint(call.Hint)
	}
	run := a.outcome(&options{reporting: o}, space)
	run.Found = diag.List{failure}
	sheet := run.sheet()
	sheet.Found = sheet.Prepared(sheet.Found)
	_ = run.writeReports(sheet.Write) // a second failure has nowhere to go
	if o.Format != "" {
		_ = sheet.Write(a.Out, o.Format)
	}
}

// asked is how a command line wants to have findings reported: the format is "" for
// people, and for a command that does not report any.
func (a *app) asked(args []string) (o reporting) {
	l := readLine(described(a.command()), args)
	if l.command == nil {
		return o
	}
	a.Command = cmp.Or(a.Command, l.path[0])
	if _, _, reports := findFlag("report", l.command, l.root); !reports {
		return o
	}
	for _, g := range l.given {
		switch {
		case g.name == "format" && g.value != "text" && slices.Contains(report.Formats(), g.value):
			o.Format = g.value
		case g.name == "report":
			files, err := parseReports([]string{g.value}, report.FileFormats())
			if err == nil {
				o.Reports = append(o.Reports, files...)
			}
		}
	}
	return o
}
