package hosting

import "slices"

// Payloads are the content types of the exploits, by target.
func Payloads() map[string]func(file string) string {
	all := map[string]func(string) string{}
	for _, p := range payloads() {
		all[p.target] = p.text
	}
	return all
}

// RenderInert writes what a renderer makes of a table that [Render] refuses.
func RenderInert(target string, t Table) []Output {
	t, _ = t.inert()
	return render(target, t)
}

// render writes the configuration of one target for a table that is inert.
func render(name string, t Table) []Output {
	list := targets()
	return list[slices.IndexFunc(list, func(t target) bool { return t.name == name })].render(t)
}
