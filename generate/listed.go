package generate

import (
	"io/fs"
	"path"
	"slices"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
	"cardwright/internal/tree"
)

// listed are the agents of others that the configuration lists, each once. The order is
// that of their paths.
func (r *run) listed() (agents []site.Agent, found diag.List) {
	first := map[string]site.Agent{}
	for _, entry := range r.Config.List {
		refuse := func(why string) {
			found = append(found, diag.New("config-value", entry.Span, "the cards %s cannot be listed: %s",
				diag.Quote(entry.Value), why).WithHint("list files with cards, such as partners/*.json"))
		}
		dir, pattern := entry.Split()
		from, err := r.Open(dir, entry.Span)
		if err != nil {
			refuse(files.Reason(err))
			continue
		}
		names, err := fs.Glob(from.FS, path.Join(from.Root, pattern))
		if err != nil || len(names) == 0 {
			refuse("no file matches")
			continue
		}
		for _, name := range names {
			if path.Base(name) == tree.ExtendedCardName {
				found = append(found, diag.New("catalog-left-out", diag.Top(from.Show(name)),
					"the extended card is not listed: it is for authenticated clients"))
				continue
			}
			data, err := files.ReadFile(from.FS, name, r.Config.Limits.Card)
			if err != nil {
				refuse(from.Show(name) + ": " + files.Reason(err))
				continue
			}
			agent, more := site.Listed(from.Show(name), data, r.Config.Limits)
			if found = append(found, more...); agent == nil {
				continue
			}
			key := agent.Publisher + " " + agent.ID
			if other, twice := first[key]; twice {
				if !slices.Equal(other.Data, agent.Data) {
					found = append(found, diag.New("catalog-duplicate", agent.Span,
						"another card has the same publisher and name").WithHint("list one of them").
						WithRelated(diag.Related{Span: other.Span, Message: "first listed here"}))
				}
				continue
			}
			first[key] = *agent
			agents = append(agents, *agent)
		}
	}
	return agents, found
}
