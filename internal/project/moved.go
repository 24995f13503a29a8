package project

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/tree"
)

// moved reports the cards on disk that would get another place, where their clients would
// not find them, and of which nobody has said that they move. A run for other agents leaves
// such a card there, unless one of them gets that place, or has come and thereby moves it.
func (r *Run) moved() diag.List {
	c := r.Config
	if unmoved(c, r.Request.Published.File(false, tree.ManifestName)) {
		return nil
	}
	manifest := r.Request.Published.Manifest()
	if manifest.Environment != r.Environment {
		return nil // another tree, which is replaced as a whole
	}
	before := map[string]tree.Entry{}
	for _, e := range manifest.Files {
		if path.Base(e.Path) == path.Base(tree.CardPath) && !tree.InSkills(e.Path) {
			before[e.Agent] = e
		}
	}
	made, taken := map[string]bool{}, map[string]bool{}
	for i := range c.Agents {
		a := &c.Agents[i]
		made[a.ID] = len(r.Agents) == 0 || slices.Contains(r.Agents, a.ID)
		if made[a.ID] {
			taken[path.Join(c.Dir(a), tree.CardPath)] = true
		}
	}
	var found diag.List
	for i := range c.Agents {
		a := &c.Agents[i]
		from, to := before[a.ID].Path, path.Join(c.Dir(a), tree.CardPath)
		was, key := left(c, before[a.ID])
		was.To = c.Dir(a)
		auto := c.Auto && (from == tree.CardPath || to == tree.CardPath)
		stays := !made[a.ID] && !taken[from] && (!auto || len(r.Options.Agents) > 0)
		if from == "" || from == to || stays || key != "" && slices.Contains(c.Hosting.Moved, was) {
			continue
		}
		because, hint := "", moveHint(c, key, a.ID, auto)
		if auto {
			because = ", because the number of agents has changed and layout is auto"
		}
		d := diag.New("config-value", a.Node.Get("id").Span, "agent %q: its card would move from %q to %q%s", a.ID, from, to,
			because).WithHint(hint)
		if d.Owner = a.Owner; !auto && !taken[from] { // else it is not the matter of one team
			d.Agent = a.ID
		}
		found = append(found, d)
	}
	return found
}

// moveHint says how to move a card, by the name that moved has for the place that it
// leaves, and how to keep it there. auto tells that the number of agents moves it.
func moveHint(c *config.Config, key, agent string, auto bool) string {
	hint := fmt.Sprintf("write moved: {%s: %s}, and servers redirect; or pass --force", key, agent)
	switch {
	case key == "":
		return "pass --force to move it, and redirect at its former host"
	case auto && c.Layout == config.Path:
		return "to move it, " + hint + "; to keep its URL, give the other agents a configuration of their own"
	case auto:
		return "write layout: path to keep it there; to move it, " + hint
	}
	return hint
}

// left is what a card leaves, and how moved names it: "" where nobody knows its host, or
// where servers could not redirect from there.
func left(c *config.Config, e tree.Entry) (was hosting.Moved, key string) {
	was.From = strings.TrimSuffix(strings.TrimSuffix(e.Path, tree.CardPath), "/")
	if c.Layout != config.Host && e.URL != "https://"+e.Path {
		return was, cmp.Or(was.From, `"."`)
	}
	place, known := strings.CutSuffix(strings.TrimPrefix(e.URL, "https://"), "/"+tree.CardPath)
	if !known || strings.ContainsAny(place, ":%") {
		return was, ""
	}
	was.Host, was.From, _ = strings.Cut(place, "/")
	was.Host = strings.ToLower(was.Host)
	if c.Layout == config.Host {
		return was, "https://" + place
	}
	switch site := c.Site(); {
	case site == "":
		return was, ""
	case site != was.Host:
		return was, "https://" + place
	case c.BaseURL != "https://"+site:
		return was, ""
	}
	was.Host = ""
	return was, cmp.Or(was.From, `"."`)
}

// unmoved reports whether the text of a manifest lists the card of each agent where it
// goes, as it does as a rule: reading all of it takes longer.
func unmoved(c *config.Config, manifest []byte) bool {
	cards := make(map[string]bool, len(c.Agents))
	for i := range c.Agents {
		a := &c.Agents[i]
		cards[fmt.Sprintf("      \"path\": %q,\n      \"agent\": %q,\n", path.Join(c.Dir(a), tree.CardPath), a.ID)] = true
	}
	for entry := range bytes.SplitSeq(manifest, []byte("    {\n")) {
		first, rest, _ := bytes.Cut(entry, []byte("\n"))
		second, _, _ := bytes.Cut(rest, []byte("\n"))
		delete(cards, string(entry[:min(len(entry), len(first)+len(second)+2)]))
	}
	return len(cards) == 0
}
