package project

import (
	"net/url"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
)

// Hosting returns what a configuration says about hosting its output.
func Hosting(c *config.Config) hosting.Settings {
	return hosting.Settings{
		CacheControl: c.CacheControl, NoCORS: c.NoCORS,
		Deprecation: c.Deprecation, Sunset: c.Sunset,
		HTML: c.HTML, HostLayout: c.Layout == config.Host, Base: basePath(c),
	}
}

// basePath is the path of baseUrl, below which the tree is found.
func basePath(c *config.Config) string {
	u, err := url.Parse(c.BaseURL)
	if err != nil || c.Layout == config.Host {
		return "" // the load of the configuration has reported the URL
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// configure makes the configuration of servers: what belongs into the web root goes to the
// public tree, the rest to a tree of its own.
func (r *Run) configure() (public, others []site.File, found diag.List) {
	if len(r.Output.Servers) == 0 {
		return nil, nil, nil
	}
	outputs, found := hosting.Render(r.Output.Servers, Hosting(r.Config))
	for _, file := range outputs {
		if hosting.InRoot(file.Path) {
			public = append(public, file)
		} else {
			others = append(others, file)
		}
	}
	return public, others, found
}
