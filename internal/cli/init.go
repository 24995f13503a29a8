package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/files"
	"cardwright/internal/project"
	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) initCommand() *ucli.Command {
	var o initOptions
	return page("init", []ucli.Flag{
		boolFlag(&o.schema, "schema", "also write "+schemaFile+", and name it in the configuration for editors"),
		boolFlag(&o.attributes, "gitattributes",
			"also mark the generated files in .gitattributes, for git and for reviewers"),
		boolFlag(&o.one, "one", "make one agent of everything"),
		boolFlag(&o.each, "each", "make an agent of each directory with skills"),
		boolFlag(&o.yes, "yes", "ask nothing, and take what the repository says"),
		boolFlag(&o.all, "all", "print every agent, and every skill that is left out"),
	}, func(ctx context.Context, args []string) error {
		if o.one && o.each {
			return usageError("choose one of them", "--one and --each exclude each other")
		}
		if len(args) > 0 {
			return usageError("use -C DIR to work in another directory", "init takes no arguments")
		}
		return a.init(ctx, &o)
	})
}

// initOptions are the flags of init.
type initOptions struct {
	schema     bool
	attributes bool
	one, each  bool
	all, yes   bool
}

// schemaFile describes the configuration to editors.
const schemaFile = "cardwright.schema.json"

func (a *app) init(ctx context.Context, o *initOptions) error {
	target := cmp.Or(a.configFile, config.FileNames()[0])
	p, err := a.space()
	if err != nil {
		return err
	}
	defer p.Close()
	if _, _, err := p.FileDir("the configuration", target); err != nil {
		return err
	}
	for _, name := range append([]string{target}, config.FileNames()...) {
		switch {
		case !p.Has(name):
		case o.attributes && !o.schema: // which can be asked for later
			return a.markGenerated(p, a.outOf(p, name))
		default:
			return usageError("edit it, or delete it first", "%s already exists, but init never overwrites a file", name)
		}
	}
	s, err := a.start(ctx, p, o)
	if err != nil {
		return err
	}
	if o.schema {
		document, _ := schema.Document("config")
		name := path.Join(path.Dir(filepath.ToSlash(target)), schemaFile)
		if err := p.Create("the schema", name, document); err != nil {
			return err
		}
		a.say("wrote " + name)
	}
	if err := p.Create("the configuration", target, s.Text); err != nil {
		return err
	}
	a.say("wrote " + target)
	for _, line := range s.Summary(o.all) {
		a.say("  " + line)
	}
	if o.attributes {
		if err := a.markGenerated(p, s.Out); err != nil {
			return err
		}
	}
	next := "next: "
	if s.Unplaced() {
		next += "set baseUrl in " + target + ", then "
	}
	a.say(next + a.again("generate"))
	return nil
}

// again is a command line with the global flags of this one.
func (a *app) again(line string) string {
	words := []string{"cardwright"}
	if a.workdir != "" {
		words = append(words, "-C", quote(a.workdir))
	}
	if a.configFile != "" {
		words = append(words, "--config", quote(a.configFile))
	}
	return strings.Join(append(words, line), " ")
}

// start explores the working directory.
func (a *app) start(ctx context.Context, p *project.Space, o *initOptions) (*project.Starter, error) {
	root, err := files.OpenRoot(".")
	if err != nil {
		return nil, usageError("", "cannot read the working directory: %s", files.Reason(err))
	}
	defer root.Close()
	directory, err := filepath.Abs(".")
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	options := project.StarterOptions{
		Directory: filepath.Base(directory), Git: p.GitDir(), File: config.FileNames()[0], Blocked: p.Blocked,
		One: o.one, Each: o.each,
	}
	if o.schema {
		options.Schema = schemaFile
	}
	if !o.yes && !a.Quiet && a.terminal(a.In) && a.terminal(a.Err) {
		options.Ask = a.asker()
	}
	return project.NewStarter(ctx, root, options)
}

// terminal reports whether somebody sits at a stream.
func (a *app) terminal(of any) bool { return stream{To: of, Getenv: a.Getenv}.isTerminal() }

// asker asks on the terminal, a line each: an empty one takes what was found.
func (a *app) asker() func(question, found string) string {
	lines := bufio.NewScanner(a.In)
	return func(question, found string) string {
		if found != "" {
			question += " [" + found + "]"
		}
		a.say(question + ":")
		if !lines.Scan() {
			return found
		}
		return cmp.Or(strings.TrimSpace(lines.Text()), found)
	}
}

// outOf is the output directory that a configuration names.
func (a *app) outOf(p *project.Space, name string) string {
	data, _ := p.ReadAll(name, source.Limits{}.WithDefaults().Source)
	return project.OutOf(name, data)
}

// markGenerated adds the output directories to .gitattributes: git changes no
// bytes in them, and reviewers see them folded. Lines that are there are kept.
func (a *app) markGenerated(p *project.Space, out string) error {
	const name = ".gitattributes"
	old, err := p.ReadAll(name, 1<<20)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usageError("", "cannot read %s: %s", name, files.Reason(err))
	}
	text, changed := project.MarkGenerated(string(old), out)
	said := "wrote " + name
	if !changed {
		said = name + " marks " + out + " already"
	} else if _, err := p.Write(name, name, []byte(text), false); err != nil {
		return err
	}
	a.say(said)
	return nil
}
