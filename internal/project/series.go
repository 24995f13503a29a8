package project

import (
	"slices"

	"cardwright/generate"
	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// Series are the runs of a command that is repeated on changes. Each does again
// what the last one did, or as little of it as has changed. A nil series has one
// run.
type Series struct {
	good  *Run       // the last run, nil when it has not written
	last  *diag.List // findings of the last run that wrote, nil before it
	again []string   // agents that have to be made again, nil for all
	// keepNothing are the agents that kept no skill private in the last run.
	keepNothing map[string]bool
	// inputs are the sources of the agents, nil before somebody asks.
	inputs []input
}

// input is where a source of an agent lies: absolute, links resolved.
type input struct{ agent, dir string }

// config is the configuration of the next run: of the one before, where that
// still holds.
func (s *Series) config(r *Run) (*config.Config, diag.List, error) {
	if s == nil {
		return Load(r.Project, r.Options)
	}
	good := s.good
	s.good = nil
	if good != nil && s.again != nil {
		return good.Config, append(slices.Clone(good.configFound), good.broken...), nil
	}
	s.inputs = nil
	return Load(r.Project, r.Options)
}

// agents are those that have to be made, of the given ones.
func (s *Series) agents(given []string) []string {
	if s.partial() {
		return s.again
	}
	return given
}

// partial reports whether the run makes only what has changed since the last one.
func (s *Series) partial() bool { return s != nil && s.again != nil }

// Repeated reports whether a run has written before.
func (s *Series) Repeated() bool { return s != nil && s.last != nil }

// Wrote notes that a run has written what it made.
func (s *Series) Wrote(r *Run) {
	r.Result = generate.Result{}
	if s != nil {
		s.good = r
	}
}

// mostResumed is how many changed files are looked up one by one; of more, a whole
// run is as quick.
const mostResumed = 100

// Resume decides what the next run does. After a good run, when nothing has
// changed but files of sources, it makes only the agents that these belong to,
// with the configuration as it is known. It reports whether that is so.
func (s *Series) Resume(changed []string) bool {
	s.again = nil
	good := s.good
	if good == nil || len(changed) == 0 || len(changed) > mostResumed || len(good.Sources) > 0 ||
		good.ChangedSince != "" {
		return false
	}
	if s.inputs == nil && !s.findInputs() {
		return false
	}
	placed := make([]bool, len(changed))
	for _, in := range s.inputs {
		for j, name := range changed {
			below := files.Inside(in.dir, name)
			placed[j] = placed[j] || below
			if (below || files.Inside(name, in.dir)) && !slices.Contains(s.again, in.agent) {
				s.again = append(s.again, in.agent)
			}
		}
	}
	if slices.Contains(placed, false) {
		s.again = nil
	}
	return s.again != nil
}

// findInputs finds the sources of the agents, and reports whether changes of these
// are all that the next run has to know. What links lead to is watched, so sources
// stay where they are as long as nothing else changes.
func (s *Series) findInputs() bool {
	for i := range s.good.Config.Agents {
		a := &s.good.Config.Agents[i]
		if len(a.Signing) > 0 {
			return false // which keys are published, a run for all agents decides
		}
		if given := s.good.Options.Agents; len(given) > 0 && !slices.Contains(given, a.ID) {
			continue
		}
		for _, source := range a.Skills.From {
			dir, err := s.good.Real(source.Path, files.Committed)
			if err != nil {
				return false
			}
			s.inputs = append(s.inputs, input{a.ID, dir})
		}
	}
	return true
}

// News are the findings to print after a run: none, where they are those of the
// last run. Of a run for some agents, those of the others still hold.
func (s *Series) News(r *Run) diag.List {
	if s == nil {
		return r.Found
	}
	found := r.Found
	if len(r.Options.Agents) == 0 {
		found = append(slices.Clone(found), r.Local...).Sorted()
	}
	all := found
	if s.partial() {
		all = slices.DeleteFunc(slices.Clone(*s.last),
			func(d diag.Diagnostic) bool { return slices.Contains(s.again, d.Agent) })
		all = append(all, found...).Sorted()
	}
	news := found
	if s.last != nil && s.last.Equal(all) {
		news, r.Ignored = nil, nil
	}
	s.last = &all
	return news
}
