package hosting

import "cardwright/internal/diag"

type firebaseConfig struct {
	Schema  string          `json:"$schema"`
	Hosting firebaseHosting `json:"hosting"`
}

type firebaseHosting struct {
	Public  string       `json:"public"`
	Ignore  []string     `json:"ignore"`
	Headers []headerRule `json:"headers"`
}

// Firebase keeps its own tag. Its usual ignore list has **/.*, which would
// leave .well-known behind.
func firebase(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs, Output{Path: at("firebase", s, "firebase.json"), Data: encode(firebaseConfig{
			Schema: "https://raw.githubusercontent.com/firebase/firebase-tools/master/schema/firebase-config.json?" + Marker,
			Hosting: firebaseHosting{
				Public:  root(t, s),
				Ignore:  []string{"firebase.json", "**/*.etag", "**/*.sha256", "**/_headers", "**/.htaccess", "**/.nojekyll"},
				Headers: headerRules(t, s),
			},
		})})
	}
	return outputs
}

func firebaseLimits(t Table) diag.List {
	if !t.Elsewhere {
		return nil
	}
	return diag.List{diag.New("hosting-base", diag.Span{},
		"firebase deploys the web root that its configuration names, and there is none that has %s at %s", t.Out, t.Base).
		WithSeverity(diag.Error).
		WithPointer("/servers").
		WithHint("set out to a directory that ends in " + t.Base + ", such as public" + t.Base)}
}
