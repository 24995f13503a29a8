package cli

import (
	"errors"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/project"
	"cardwright/internal/report"
)

// reportFailure reports why a command ended before it had findings, in the format and
// to the files that its command line asks for: a service shows nothing else. What it
// asks for is read word by word, because a word of it may be what is wrong.
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
	reports := false
	for _, c := range a.command().Commands {
		named := slices.ContainsFunc(args, c.HasName)
		if named && a.Command == "" {
			a.Command = c.Name
		}
		for _, f := range c.Flags {
			reports = reports || named && f.Names()[0] == "report"
		}
	}
	for i, word := range args {
		flag, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		switch {
		case word == "--" || !reports:
			return o
		case flag == "--format" && value != "text" && slices.Contains(report.Formats(), value):
			o.Format = value
		case flag == "--report":
			files, err := parseReports([]string{value}, report.FileFormats())
			if err == nil {
				o.Reports = append(o.Reports, files...)
			}
		}
	}
	return o
}
