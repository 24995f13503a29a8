package hosting

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
				Ignore:  []string{"firebase.json", "**/*.etag", "**/*.sha256"},
				Headers: headerRules(t, s),
			},
		})})
	}
	return outputs
}
