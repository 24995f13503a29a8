package project

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
	"cardwright/schema"
)

// Options say what a run makes of a project.
type Options struct {
	// Options are for the configuration, whose files the project finds.
	config.Options
	Card   config.Flags // an agent, where there is no configuration
	Strict bool
	FailOn diag.Severity // from which findings end the run
}

// flag is a flag that describes an agent.
type flag struct {
	name, value string
	needed      bool
}

func (o *Options) cardFlags() []flag {
	return []flag{
		{"--name", o.Card.Name, true},
		{"--description", o.Card.Description, true},
		{"--url", o.Card.URL, true},
		{"--card-version", o.Card.Version, false},
		{"--protocol", o.Card.Protocol, false},
	}
}

// Described names the flags that describe an agent. With one of them, no
// configuration is looked for above the working directory.
func (o *Options) Described() []string {
	var given []string
	for _, f := range o.cardFlags() {
		if f.value != "" {
			given = append(given, f.name)
		}
	}
	return given
}

// complete checks that the flags describe an agent.
func (o *Options) complete() error {
	var missing []string
	for _, f := range o.cardFlags() {
		if f.needed && f.value == "" {
			missing = append(missing, f.name)
		}
	}
	if len(o.Sources) == 0 {
		missing = append(missing, "a skills directory")
	}
	switch {
	case len(missing) == 4 && len(o.Described()) == 0:
		return diag.UsageError("cardwright init writes a starter; or describe one agent with "+
			"--name, --description, --url and a skills directory", "no cardwright.yaml here")
	case len(missing) > 0:
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		return diag.UsageError("cardwright generate --name N --description D --url U SKILLS_DIR",
			"without a configuration, %s %s missing", strings.Join(missing, ", "), verb)
	}
	return nil
}

// ProtocolNames lists the names of protocols that flags take.
func ProtocolNames() string {
	return diag.Enumerate(schema.Protocols(), "or")
}

// checkSources explains itself where a file is given in place of a directory of
// skills.
func (o *Options) checkSources(s *Space) error {
	for _, name := range o.Sources {
		tree, err := s.Given(name)
		if err != nil {
			continue // the run says why
		}
		info, err := fs.Stat(tree.FS, tree.Root)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		slash := filepath.ToSlash(name)
		if base := path.Base(slash); slices.Contains(config.FileNames(), base) || path.Ext(base) == ".yaml" ||
			path.Ext(base) == ".yml" {
			return diag.UsageError("cardwright generate --config "+name,
				"%s is a file, but the arguments of generate are directories of skills", diag.Quote(name))
		}
		for _, f := range mapping.Formats() {
			if f.Type != mapping.TypeSkills && regexp.MustCompile("(^|/)("+f.Files+")$").MatchString(slash) {
				return diag.UsageError(fmt.Sprintf("in cardwright.yaml: skills: {from: [{type: %s, path: %s}]}", f.Type, slash),
					"%s is a file, but the arguments of generate are directories of skills", diag.Quote(name))
			}
		}
	}
	return nil
}

// slashed are the directories of skills as the configuration spells them.
func (o *Options) slashed() []string {
	var names []string
	for _, dir := range o.Sources {
		names = append(names, filepath.ToSlash(dir))
	}
	return names
}

// ParseLimits reads limits that are written NAME=N.
func ParseLimits(assignments []string) (source.Limits, error) {
	var l source.Limits
	bounds := reflect.ValueOf(&l).Elem()
	var names []string
	for f := range bounds.Type().Fields() {
		names = append(names, f.Tag.Get("key"))
	}
	for _, s := range assignments {
		name, value, _ := strings.Cut(s, "=")
		i := slices.Index(names, name)
		if i < 0 {
			return l, diag.UsageError(diag.Hint(name, names, "limits: "+strings.Join(names, ", ")), "unknown limit %q", name)
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return l, diag.UsageError("for example --limit "+name+"=1000", "limit %q needs a whole number above 0", name)
		}
		bounds.Field(i).SetInt(int64(n))
	}
	return l, nil
}
