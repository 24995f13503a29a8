package cli

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/edition"
	"cardwright/internal/paths"
	"cardwright/internal/publish"
	"cardwright/internal/report"
	"cardwright/internal/source"
	"cardwright/internal/tree"
)

// outTree is one directory of output and what belongs there.
type outTree struct {
	kind    treeKind
	dir     *paths.Dir
	files   []tree.File
	servers []string // of the server tree: what it configures
	options publish.Options
}

// treeKind says what a tree is for. Files are told apart by it where those of
// several trees are listed together.
type treeKind string

const (
	publicTree  treeKind = ""
	privateTree treeKind = "private:"
	serverTree  treeKind = "server:"
)

// trees are the public output directory and, where they are asked for, the
// private one with the extended cards and that of the server configuration.
func (o *generateOptions) trees(run *built) ([]outTree, error) {
	out := run.outputs.public
	if err := run.project.CheckOut(run.config, out, o.dirs); err != nil {
		return nil, err
	}
	options := publish.Options{Force: o.force, Keep: run.leftAlone(), URL: run.config.URL}
	trees := []outTree{{kind: publicTree, dir: out, files: run.result.Public, options: options}}
	if o.privateOut == "" {
		run.add(unwritten(run.result))
	} else {
		options.Private = true
		trees = append(trees, outTree{
			kind: privateTree, dir: run.outputs.private, files: run.result.Private,
			options: options,
		})
	}
	return o.addServers(run, trees)
}

// leftAlone tells which files of an earlier run a run for some agents leaves
// alone: those of the other agents, where the configuration puts them, and those
// of a site as a whole. It is nil for a run for all agents. What else a committed
// manifest lists belongs to nobody, and goes as it does in a run for all.
func (run *built) leftAlone() func(agent, file string) bool {
	c := run.config
	if len(run.agents) == 0 {
		return nil
	}
	if c.Partial {
		return func(agent, _ string) bool { return !slices.Contains(run.agents, agent) }
	}
	dirs, sites := map[string]string{}, map[string]bool{}
	for i := range c.Agents {
		a := &c.Agents[i]
		sites[a.Host] = true
		if !slices.Contains(run.agents, a.ID) {
			dirs[a.ID] = c.Dir(a)
		}
	}
	return func(agent, file string) bool {
		if agent != "" {
			dir, other := dirs[agent]
			return other && (dir == "" || strings.HasPrefix(file, dir+"/") || c.Layout == config.Path && tree.InSkills(file))
		}
		if c.Layout == config.Host {
			host, rest, _ := strings.Cut(file, "/")
			if !sites[host] {
				return false
			}
			file = rest
		}
		dir, base := path.Split(file)
		server := strings.HasPrefix(dir, "mcp/") && strings.HasPrefix(base, "server-card.json")
		return !edition.IsName(base) && (dir == "" || server || strings.HasPrefix(dir, ".well-known/"))
	}
}

// unwritten names the extended cards that have nowhere to go.
func unwritten(r generate.Result) diag.List {
	var found diag.List
	for _, c := range r.Cards {
		if c.Extended {
			found = append(found, diag.New("extended-not-written", diag.Span{},
				"agent %q has an extended card, which is only written with --private-out", c.Agent).
				WithHint("pass --private-out DIR, and let the server of the agent send it to authenticated clients"))
		}
	}
	return found
}

// write puts the trees on disk and says what it did.
func (a *app) write(ctx context.Context, o *generateOptions, run *built, trees []outTree) error {
	reports, err := a.publish(ctx, o, run, trees)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	for i, t := range trees {
		for _, r := range reports[i] {
			changed[t.key(r.Path)] = r.State != publish.Unchanged
		}
	}
	lines := summary
	if o.last != nil { // by an earlier run of --watch
		lines = oneLine
	}
	shown := o.news(run)
	if err := a.emit(run, shown, cards(run, changed)...); err != nil {
		return err
	}
	if run.options.format != "text" || a.quiet {
		return nil
	}
	say := a.print
	if o.audit == "-" {
		say = a.talk // the log is the data
	}
	for _, line := range lines(run, trees, reports) {
		say(line)
	}
	return nil
}

