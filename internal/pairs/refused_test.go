package pairs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"cardwright/internal/fixture"
)

// refusedRows are the projects with one value that is refused, among others.
func (c *coverage) refusedRows() (rows []row) {
	for f, v := range c.values() {
		if !c.features[f].values[v].bad {
			continue
		}
		for range fixture.Rounds(1, 5) {
			for range 20 {
				if r := c.with(f, v); c.fits(r) {
					rows = append(rows, r)
					break
				}
			}
		}
	}
	return rows
}

// refusal is a fault unless a project with a bad value is refused for that, writes
// nothing, and says what somebody can act on.
func (t *trial) refusal(v *value) {
	t.Helper()
	if t.made.code != 1 && t.made.code != 2 {
		t.fault("it is not refused: %s", t.made)
		return
	}
	if len(t.tree) > 0 {
		t.fault("%d files are written: %s", len(t.tree), t.made)
	}
	t.places(t.made)
	t.mustNotTell("stderr", t.made.err)
	said := false
	for _, f := range t.made.findings {
		if f.Severity == "error" && f.Rule == v.rule {
			said = true
			t.followed(f)
		}
	}
	if !said {
		t.fault("no error is %s: %s", v.rule, t.made)
	}
}

// edits are the hints that say what to write instead of what stands there.
var edits = []*regexp.Regexp{
	regexp.MustCompile(`did you mean "([^"]+)"`),
}

var quoted = regexp.MustCompile(`"([^"]+)"`)

// followed does what the hint of an error says, where that is an edit, and wants the
// error gone.
func (t *trial) followed(f finding) {
	t.Helper()
	for _, edit := range edits {
		right := edit.FindStringSubmatch(f.Hint)
		if right == nil {
			continue
		}
		name := filepath.Join(t.dir, filepath.FromSlash(f.File))
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(data), "\n")
		for _, wrong := range quoted.FindAllStringSubmatch(f.Message, -1) {
			lines[f.Line-1] = strings.Replace(lines[f.Line-1], wrong[1], right[1], 1)
		}
		writeFile(t.T, name, strings.Join(lines, ""))
		if r := t.run("generate"); r.code != 0 {
			t.fault("%s: %s, after which %s", f.Message, f.Hint, r)
		}
	}
}

// bad is the value of a row that is refused, nil when there is none.
func (c *coverage) bad(r row) *value {
	for f, v := range r {
		if c.features[f].values[v].bad {
			return &c.features[f].values[v]
		}
	}
	return nil
}
