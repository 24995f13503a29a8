package conformance

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// card is an Agent Card as it would be served.
type card struct {
	path string
	data []byte
	wire
}

// wire is what the tests need to know of a card, in the members of both
// protocol versions.
type wire struct {
	Name                 string
	Version              string
	URL                  string
	PreferredTransport   string
	AdditionalInterfaces []struct{ URL, Transport string }
	SupportedInterfaces  []struct{ URL, ProtocolBinding, ProtocolVersion string }
	SecuritySchemes      map[string]any
	SecurityRequirements []any
	Skills               []struct {
		ID                   string
		SecurityRequirements []any
	}
}

// is10 reports whether clients of A2A 1.0 read the card, is03 whether clients of 0.3 do. Both
// read a dual card.
func (w wire) is10() bool { return len(w.SupportedInterfaces) > 0 }
func (w wire) is03() bool { return w.URL != "" }

// reading is what every peer must have understood of a card.
type reading struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Endpoints []string `json:"endpoints"` // "BINDING URL", sorted, each once
	Schemes   []string `json:"schemes"`   // names, sorted
	Skills    []string `json:"skills"`    // ids, in the order of the card
}

// want is the reading that the card calls for. Peers take the interfaces of
// 1.0 where there are any.
func (w wire) want() reading {
	r := reading{Name: w.Name, Version: w.Version}
	for _, i := range w.SupportedInterfaces {
		r.Endpoints = append(r.Endpoints, i.ProtocolBinding+" "+i.URL)
	}
	if !w.is10() {
		r.Endpoints = append(r.Endpoints, w.PreferredTransport+" "+w.URL)
		for _, i := range w.AdditionalInterfaces {
			r.Endpoints = append(r.Endpoints, i.Transport+" "+i.URL)
		}
	}
	for name := range w.SecuritySchemes {
		r.Schemes = append(r.Schemes, name)
	}
	for _, s := range w.Skills {
		r.Skills = append(r.Skills, s.ID)
	}
	return r.normal()
}

// normal returns r without the freedom that peers have: order and repetition
// of endpoints, order of schemes, and how an empty list looks.
func (r reading) normal() reading {
	slices.Sort(r.Endpoints)
	r.Endpoints = slices.Compact(r.Endpoints)
	slices.Sort(r.Schemes)
	if len(r.Schemes) == 0 {
		r.Schemes = nil
	}
	return r
}

// cards returns the hand-written cards, every card in the golden trees, and the cards that
// convert makes of every dialect, each once.
func cards(t *testing.T) []card {
	t.Helper()
	golden := cardsBelow(t, filepath.Join("..", "golden"))
	all := slices.Concat(cardsBelow(t, filepath.Join("testdata", "cards")), golden)
	files, err := filepath.Glob(filepath.Join("..", "internal", "convert", "testdata", "read", "*.txtar"))
	if err != nil || len(golden) == 0 || len(files) == 0 {
		t.Fatal("no card below ../golden or ../internal/convert")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, data, ok := strings.Cut(string(text), "-- 1.0.json --\n"); ok {
			all = append(all, newCard(t, file, []byte(data)))
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c card) bool { // agent.json and cards that are found by their digest
		before := seen[string(c.data)]
		seen[string(c.data)] = true
		return before
	})
}

func TestMain(m *testing.M) {
	code := m.Run()
	endScripts()
	os.Exit(code)
}

// cardsBelow returns every JSON file below root that is a card: an object with
// skills and capabilities.
func cardsBelow(t *testing.T, root string) []card {
	t.Helper()
	var found []card
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.HasPrefix(string(data), "[") {
			return nil // no card
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return err
		}
		if members["skills"] != nil && members["capabilities"] != nil {
			found = append(found, newCard(t, path, data))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// handWritten returns the hand-written card of the given name.
func handWritten(t *testing.T, name string) card {
	t.Helper()
	path := filepath.Join("testdata", "cards", name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return newCard(t, path, data)
}

func newCard(t *testing.T, path string, data []byte) card {
	t.Helper()
	c := card{path: filepath.ToSlash(path), data: data}
	if err := json.Unmarshal(data, &c.wire); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}
