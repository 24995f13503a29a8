package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/safefile"
	"cardwright/internal/source"
	"cardwright/internal/starter"
	"cardwright/internal/tree"
	"cardwright/internal/workspace"
	"cardwright/schema"
)

func (a *app) initCommand() *ucli.Command {
	var o initOptions
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a starter cardwright.yaml",
		UsageText: "cardwright init [flags]",
		Description: `Looks for skills directories, projects of Forge, agents of fast-agent, packs,
lists of MCP tools, a git remote and an agent card in the working directory, and
writes a commented configuration from what it finds: one agent, or one for each
directory that has skills of its own. Never overwrites a file. generate warns of
each placeholder that you have not replaced.

Examples:
  cardwright init && cardwright generate
  cardwright init --schema --gitattributes`,
		Flags: []ucli.Flag{
			boolFlag(&o.schema, "schema", "also write "+schemaFile+", and name it in the configuration for editors"),
			boolFlag(&o.attributes, "gitattributes",
				"also mark the generated files in .gitattributes, for git and for reviewers"),
		},
		Action: func(c *ucli.Context) error {
			if c.NArg() > 0 {
				return usageError("use -C DIR to work in another directory", "init takes no arguments")
			}
			return a.init(c.Context, &o)
		},
	}
}

// initOptions are the flags of init.
type initOptions struct {
	schema     bool
	attributes bool
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
	dir, base, err := p.FileDir("the configuration", target)
	if err != nil {
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
		if err := a.writeSchema(p, path.Join(path.Dir(filepath.ToSlash(target)), schemaFile)); err != nil {
			return err
		}
	}
	if err := publish.Create(dir, base, s.Text, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %s", target, safefile.Reason(err))
	}
	if !a.quiet {
		a.talk("wrote " + target)
		for _, line := range s.Summary() {
			a.talk("  " + line)
		}
	}
	if o.attributes {
		if err := a.markGenerated(p, s.Out); err != nil {
			return err
		}
	} else if !a.quiet {
		a.talk("to mark " + s.Out + " for git and reviewers: " + a.again("init --gitattributes"))
	}
	if !a.quiet {
		a.talk("next: " + a.again("generate"))
	}
	return nil
}

// again is a command line with the global flags of this one.
func (a *app) again(command string) string {
	words := []string{"cardwright"}
	if a.workdir != "" {
		words = append(words, "-C", shellWord(a.workdir))
	}
	if a.configFile != "" {
		words = append(words, "--config", shellWord(a.configFile))
	}
	return strings.Join(append(words, command), " ")
}

// shellWord quotes a word where a shell would take it apart.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+=:@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// start explores the working directory.
func (a *app) start(ctx context.Context, p *workspace.Space, o *initOptions) (*starter.Starter, error) {
	root, err := safefile.OpenRoot(".")
	if err != nil {
		return nil, usageError("", "cannot read the working directory: %s", safefile.Reason(err))
	}
	defer root.Close()
	directory, err := filepath.Abs(".")
	if err != nil {
		return nil, fmt.Errorf("finding the working directory: %w", err)
	}
	options := starter.Options{
		Directory: filepath.Base(directory),
		Git:       repository(p),
		File:      config.FileNames()[0],
		Blocked: func(out string, files []tree.File) diag.List {
			return obstacles(p, out, files)
		},
	}
	if o.schema {
		options.Schema = schemaFile
	}
	return starter.New(ctx, root, options)
}

// writeSchema writes the JSON Schema of the configuration, unless it is there.
func (a *app) writeSchema(p *workspace.Space, name string) error {
	document, _ := schema.Document("config")
	dir, base, err := p.FileDir("the schema", name)
	if err != nil {
		return err
	}
	if p.Has(name) {
		return usageError("remove it first", "%s already exists, but init never overwrites a file", name)
	}
	if err := publish.Create(dir, base, document, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %s", name, safefile.Reason(err))
	}
	if !a.quiet {
		a.talk("wrote " + name)
	}
	return nil
}

// outOf is the output directory that a configuration names.
func (a *app) outOf(p *workspace.Space, name string) string {
	limits := source.Limits{}.WithDefaults()
	if tree, err := p.Given(name); err == nil {
		if data, err := safefile.ReadFile(tree.FS, tree.Root, limits.Source); err == nil {
			root, _ := source.ParseYAML(name, data, "config-value", limits)
			if out := root.Get("out"); out.Is(source.String) && out.Text != "" {
				return path.Clean(out.Text)
			}
		}
	}
	return "dist"
}

// markGenerated adds the output directories to .gitattributes: git changes no
// bytes in them, and reviewers see them folded. Lines that are there are kept.
func (a *app) markGenerated(p *workspace.Space, out string) error {
	const name = ".gitattributes"
	var old []byte
	if tree, err := p.Given(name); err == nil && p.Has(name) {
		if old, err = safefile.ReadFile(tree.FS, tree.Root, 1<<20); err != nil {
			return usageError("", "cannot read %s: %s", name, safefile.Reason(err))
		}
	}
	text := string(old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	before := len(text)
	for _, line := range attributeLines(out) {
		if !slices.Contains(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), line) {
			text += line + "\n"
		}
	}
	if len(text) == before {
		if !a.quiet {
			a.talk(name + " marks " + out + " already")
		}
		return nil
	}
	if _, err := p.Write(name, name, []byte(text), false); err != nil {
		return err
	}
	if !a.quiet {
		a.talk("wrote " + name)
	}
	return nil
}

// attributeLines are what .gitattributes says of an output directory and of its
// server configuration.
func attributeLines(out string) []string {
	var lines []string
	dirs := []string{out, out + ".server"}
	if out == "." {
		dirs = []string{".well-known"}
	}
	for _, dir := range dirs {
		pattern := "/" + dir + "/**"
		if strings.ContainsAny(pattern, " \t\"\\") {
			pattern = strconv.Quote(pattern)
		}
		lines = append(lines, pattern+" -text linguist-generated")
	}
	return lines
}

// repository is the .git directory in the working directory, nil when there is none.
func repository(s *workspace.Space) fs.FS {
	git, err := safefile.OpenRoot(".git")
	if err != nil {
		return nil
	}
	s.Keep(git)
	return git
}

// obstacles are what keeps a run from writing files to an output directory.
func obstacles(s *workspace.Space, out string, files []tree.File) diag.List {
	d, err := s.Output(out, paths.Committed)
	if err != nil {
		return diag.List{diag.New("output-blocked", diag.Span{File: out}, "%q cannot be written: %s", out,
			safefile.Reason(err))}
	}
	defer d.Close()
	return publish.Obstacles(d, files, publish.Options{})
}
