package hosting

import (
	"fmt"
	"slices"
	"strings"

	"cardwright/internal/diag"
)

// target is a server or a platform that configuration can be written for. A new
// one needs a row here, a file with its renderer, and a section in docs/hosting.md;
// all that lists targets follows.
type target struct {
	name   string
	render func(Table) []Output
	limits func(Table, []Output) diag.List // what it cannot do for a table; nil when there is nothing
	owns   string                          // a file in the web root that only one target can write
	moves  bool                            // it says by itself how the files get to where they are found
	fixed  bool                            // it sends the same headers to every origin
	still  bool                            // it cannot redirect
}

// targets are all targets, sorted by name.
func targets() []target {
	return []target{
		{name: "apache", render: apache},
		{name: "azure", render: azure, limits: azureLimits, fixed: true},
		{name: "azure-blob", render: azureBlob, limits: bucketLimits("azure-blob"), moves: true, still: true},
		{name: "caddy", render: caddy},
		{name: "cloudflare", render: cloudflare, limits: cloudflareLimits, owns: headersName, fixed: true},
		{name: "firebase", render: firebase, limits: firebaseLimits, moves: true, fixed: true},
		{name: "gcs", render: gcs, limits: bucketLimits("gcs"), moves: true, still: true},
		{name: "github-pages", render: githubPages, limits: githubPagesLimits, moves: true, still: true},
		{name: "htaccess", render: htaccess},
		{name: "lighttpd", render: lighttpd, limits: lighttpdLimits},
		{name: "netlify", render: netlify, owns: headersName, fixed: true},
		{name: "nginx", render: nginx},
		{name: "s3", render: s3, limits: s3Limits, moves: true},
		{name: "vercel", render: vercel, fixed: true},
	}
}

// Targets are the names that [Render] knows, sorted.
func Targets() []string {
	var names []string
	for _, t := range targets() {
		names = append(names, t.name)
	}
	return names
}

// Render writes the configuration of each target once, in the order of
// [Targets]. It reports what a target cannot do, unknown targets, and two
// targets that need the same file. A table with a text that could act in the
// syntax of a server is not written at all.
func Render(names []string, t Table) ([]Output, diag.List) {
	t, odd := t.inert()
	if odd != nil {
		return nil, unfit(odd)
	}
	var outputs []Output
	var found diag.List
	for _, name := range names {
		if !slices.Contains(Targets(), name) {
			found = append(found, diag.New("config-value", diag.Span{}, "unknown server %q", name).WithPointer("/servers").
				WithHint("use one of "+strings.Join(Targets(), ", ")))
		}
	}
	if t.Elsewhere && slices.ContainsFunc(targets(), func(t target) bool {
		return !t.moves &&
			slices.Contains(names, t.name)
	}) {
		found = append(found, diag.New("hosting-base", diag.Span{},
			"baseUrl has the path %s, so the configuration is for a web root that has the directory %s there", t.Base, t.Out).
			WithPointer("/servers").
			WithHint("set out to a directory that ends in "+t.Base+", such as public"+t.Base+
				", and serve public; or link the directory there"))
	}
	owner := map[string]string{}
	for _, target := range targets() {
		if !slices.Contains(names, target.name) {
			continue
		}
		if other, taken := owner[target.owns]; taken && target.owns != "" {
			found = append(found, diag.New("hosting-conflict", diag.Span{}, "%s and %s read %s differently", other, target.name,
				target.owns).
				WithPointer("/servers").
				WithHint("use one output directory for each, with --out and --server"))
		}
		owner[target.owns] = target.name
		if target.fixed && len(t.Origins) > 1 {
			found = append(found, oneOrigin(target.name, len(t.Origins)))
			continue
		}
		table := t
		if target.still && slices.ContainsFunc(t.Sites, func(s WebRoot) bool { return len(s.Moved) > 0 }) {
			found = append(found, cannot(target.name+" cannot redirect from the former paths of cards",
				"redirect in a CDN in front, or keep the former tree there")...)
			table.Sites = slices.DeleteFunc(slices.Clone(t.Sites), func(s WebRoot) bool { return len(s.Entries) == 0 })
		}
		made := target.render(table)
		for i := range made {
			made[i].Target = target.name
		}
		outputs = append(outputs, made...)
		if target.limits != nil {
			found = append(found, target.limits(t, made)...)
		}
	}
	return outputs, found
}

// oneOrigin is the finding for a host that cannot look at the origin of a request.
func oneOrigin(name string, origins int) diag.Diagnostic {
	return diag.New("hosting-limit", diag.Span{},
		"%s sends one Access-Control-Allow-Origin to every origin, and cors.origins has %d", name, origins).
		WithPointer("/cors/origins").
		WithHint("set one origin, or leave cors.origins out to allow all; " +
			"apache, caddy, htaccess, lighttpd, nginx and the object stores can allow several")
}

// smaller is the hint for a table that is too large for a host.
func (t Table) smaller(hint string) string {
	skills, all := 0, t.entries()
	for _, e := range all {
		if kindOf(e.Path) == "skills" {
			skills++
		}
	}
	if skills == 0 {
		return hint
	}
	return fmt.Sprintf("%d of %d paths are files of skills: set agentSkills.legacy to false, or publish fewer; or %s",
		skills, len(all), hint)
}

func tooMuch(message, hint string) diag.List {
	return diag.List{diag.New("hosting-limit", diag.Span{}, "%s", message).WithPointer("/servers").WithHint(hint)}
}

func cannot(message, hint string) diag.List {
	return diag.List{diag.New("hosting-headers", diag.Span{}, "%s", message).WithPointer("/servers").WithHint(hint)}
}