// publish writes all trees or, where something stands in the way of one, none,
// and records the cards.
func (a *app) publish(ctx context.Context, o *generateOptions, run *built, trees []outTree) ([]publish.Report, error) {
	ahead := trees[1:] // of the first, writing itself tells
	if o.audit != "" {
		ahead = trees
	}
	for _, t := range ahead {
		if found := publish.Obstacles(t.dir, t.files, t.options); found.Worst() == diag.Error {
			return nil, a.refuse(run, found)
		}
	}
	log, err := a.openAudit(run.space, o, trees)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	reports := make([]publish.Report, len(trees))
	stop := a.showProgress(run.progress.line)
	defer stop()
	for i, t := range trees {
		t.options.Written = &run.progress.written
		report, found, err := publish.Write(ctx, t.dir, t.files, t.options)
		if err != nil {
			return nil, err
		}
		if found.Worst() == diag.Error {
			stop()
			return nil, a.refuse(run, found)
		}
		run.Found = append(run.Found, found...).Sorted()
		reports[i] = report
		if t.kind != publicTree {
			continue
		}
		if err := log.record(a.now(), run.result); err != nil {
			return nil, err
		}
	}
	return reports, nil
}

func same(a, b diag.Diagnostic) bool { return a.Compare(b) == 0 }

// refuse ends a run that cannot write, and says why.
func (a *app) refuse(run *built, found diag.List) error {
	run.Found = append(run.Found, found...).Sorted()
	if err := a.printFindings(run, cards(run, nil)...); err != nil {
		return err
	}
	return done(outputCode(found))
}

// key tells a file of the tree from those of others.
func (t outTree) key(p string) string { return string(t.kind) + p }

// cards is what generate adds to the findings in a machine format.
func cards(run *built, changed map[string]bool) []source.Member {
	var list []*source.Node
	for _, c := range run.result.Cards {
		tree := outTree{kind: publicTree}
		if c.Extended {
			tree.kind = privateTree
		}
		node := &source.Node{Kind: source.Object}
		node.SetText("agent", c.Agent)
		node.SetText("path", c.Path)
		node.SetText("sha256", c.Digest.String())
		node.Set("skills", source.NewInt(c.Skills))
		node.Set("changed", source.NewBool(changed[tree.key(c.Path)]))
		list = append(list, node)
	}
	made := source.Member{Key: "cards", Value: &source.Node{Kind: source.Array, Items: list}}
	return append([]source.Member{made}, publishedMember(run)...)
}

// publishedMember is what generate adds of the skills that are published with their
// files, nothing when there are none.
func publishedMember(run *built) []source.Member {
	var list []*source.Node
	for _, s := range publishedSkills(run) {
		var files []string
		for _, f := range s.Files {
			files = append(files, f.Path)
		}
		node := &source.Node{Kind: source.Object}
		node.SetText("skill", s.Name)
		node.SetText("agent", s.Agent)
		node.SetTexts("files", files)
		list = append(list, node)
	}
	if list == nil {
		return nil
	}
	return []source.Member{{Key: "published", Value: &source.Node{Kind: source.Array, Items: list}}}
}

// exitCodes are the exit codes of rules.
var exitCodes = map[diag.Exit]int{diag.Findings: exitFindings, diag.Usage: exitUsage, diag.Fault: exitFault}

// outputCode is the exit code for what stands in the way of writing: a file
// that may not be replaced is a finding, a directory that cannot be one is a
// mistake in the call, one that cannot be written to is a failure.
func outputCode(found diag.List) int {
	code := 0
	for _, d := range found {
		if d.Severity != diag.Error {
			continue
		}
		r, _ := diag.FindRule(d.Rule)
		code = max(code, exitCodes[r.Exit])
	}
	return code
}

// print prints one line of data. A run that could not print all ends with an
// error.
func (a *app) print(line string) {
	if _, err := fmt.Fprintln(a.Out, report.Escape(line)); err != nil && a.unprinted == nil {
		a.unprinted = err
	}
}
