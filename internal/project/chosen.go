package project

import (
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/parallel"
)

// chooses reports whether the command line chooses agents.
func (o *Options) chooses() bool { return len(o.Agents) > 0 || len(o.Owners) > 0 }

// named are the ids by which agents are chosen, nil where all have to be read to tell:
// because of a pattern or an owner.
func (o *Options) named() []string {
	if len(o.Owners) > 0 || slices.ContainsFunc(o.Agents, isPattern) {
		return nil
	}
	return o.Agents
}

func isPattern(id string) bool { return strings.ContainsAny(id, "*?[{") }

// choose puts ids in the place of patterns and owners. Each of them has to be one of
// some agent; where both are given, an agent has to be chosen by both.
func (o *Options) choose(c *config.Config) error {
	for _, id := range o.Agents {
		if !isPattern(id) {
			continue
		}
		if err := files.CheckPattern(id); err != nil {
			return diag.UsageError("for example --agent 'pay-*'", "--agent %s: %s", diag.Quote(id), err)
		}
	}
	if err := knownAgents(c, o.Agents); err != nil {
		return err
	}
	if err := o.knownOwners(c); err != nil || o.named() != nil || !o.chooses() {
		return err
	}
	var chosen []string
	for i := range c.Agents {
		a := &c.Agents[i]
		matches := func(pattern string) bool { return answersTo(pattern, a.ID) }
		if (len(o.Agents) == 0 || slices.ContainsFunc(o.Agents, matches)) &&
			(len(o.Owners) == 0 || slices.Contains(o.Owners, a.Owner)) {
			chosen = append(chosen, a.ID)
		}
	}
	if chosen == nil {
		return diag.UsageError("leave one of them out", "no agent of --agent %s has the owner %s",
			strings.Join(o.Agents, ", "), strings.Join(o.Owners, ", "))
	}
	o.Agents = chosen
	return nil
}

// mayChoose reports whether an owner or a pattern chooses agents of a file with errors, by
// what it says of ids.
func (o *Options) mayChoose(d diag.Diagnostic, text string) bool {
	if o.named() != nil || len(o.Owners) > 0 && !slices.Contains(o.Owners, d.Owner) {
		return false
	}
	chosen := len(o.Owners) > 0 && len(o.Agents) == 0
	for _, id := range idIn().FindAllStringSubmatch(text, -1) {
		chosen = chosen || slices.ContainsFunc(o.Agents, func(pattern string) bool { return answersTo(pattern, id[1]) })
	}
	return chosen
}

// idIn matches an id in a file that cannot be parsed.
var idIn = parallel.Regexp(`\bid["']?:[ \t]*["']?([A-Za-z0-9._-]+)`)

// answersTo reports whether an id is meant by what --agent says.
func answersTo(pattern, id string) bool {
	return pattern == id || isPattern(pattern) && files.MatchPattern(pattern, id)
}

func (o *Options) knownOwners(c *config.Config) error {
	var known []string
	for i := range c.Agents {
		if owner := c.Agents[i].Owner; owner != "" && !slices.Contains(known, owner) {
			known = append(known, owner)
		}
	}
	for _, t := range c.Teams {
		if t.Owner != "" && !slices.Contains(known, t.Owner) {
			known = append(known, t.Owner)
		}
	}
	slices.Sort(known)
	for _, owner := range o.Owners {
		if slices.Contains(known, owner) {
			continue
		}
		hint := `write owner: NAME in the configuration or in the file of a team`
		if len(known) > 0 {
			hint = diag.Hint(owner, known, "owners: "+strings.Join(known, ", "))
		}
		return diag.UsageError(hint, "no agent has the owner %s", diag.Quote(owner))
	}
	return nil
}

// knownAgents refuses ids that the command line names and the configuration does
// not, and patterns that none of its ids matches.
func knownAgents(c *config.Config, ids []string) error {
	known := c.IDs()
	for _, id := range ids {
		if slices.ContainsFunc(known, func(k string) bool { return answersTo(id, k) }) {
			continue
		}
		all := "agents: " + strings.Join(known, ", ")
		if isPattern(id) {
			return diag.UsageError(all, "no agent has an id that matches %q", id)
		}
		hint := diag.Hint(id, known, all)
		if strings.Contains(id, ",") {
			hint = diag.Repeat("--agent", id)
		}
		return diag.UsageError(hint, "no agent has the id %q", id)
	}
	return nil
}
