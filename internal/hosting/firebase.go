package hosting

import (
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// Firebase keeps its own tag. Its usual ignore list has **/.*, which would
// leave .well-known behind.
func firebase(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		ignored := []string{"firebase.json", "**/*.etag", "**/*.sha256", "**/_headers", "**/.htaccess", "**/.nojekyll"}
		for _, name := range s.codedNames() {
			ignored = append(ignored, "**/"+name)
		}
		config := source.ObjectOf(
			"$schema", "https://raw.githubusercontent.com/firebase/firebase-tools/master/schema/firebase-config.json?"+Marker,
			"hosting", source.ObjectOf("public", root(t, s), "ignore", ignored, "headers", headerRules(t, s),
				"redirects", redirectRules(s, "type", 301)),
		)
		outputs = append(outputs, Output{Path: at("firebase", s, "firebase.json"), Data: schema.Write(config)})
	}
	return outputs
}

func firebaseLimits(t Table, _ []Output) diag.List {
	if !t.Elsewhere {
		return nil
	}
	return diag.List{diag.New("hosting-base", diag.Span{},
		"no web root in the configuration of firebase has %s at %s", t.Out, t.Base).
		WithSeverity(diag.Error).
		WithPointer("/servers").
		WithHint("set out to a directory that ends in " + t.Base + ", such as public" + t.Base)}
}
