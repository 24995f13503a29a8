package generate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/site"
)

// checkCatalog reports what keeps the catalog from being written, and what it
// will lack.
func checkCatalog(c *config.Config) diag.List {
	if !c.Catalog {
		return nil
	}
	var found diag.List
	report := func(severity diag.Severity, key, message, hint string) {
		at := c.Node.Get(key)
		if at == nil {
			at = c.Node.Get("catalog")
		}
		found = append(found, diag.New(diag.ConfigValue, at.Span, "%s", message).WithSeverity(severity).WithHint(hint))
	}
	switch {
	case c.Publisher == "":
		report(diag.Error, "publisher", "the catalog needs a publisher: the identifiers of its entries begin with it",
			"add publisher: acme.example, the domain name of the publisher; use the same one in every environment")
	case !site.IsDomain(c.Publisher):
		report(diag.Error, "publisher", fmt.Sprintf("the publisher %q is not a domain name", c.Publisher),
			"use a domain name such as acme.example; write other letters in their DNS form, xn--…")
	}
	if c.Layout != config.Host && c.BaseURL == "" {
		report(diag.Warning, "catalog",
			"there is no baseUrl, so the URLs of the cards are unknown and the catalog embeds the cards",
			"set baseUrl, or pass --base-url")
	}
	return found
}

// checkPage reports an agent whose directory is where the page goes.
func checkPage(c *config.Config) diag.List {
	var found diag.List
	for i := range c.Agents {
		if a := &c.Agents[i]; c.HTML && c.Layout == config.Path && pageFile(c.Dir(a)) {
			found = append(found, diag.New(diag.ConfigValue, a.Node.Get("id").Span,
				"the directory of agent %q has the path of the page", a.ID).
				WithHint("give the agent another id, or leave html out"))
		}
	}
	return found
}

// pageFile reports whether a name below the root of a site is the name of the page, or
// of a sidecar of it.
func pageFile(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), "/")
	for _, suffix := range []string{site.ETagSuffix, site.ChecksumSuffix} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name == site.PagePath
}

// checkCaching checks the cache policy that server configurations send: one that
// keeps caches from storing a card defeats its entity tag.
func checkCaching(_ context.Context, r *run) error {
	n := r.Config.Node.Get("cacheControl")
	for directive := range strings.SplitSeq(strings.ToLower(n.ScalarText()), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if !slices.Contains([]string{"no-store", "no-cache", "private"}, name) {
			continue
		}
		r.report(counted(r.Config.Rules, diag.List{diag.New(diag.CardCacheControl, n.Span,
			"with %q, clients and caches download the card every time, and its ETag has no effect", name).
			WithSeverity(diag.Warning).
			WithPointer("/cacheControl").
			WithHint("use something like public, max-age=3600")})...)
		break
	}
	return nil
}
