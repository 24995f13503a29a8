package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/project"
	"cardwright/internal/report"
)

// textFlag is a flag with a value. Back quotes in its usage mark the word that stands
// for that.
func textFlag(to *string, name, usage string) ucli.Flag {
	return &ucli.StringFlag{Name: name, Usage: usage, Value: *to, Destination: to}
}

// boolFlag is a flag without a value.
func boolFlag(to *bool, name, usage string, aliases ...string) ucli.Flag {
	return &ucli.BoolFlag{Name: name, Aliases: aliases, Usage: usage, Destination: to, DisableDefaultText: true}
}

// choiceFlag is a flag whose value is one of some words; what says about which kind.
func choiceFlag(to *string, name, what, usage string, words []string) ucli.Flag {
	set := func(value string) { *to = value }
	return &ucli.GenericFlag{Name: name, Usage: usage, Value: &value{set: set, what: what, words: words}}
}

// listFlag is a flag that can be repeated. The words are what completion proposes.
func listFlag(to *[]string, name, usage string, words ...string) ucli.Flag {
	set := func(value string) { *to = append(*to, value) }
	return &ucli.GenericFlag{Name: name, Usage: usage, Value: &value{set: set, words: words}}
}

// value is the value of a flag that has words to choose from. Where what is "", other words
// are allowed too.
type value struct {
	set   func(string)
	what  string
	words []string
	given []string
}

// Set implements [flag.Value].
func (v *value) Set(text string) error {
	v.given = append(v.given, text)
	v.set(text)
	return nil
}

// String implements [flag.Value].
func (v *value) String() string { return "" }

// valueOf is the value of such a flag, an empty one for any other.
func valueOf(f ucli.Flag) *value {
	if f, ok := f.(*ucli.GenericFlag); ok {
		if v, ok := f.Value.(*value); ok {
			return v
		}
	}
	return &value{}
}

// checkChoices rejects words outside the set of their flag.
func checkChoices(flags []ucli.Flag) error {
	for _, f := range flags {
		v := valueOf(f)
		for _, word := range v.given {
			if v.what != "" && !slices.Contains(v.words, word) {
				v.set("") // no report of this mistake in a format that only other commands have
				return unknown(v.what, word, "use ", v.words)
			}
		}
	}
	return nil
}

// grouped puts flags below a heading in the help of their command.
func grouped(heading string, flags ...ucli.Flag) []ucli.Flag {
	for _, f := range flags {
		switch f := f.(type) {
		case *ucli.StringFlag:
			f.Category = heading
		case *ucli.BoolFlag:
			f.Category = heading
		case *ucli.GenericFlag:
			f.Category = heading
		}
	}
	return flags
}

// settings are what the flags say that several commands have.
type settings struct {
	options project.Options
	Format  string
	All     bool         // text lists everything; also where the command has no flag for that
	Reports []reportFile // as [parseReports] reads them

	report []string // as given
	failOn string   // as given
}

// reportFile is a file that findings go to beside what is printed.
type reportFile struct{ Format, Name string }

func baseURLFlag(s *settings) ucli.Flag {
	return textFlag(&s.options.BaseURL, "base-url", "`URL` where the output directory is served")
}

func environmentFlag(s *settings) ucli.Flag {
	return textFlag(&s.options.Environment, "env", "apply the overrides of the environment `NAME`")
}

func formatFlag(s *settings, usage string, formats []string) ucli.Flag {
	return choiceFlag(&s.Format, "format", "format", usage+" as `FORMAT`: "+strings.Join(formats, ", "), formats)
}

func reportFlag(s *settings, what string) ucli.Flag {
	return listFlag(&s.report, "report", "write "+what+" also to `FORMAT=FILE` (repeatable)")
}

// findingFlags are the flags of every command that checks the project.
func findingFlags(s *settings) []ucli.Flag {
	return grouped("Reports",
		formatFlag(s, "print findings", report.Formats()),
		reportFlag(s, "findings"),
		boolFlag(&s.options.Strict, "strict", "do not repair input, and treat warnings as errors"),
		choiceFlag(&s.failOn, "fail-on", "level for --fail-on", "exit 1 from this `LEVEL`: error (default), warning, info",
			[]string{"error", "warning", "info"}),
		boolFlag(&s.All, "all", "print every finding and every difference"),
	)
}
