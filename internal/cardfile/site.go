package cardfile

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/discovery"
	"cardwright/internal/paths"
	"cardwright/internal/tree"
)

// Site is what is written about cards of others: an AI Catalog, the same for Agentic
// Resource Discovery, and a page.
type Site struct {
	ListOptions
	Namespace string // in the identifiers of the agents, "" for the default
	Title     string // "" for one that the agents make
}

// Finish checks what the command line says of the site, and reads the URLs and the
// ids of cards, FILE=VALUE.
func (s *Site) Finish(urls, ids []string) (err error) {
	s.Publisher = strings.ToLower(s.Publisher)
	switch {
	case s.Publisher != "" && discovery.PublisherFault(s.Publisher) != "":
		return diag.UsageError("--publisher acme.example", "--publisher %s %s", diag.Quote(s.Publisher),
			discovery.PublisherFault(s.Publisher))
	case s.Namespace != "" && discovery.NamespaceFault(s.Namespace) != "":
		return diag.UsageError("use letters, digits, dots, hyphens and underscores, and colons between segments",
			"--namespace %s %s", diag.Quote(s.Namespace), discovery.NamespaceFault(s.Namespace))
	case s.BaseURL != "" && (!discovery.IsWebURL(s.BaseURL) || strings.ContainsAny(s.BaseURL, "?#")):
		return diag.UsageError("--base-url https://agents.acme.example",
			"--base-url must be an absolute http or https URL without user information, query and fragment")
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	if s.IDs, err = ParsePerCard("--id", "ID", ids); err != nil {
		return err
	}
	if s.URLs, err = ParsePerCard("--card-url", "URL", urls); err != nil {
		return err
	}
	return s.checkURLs()
}

// checkURLs refuses what cannot be the URL of a card, and one URL for two.
func (s *Site) checkURLs() error {
	at := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.URLs)) {
		address := s.URLs[name].Value
		if !discovery.IsWebURL(address) {
			return diag.UsageError("--card-url cards/a.json=https://a.example/.well-known/agent-card.json",
				"--card-url for %s must be an absolute http or https URL without user information", diag.Quote(name))
		}
		if first, ok := at[address]; ok {
			return diag.UsageError("give each card its own URL", "--card-url gives %s to both %s and %s",
				diag.Quote(address), diag.Quote(first), diag.Quote(name))
		}
		at[address] = name
	}
	return nil
}

// Make reads the cards that were named, and makes the files of the site, which goes
// into a directory that no other command fills: what that has written there would be
// stale. It returns how many agents there are.
func (s *Site) Make(r Reader, named []string, out *paths.Dir) (agents int, files []tree.File, found diag.List,
	err error,
) {
	if _, others := Lists(out); others {
		return 0, nil, nil, diag.UsageError("name another directory, or set catalog: true and html: true in the "+
			"configuration of the project", "--out %s is an output directory of cardwright generate", diag.Quote(out.Name))
	}
	s.Below = func(file string) (string, bool) {
		card, err := r.space.Real(file, paths.Typed)
		inside, fault := filepath.Rel(out.Path, card)
		return filepath.ToSlash(inside), err == nil && fault == nil && filepath.IsLocal(inside)
	}
	listed, found := r.List(named, s.ListOptions)
	for _, f := range []struct {
		flag   string
		values PerCard
	}{{"--card-url", s.URLs}, {"--id", s.IDs}} {
		if name := f.values.Unused(); name != "" {
			return 0, nil, nil, diag.UsageError("write the path as findings show it",
				"%s has %s, which is not one of the cards", f.flag, diag.Quote(name))
		}
	}
	files, more, err := s.files(listed)
	return len(listed), files, append(found, more...), err
}

// files are the catalogs and the page.
func (s *Site) files(agents []discovery.Agent) ([]tree.File, diag.List, error) {
	site := discovery.NewSite(discovery.Host{Publisher: s.Publisher, Namespace: s.Namespace}, agents)
	if s.Title != "" {
		site.Title = s.Title
	}
	site.Host.Name = site.Title
	site.Catalog, site.HasARD = true, true
	data, found := site.AICatalog()
	ard, more := site.ARD()
	for _, d := range more { // the examples are others', and the rest was told before
		if d.Rule == "ard-identifier" {
			found = append(found, d)
		}
	}
	page, err := site.Page()
	if err != nil {
		return nil, nil, err
	}
	file := func(name string, data []byte) tree.File {
		f := tree.File{Path: name, Data: data, Sidecars: true, Turn: tree.TurnOf(name)}
		if s.BaseURL != "" {
			f.URL = s.BaseURL + "/" + name
		}
		return f
	}
	return []tree.File{
		file(tree.CatalogPath, data),
		file(tree.ARDPath, ard),
		file(tree.PagePath, page),
	}, found, nil
}
