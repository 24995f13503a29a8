package cli

import (
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/paths"
)

// mostResumed is how many changed files are looked up one by one; of more, a whole
// run is as quick.
const mostResumed = 100

// resume decides what the next run of --watch does. After a good run, when nothing
// has changed but files of sources, it does again only the agents that these belong
// to, with the configuration as it is known. It tells whether that is so.
func (o *generateOptions) resume(changed []string) bool {
	o.again = nil
	good := o.good
	if good == nil || len(changed) == 0 || len(changed) > mostResumed || len(o.dirs) > 0 || o.changedSince != "" {
		return false
	}
	placed := make([]bool, len(changed))
	for i := range good.config.Agents {
		a := &good.config.Agents[i]
		if len(a.Signing) > 0 {
			return false // which keys are published, a run for all agents decides
		}
		if len(o.agents) > 0 && !slices.Contains(o.agents, a.ID) {
			continue
		}
		concerned := false
		for _, s := range a.Skills.From {
			dir, err := good.project.Real(s.Path, paths.Committed)
			if err != nil {
				return false
			}
			for j, name := range changed {
				if paths.Inside(dir, name) {
					placed[j], concerned = true, true
				}
			}
		}
		if concerned {
			o.again = append(o.again, a.ID)
		}
	}
	if slices.Contains(placed, false) {
		o.again = nil
	}
	return o.again != nil
}

// news are the findings to print after a run of --watch: none, where they are those
// of the last run. Of a run for some agents, those of the others still hold.
func (o *generateOptions) news(run *built) diag.List {
	if !o.watch {
		return run.Found
	}
	all := run.Found
	if o.again != nil {
		all = slices.DeleteFunc(slices.Clone(*o.last), func(d diag.Diagnostic) bool {
			return slices.Contains(o.again,
				d.Agent)
		})
		all = append(all, run.Found...).Sorted()
	}
	news := run.Found
	if o.last != nil && slices.EqualFunc(*o.last, all, same) {
		news, run.Ignored = nil, nil
	}
	o.last = &all
	return news
}
