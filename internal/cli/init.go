package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/internal/source"
	"cardwright/schema"
)

func (a *app) initCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "init",
		Usage:     "write a starter cardwright.yaml",
		UsageText: "cardwright init",
		Description: `Looks for skills directories, a git remote and an agent card in the working
directory, and writes a commented configuration from what it finds. Never
overwrites one.

Example:
  cardwright init && cardwright generate`,
		Action: func(c *ucli.Context) error {
			if c.NArg() > 0 {
				return usageError("use -C DIR to work in another directory", "init takes no arguments")
			}
			return a.init()
		},
	}
}

// starter is what init found out about the project.
type starter struct {
	ID          string
	Name        string
	Description string
	URL         string
	BaseURL     string
	Skills      []string // directories of SKILL.md files
	Card        string   // the existing card that was read, "" when none
	Guessed     bool     // URL is a placeholder
}

func (a *app) init() error {
	target := cmp.Or(a.configFile, configNames[0])
	for _, name := range append([]string{target}, configNames...) {
		if _, err := os.Lstat(name); err == nil {
			return usageError("edit it, or remove it first", "%s exists already, and init never overwrites", name)
		}
	}
	root, err := source.OpenRoot(".")
	if err != nil {
		return usageError("", "cannot read the working directory: %s", reason(err))
	}
	defer root.Close()
	s := explore(root)
	var text bytes.Buffer
	if err := starterTemplate().Execute(&text, s); err != nil {
		return fmt.Errorf("writing the starter: %w", err)
	}
	file, err := os.OpenFile(target, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return usageError("", "cannot write %s: %s", target, reason(err))
	}
	_, err = file.Write(text.Bytes())
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", target, err)
	}
	a.tell(s, target)
	return nil
}

// tell says what init found and what to do next.
func (a *app) tell(s starter, target string) {
	if a.quiet {
		return
	}
	a.talk("wrote " + target)
	if s.Card != "" {
		a.talk("  name, description and URL are from " + s.Card)
	}
	if len(s.Skills) > 0 {
		a.talk("  skills: " + strings.Join(s.Skills, ", "))
	} else {
		a.talk("  no SKILL.md found, so it has one skill spelled out as an example")
	}
	if s.Guessed {
		a.talk("  the URL is a placeholder: put the real one")
	}
	a.talk("next: cardwright generate")
}

func explore(root fs.FS) starter {
	s := starter{Name: projectName(root), Skills: skillDirs(root)}
	s.readCard(root)
	s.ID = cmp.Or(schema.Slug(s.Name), "agent")
	s.Name = cmp.Or(s.Name, "Agent")
	s.Description = cmp.Or(s.Description, "Says in a sentence or two what "+s.Name+" does for its users.")
	if s.URL == "" {
		s.Guessed = true
		s.BaseURL = "https://" + "agents.example.com"
		s.URL = "/a2a"
	}
	return s
}

// projectName is the name of the git remote's repository, else that of the
// directory.
func projectName(root fs.FS) string {
	if data, err := source.ReadFile(root, ".git/config", 1<<20); err == nil {
		origin := false
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "[") {
				origin = line == `[remote "origin"]`
			}
			if key, value, ok := strings.Cut(line, "="); ok && origin && strings.TrimSpace(key) == "url" {
				return strings.TrimSuffix(path.Base(strings.ReplaceAll(strings.TrimSpace(value), ":", "/")), ".git")
			}
		}
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return ""
	}
	return filepath.Base(dir)
}

// skillDirs are the directories that hold directories with a SKILL.md. Where
// one is inside another, the outer one is enough.
func skillDirs(root fs.FS) []string {
	var dirs []string
	_ = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // an unreadable directory holds nothing for us
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || strings.Count(name, "/") > 6):
			return fs.SkipDir
		case !d.IsDir() && strings.EqualFold(d.Name(), "SKILL.md"):
			dirs = append(dirs, path.Dir(path.Dir(name)))
		}
		return nil
	})
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		return slices.ContainsFunc(dirs, func(outer string) bool {
			return outer != dir && (outer == "." || strings.HasPrefix(dir, outer+"/"))
		})
	})
}

// readCard takes name, description and URL from a card that is there already.
func (s *starter) readCard(root fs.FS) {
	for _, name := range []string{
		".well-known/agent-card.json", "public/.well-known/agent-card.json", "static/.well-known/agent-card.json",
		"agent-card.json", "agent_card.json", ".well-known/agent.json", "public/.well-known/agent.json",
	} {
		data, err := source.ReadFile(root, name, 4<<20)
		if err != nil {
			continue
		}
		card, _ := source.ParseJSON(name, data, source.Limits{}.WithDefaults())
		if !card.Is(source.Object) || !card.Get("name").Is(source.String) {
			continue
		}
		s.Card = name
		s.Name = card.Get("name").Text
		if d := card.Get("description"); d.Is(source.String) {
			s.Description = d.Text
		}
		for _, pointer := range []string{"/supportedInterfaces/0/url", "/url"} {
			if u, ok := card.Find(pointer); ok && u.Is(source.String) && strings.HasPrefix(u.Text, "http") {
				s.URL = u.Text
				break
			}
		}
		return
	}
}
