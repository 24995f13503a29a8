package cli

import (
	"slices"

	ucli "github.com/urfave/cli/v2"
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

// choiceFlag is a flag whose value is one of some words; what says about which kind.
func choiceFlag(to *string, name, what, usage string, words []string) ucli.Flag {
	return &ucli.GenericFlag{Name: name, Usage: usage, Value: &choice{to, *to, what, words}}
}

// choice is the value of such a flag.
type choice struct {
	to        *string
	otherwise string // without the flag
	what      string
	words     []string
}

// Set implements [flag.Value].
func (c *choice) Set(value string) error {
	*c.to = value
	return nil
}

// String implements [flag.Value].
func (c *choice) String() string { return "" }

// choiceOf is the value of a flag that is a choice, nil for any other.
func choiceOf(f ucli.Flag) *choice {
	if f, ok := f.(*ucli.GenericFlag); ok {
		c, _ := f.Value.(*choice)
		return c
	}
	return nil
}

// checkChoices refuses a word that is none to choose from.
func checkChoices(flags []ucli.Flag) error {
	for _, f := range flags {
		if c := choiceOf(f); c != nil && *c.to != c.otherwise && !slices.Contains(c.words, *c.to) {
			return unknown(c.what, *c.to, "use ", c.words)
		}
	}
	return nil
}

// listFlag is a flag that can be repeated.
func listFlag(to *[]string, name, usage string) ucli.Flag {
	return &ucli.GenericFlag{Name: name, Usage: usage, Value: (*repeated)(to)}
}

// repeated are the values of a flag, in their order.
type repeated []string

// Set implements [flag.Value].
func (r *repeated) Set(value string) error {
	*r = append(*r, value)
	return nil
}

// String implements [flag.Value].
func (r *repeated) String() string { return "" }

// The flags that several commands have.

func baseURLFlag(to *string) ucli.Flag {
	return textFlag(to, "base-url", "`URL` where the output directory is served")
}

func environmentFlag(to *string) ucli.Flag {
	return textFlag(to, "env", "apply the overrides of the environment `NAME`")
}

func forceFlag(to *bool) ucli.Flag {
	return boolFlag(to, "force", "overwrite files that cardwright did not write")
}

func setFlag(to *[]string) ucli.Flag {
	return listFlag(to, "set", "set `KEY=VALUE` in cards, such as version=1.4.0 (repeatable)")
}
