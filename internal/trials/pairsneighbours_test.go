package trials

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"cardwright/internal/fixture"
)

// neighbour is a project that differs from that of a trial in one feature.
type neighbour struct {
	*trial
	feature feature
	name    string // of the value
	fresh   string // directory with nothing of another tree
}

// neighbour makes such a project and its tree, once, nil where there is none.
func (t *trial) neighbour() *neighbour {
	t.Helper()
	if t.other == nil {
		t.other = t.newNeighbour()
	}
	return t.other
}

func (t *trial) newNeighbour() *neighbour {
	t.Helper()
	r, f := t.coverage.beside(t.row)
	if r == nil {
		return nil
	}
	feature := t.coverage.features[f]
	other := &trial{T: t.T, coverage: t.coverage, row: r, project: build(t.coverage.features, r), space: t.space}
	other.dir = filepath.Join(t.space, "neighbour")
	other.project.write(t.T, other.dir, false)
	if other.made = other.run("generate"); other.made.code != 0 {
		t.fault("with %s: %s", called(feature, feature.values[r[f]]), other.made)
		return nil
	}
	other.tree = read(t.T, other.dir, other.project.public()...)
	return &neighbour{trial: other, feature: feature, name: called(feature, feature.values[r[f]])}
}

// differsFromNeighbour has diff say what a feature changes.
func differsFromNeighbour(t *trial) {
	n := t.neighbour()
	if n == nil {
		return
	}
	from, to := filepath.Join(t.dir, t.project.out()), filepath.Join(n.dir, n.project.out())
	r := t.in(t.space, "diff", from, to, "--format", "json", "--fail-on", "cosmetic")
	var said struct {
		Changes []struct{ Rule, Pointer, Message string }
	}
	if err := json.Unmarshal([]byte(r.out), &said); err != nil {
		t.fault("%s: %v", r, err)
		return
	}
	cards := t.cards()
	same := true
	for name, data := range n.cards() {
		if old, has := cards[name]; has && old != data {
			same = false
		}
	}
	switch {
	case r.code > 1:
		t.fault("%s", r)
	case !same && len(said.Changes) == 0 && n.feature.shows != "":
		t.fault("the cards differ by %s, and diff says nothing", n.name)
	case !same && !strings.Contains(r.out, n.feature.shows):
		t.fault("the cards differ by %s, and diff does not say %q:\n%.1500s", n.name, n.feature.shows, r.out)
	case t.tree.below(t.project.out()).differ(n.tree.below(n.project.out())) == "" && len(said.Changes) > 0:
		t.fault("the trees are the same, and diff says: %s", r)
	}
}

// cardText is a text in a card, in quotes.
var cardText = regexp.MustCompile(`(?m)^( *(?:"\w+": )?"[^"\\]+)("?,?)$`)

// differsByText changes some texts of each card, one at a time. A card for both versions
// says most things twice, and diff looks at both.
func differsByText(t *trial) {
	for name, whole := range t.cards() {
		data, _, _ := strings.Cut(whole, `"signatures"`)
		places := cardText.FindAllStringIndex(data, -1)
		writeFile(t.T, filepath.Join(t.space, "old.json"), whole)
		for range fixture.Rounds(2, 10) {
			at := places[t.coverage.random.IntN(len(places))]
			line := strings.TrimRight(whole[at[0]:at[1]], `",`)
			changed := whole[:at[0]+len(line)] + "x" + whole[at[0]+len(line):]
			writeFile(t.T, filepath.Join(t.space, "new.json"), changed)
			r := t.in(t.space, "diff", "old.json", "new.json", "--format", "json")
			if r.code > 1 || strings.Contains(r.out, `"changes": []`) || strings.Contains(r.out, `"form-changed"`) {
				t.fault("%s has another text than %s, and diff says no more than: %s", name, line, r)
			}
		}
	}
}

// followsNeighbour turns the project into its neighbour: the checks agree about what is
// out of date, and the tree is made into that of the neighbour.
func followsNeighbour(t *trial) {
	n := t.neighbour()
	if n == nil || t.project.out() != n.project.out() || !slices.Equal(t.project.flags, n.project.flags) {
		return // that is another tree, which it does not become
	}
	if t.project.site["servers"] != nil && n.project.site["servers"] == nil {
		return // what an earlier run wrote for servers stays until the key names others
	}
	t.commit()
	files, links := t.project.tree(t.T)
	for name := range files {
		if err := os.Remove(filepath.Join(t.dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	for name := range links {
		if err := os.Remove(filepath.Join(t.dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	n.project.write(t.T, t.dir, false)
	t.git("add", "-A") // what git does not track is not published
	n.fresh, n.dir = n.dir, t.dir
	check := n.run("generate", "--check")
	before := read(t.T, t.dir, t.project.written()...)
	differ := before.differ(read(t.T, n.fresh, n.project.written()...)) != ""
	refused := refuses(check)
	if !refused && (check.code != 0) != differ {
		t.fault("the tree that %s makes differs: %v; %s", n.name, differ, check)
	}
	if since := n.run("generate", "--check", "--changed-since", "HEAD"); !refused && t.cardsDiffer(n) &&
		since.code != check.code {
		t.fault("with %s, of which the full check says %d: %s", n.name, check.code, since)
	}
	if r := n.run("generate"); refuses(r) || !t.good(r) {
		return
	}
	if d := n.tree.differ(read(t.T, t.dir, n.project.public()...)); d != "" {
		t.fault("made over another tree, that of %s differs in %s", n.name, d)
	}
}

// refuses reports whether a run does not replace the tree that is there, as it should.
func refuses(r result) bool {
	return slices.ContainsFunc(r.findings, func(f finding) bool {
		return f.Rule == "output-environment" || f.Rule == "output-removal" || strings.Contains(f.Message,
			"its card would move")
	})
}

// cardsDiffer reports whether a card of both differs.
func (t *trial) cardsDiffer(n *neighbour) bool {
	for name, f := range t.tree {
		other, has := n.tree[name]
		if path.Base(name) == "agent-card.json" && has && other.data != f.data {
			return true
		}
	}
	return false
}

// commit makes the project a repository with all that it has.
func (t *trial) commit() {
	t.Helper()
	t.git("init", "-q", "-b", "main", "--template=")
	t.git("add", "-A")
	t.git("-c", "user.name=t", "-c", "user.email=t@acme.example", "commit", "-q", "-m", "one")
}

func (t *trial) git(args ...string) {
	t.Helper()
	git := exec.CommandContext(t.Context(), "git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
	git.Dir = t.dir
	git.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", args[0], err, out)
	}
}
