package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cardwright/internal/convert"
	"cardwright/internal/fixture"
	"cardwright/internal/hosting"
	"cardwright/internal/site"
	"cardwright/internal/source"
	"cardwright/internal/synth"
	"cardwright/schema"
)

// check is one line of what js/check.mjs prints.
type check struct {
	Name     string
	Problems []string
	Notes    []string // figures, for people
}

func TestPages(t *testing.T) { //nolint:tparallel // its subtests report what one page gave
	t.Parallel()
	chromium := install(t)
	server := httptest.NewServer(hosting.Handler(hosting.Memory(pages(t)), hosting.Settings{}, ""))
	defer server.Close()

	cmd := exec.CommandContext(t.Context(), "node", append([]string{"check.mjs", server.URL, chromium}, pictures(t)...)...)
	report(t, cmd)
}

// pictures is the directory of the pictures in the documentation, where the test takes
// them: PICTURES=1 go test ./...
func pictures(t *testing.T) []string {
	t.Helper()
	if os.Getenv("PICTURES") == "" {
		return nil
	}
	dir, err := filepath.Abs("../../docs/images")
	if err != nil {
		t.Fatal(err)
	}
	return []string{dir}
}

// Lighthouse finds nothing to improve in what it can measure alone.
func TestLighthouse(t *testing.T) {
	if !fixture.Long() {
		t.Skip("it installs 200 packages: LONG_TRIALS=1")
	}
	chromium := install(t)
	fixture.NPM(t, "lighthouse")
	server := httptest.NewServer(hosting.Handler(hosting.Memory(pages(t)), hosting.Settings{}, ""))
	defer server.Close()
	cmd := exec.CommandContext(t.Context(), "node", "../lighthouse/lighthouse.mjs", chromium,
		server.URL+"/one/", server.URL+"/acme/", server.URL+"/sixty/")
	report(t, cmd)
}

// report runs a script in js, and makes a test of each check that it prints.
func report(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Dir = "js"
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("%s: %v", cmd.Args[1], err)
	}
	n := 0
	for lines := bufio.NewScanner(out); lines.Scan(); n++ {
		var c check
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Errorf("%s printed %q: %v", cmd.Args[1], lines.Text(), err)
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for _, note := range c.Notes {
				t.Log(note)
			}
			for _, problem := range c.Problems {
				t.Error(problem)
			}
		})
	}
	if err := cmd.Wait(); err != nil || n == 0 {
		t.Errorf("%s printed %d checks: %v", cmd.Args[1], n, err)
	}
}

// pages is a tree of sites: the monorepo example's, one of its agents, one
// of cards that want to break it, and sites of sixty and of a thousand agents.
func pages(t *testing.T) []site.File {
	t.Helper()
	acme := site.Site{}
	for _, id := range []string{"billing", "code-review", "support"} {
		path := id + "/.well-known/agent-card.json"
		acme.Agents = append(acme.Agents, readAgent(t, id, path, filepath.Join("../../golden/acme-agents", path)))
	}
	hostile := site.Site{}
	for _, id := range []string{"guide", "guide", "hostile"} { // two of one name
		hostile.Agents = append(hostile.Agents, readAgent(t, id, "",
			filepath.Join("testdata", id+".json")))
	}
	one := site.Site{Agents: acme.Agents[:1]}
	large := site.Site{Agents: []site.Agent{{ID: "large", Card: synth.Cards(1, 12)[0]}}}
	var files []site.File
	for name, s := range map[string]site.Site{
		"acme": acme, "one": one, "large": large, "hostile": hostile, "few": harbour(1), "sixty": harbour(60),
		"many": harbour(1000),
	} {
		page, err := s.Page()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, site.File{Path: name + "/index.html", Data: page})
	}
	return files
}

// harbour is a site of many agents, each in one of twelve districts.
func harbour(agents int) (all site.Site) {
	for i, c := range synth.Cards(agents, 10) {
		c.Skills[0].Tags = append(c.Skills[0].Tags, fmt.Sprintf("district-%d", i%12))
		wire, _ := schema.Wire(c, schema.V10, schema.WireOptions{})
		id := fmt.Sprintf("office-%d", i)
		all.Agents = append(all.Agents, site.Agent{
			ID: id, Path: id + "/.well-known/agent-card.json", Card: c,
			Data: schema.Write(wire),
		})
	}
	return all
}

// readAgent reads the card in a file, which is published at a path.
func readAgent(t *testing.T, id, path, file string) site.Agent {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, found := source.ParseJSON(file, data)
	reading := convert.Read(root, convert.ReadOptions{})
	if reading.Card == nil {
		t.Fatalf("%s holds no card: %v", file, found)
	}
	return site.Agent{ID: id, Path: path, Card: reading.Card, Data: data}
}
