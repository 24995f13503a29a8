package project

import (
	"fmt"
	"maps"
	"slices"

	"cardwright/generate"
	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// divided returns the errors that concern one team each, and the other findings.
func divided(found diag.List) (local, rest diag.List) {
	for _, d := range found {
		if d.Team != "" && d.Severity == diag.Error {
			local = append(local, d)
		} else {
			rest = append(rest, d)
		}
	}
	return local, rest
}

// confine makes the run go on without the agents of teams whose files have errors, as
// far as it is not about these: a run for all agents is, and fails.
func (r *Run) confine(local diag.List) {
	if len(local) == 0 {
		return
	}
	r.Config.KeepLists()
	switch {
	case len(r.Agents) > 0 || r.ChangedSince != "":
		r.Local = local
	case r.Series != nil && len(r.Config.Agents) > 0:
		r.Local, r.Agents = local, r.Config.IDs()
	default:
		r.Found = local
	}
}

// concern makes the run about teams whose files have errors.
func (r *Run) concern(chosen func(d diag.Diagnostic) bool) {
	var rest diag.List
	for _, d := range r.Local {
		if chosen(d) {
			r.Found = append(r.Found, d)
		} else {
			rest = append(rest, d)
		}
	}
	r.Local = rest
}

// failed are the teams with errors in their files or their agents: "" is the
// configuration itself, where what is wrong is not the fault of a team.
func (r *Run) failed() map[string]bool {
	teams := map[string]bool{}
	for _, t := range r.Config.Teams {
		if t.Broken {
			teams[t.File] = true
		}
	}
	for _, d := range r.Found {
		if d.Team == "" && d.Severity >= r.FailOn {
			teams[r.team(d.Agent)] = true
		}
	}
	for id, worst := range r.Result.Worst {
		if r.Strict && worst == diag.Warning {
			worst = diag.Error
		}
		if worst >= r.FailOn {
			teams[r.team(id)] = true
		}
	}
	return teams
}

// team is the file of include that an agent stands in, "" for the configuration.
func (r *Run) team(agent string) string {
	if a := r.Config.Agent(agent); a != nil {
		return a.Team
	}
	return ""
}

// holdBack leaves the agents of teams with errors as they are on disk, and with them
// the lists of all agents, so that the other teams go on. A run about what has changed
// fails where one of these teams has changed.
func (r *Run) holdBack() {
	failed := r.failed()
	var kept []string
	concerned := map[string]bool{}
	for i := range r.Config.Agents {
		a := &r.Config.Agents[i]
		concerned[a.Team] = concerned[a.Team] || failed[a.Team] && slices.Contains(r.changed, a.ID)
		if !failed[a.Team] && (len(r.Agents) == 0 || slices.Contains(r.Agents, a.ID)) {
			kept = append(kept, a.ID)
		}
	}
	if !r.Failed() || failed[""] || len(kept) == 0 || r.spare(concerned) {
		return
	}
	out := func(agent string) bool { return !slices.Contains(kept, agent) }
	for _, files := range []*[]tree.File{&r.Result.Public, &r.Result.Private} {
		*files = slices.DeleteFunc(*files, func(f tree.File) bool { return out(f.Agent) || tree.InSkills(f.Path) })
	}
	r.Result.Cards = slices.DeleteFunc(r.Result.Cards, func(c generate.Card) bool { return out(c.Agent) })
	r.Result.Indexes = nil
	r.Agents = kept
	r.Local, r.Found = append(r.Local, r.Found...).Sorted(), nil
}

// Kept are the files of an earlier run that stay as they were, because this one leaves out
// teams with errors and the lists of all.
func (r *Run) Kept(before []tree.File) []tree.File {
	if len(r.Local) == 0 {
		return nil
	}
	made := map[string]bool{}
	for _, f := range r.Result.Public {
		made[f.Path] = true
	}
	return slices.DeleteFunc(slices.Clone(before), func(f tree.File) bool {
		return made[f.Path] || slices.Contains(r.Agents, f.Agent) && !tree.InSkills(f.Path)
	})
}

// spare leaves out of the findings the errors of teams that are not concerned, and
// reports whether there are teams that are.
func (r *Run) spare(concerned map[string]bool) bool {
	if !slices.Contains(slices.Collect(maps.Values(concerned)), true) {
		return false
	}
	r.Found = slices.DeleteFunc(r.Found, func(d diag.Diagnostic) bool {
		other := d.Agent != "" && d.Severity >= r.FailOn && !concerned[r.team(d.Agent)]
		if other {
			r.Local = append(r.Local, d)
		}
		return other
	})
	return true
}

// Verdict says which teams have errors and which have none, "" where that says no more than the findings.
func (r *Run) Verdict() string {
	if r.Config == nil || len(r.Config.Teams) < 2 || len(r.Options.Agents) > 0 || r.ChangedSince != "" {
		return ""
	}
	failed := r.failed()
	if failed[""] || len(failed) == 0 {
		return ""
	}
	var concerned, fine []string
	for _, t := range r.Config.Teams {
		name := t.File
		if t.Owner != "" {
			name += " (" + t.Owner + ")"
		}
		if failed[t.File] {
			concerned = append(concerned, name)
		} else {
			fine = append(fine, name)
		}
	}
	line := "errors in " + firstOf(concerned)
	if len(fine) > 0 {
		line += "; no errors in " + firstOf(fine)
	}
	return line
}

// firstOf enumerates the first names of a list, and counts the others.
func firstOf(names []string) string {
	const most = 5
	if rest := len(names) - most; rest > 1 {
		names = append(names[:most:most], fmt.Sprintf("%d more", rest))
	}
	return diag.Enumerate(names, "and")
}
