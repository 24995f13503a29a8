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

// checkCaching checks the cache policy that server configurations send: one that
// keeps caches from storing a card defeats its entity tag.
func checkCaching(_ context.Context, r *run) error {
	n := r.Config.Node.Get("cacheControl")
	for directive := range strings.SplitSeq(strings.ToLower(n.ScalarText()), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(directive), "=")
		if !slices.Contains([]string{"no-store", "no-cache", "private"}, name) {
			continue
		}
		r.report(diag.New(diag.CardCacheControl, n.Span,
			"with %q, clients and caches download the card every time, and its ETag has no effect", name).
			WithSeverity(diag.Warning).
			WithPointer("/cacheControl").
			WithHint("use something like public, max-age=3600"))
		break
	}
	return nil
}
