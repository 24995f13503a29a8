package trials

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// edit is a hint that says what to write instead of what stands there.
type edit struct {
	said  *regexp.Regexp // message, line end, hint; what is right is its group
	wrong *regexp.Regexp // what stands in the line, nil for what the message quotes
}

func edits() []edit {
	said := func(pattern, wrong string) edit {
		return edit{said: regexp.MustCompile(pattern), wrong: regexp.MustCompile(wrong)}
	}
	return []edit{
		{said: regexp.MustCompile(`did you mean "([^"]+)"`)},
		said(`give a default: (\$\{\w+:-default\})`, `\$\{\w+\}`),
		said(`serve it over (https), and write that`, `\bhttp\b`),
		said(`is too large, must be at most (\d+)`, `\d+`),
		said(`"versions\[0\]" is "\d", must be one of "(\d\.\d)"`, `\d\b`),
	}
}

var quoted = regexp.MustCompile(`"([^"]+)"`)

// followed does what the hint of an error says, where that is an edit, and wants the
// error gone.
func (t *trial) followed(f finding) {
	t.Helper()
	for _, edit := range edits() {
		right := edit.said.FindStringSubmatch(f.Message + "\n" + f.Hint)
		if right == nil {
			continue
		}
		t.rewrite(f, edit, right[1])
		r := t.run("generate")
		same := func(g finding) bool { // the same may be wrong elsewhere too
			return g.Rule == f.Rule && g.Message == f.Message && g.File == f.File && g.Line == f.Line
		}
		if slices.ContainsFunc(r.findings, same) {
			t.fault("%s: %s, after which %s", f.Message, f.Hint, r)
		}
		return
	}
}

// rewrite writes what is right into the line of a finding.
func (t *trial) rewrite(f finding, edit edit, right string) {
	t.Helper()
	name := filepath.Join(t.dir, filepath.FromSlash(f.File))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	line := &lines[f.Line-1]
	if edit.wrong == nil {
		for _, wrong := range quoted.FindAllStringSubmatch(f.Message, -1) {
			*line = strings.Replace(*line, wrong[1], right, 1)
		}
	} else if at := edit.wrong.FindStringIndex((*line)[f.Column-1:]); at != nil {
		before := (*line)[:f.Column-1+at[0]]
		*line = before + right + (*line)[f.Column-1+at[1]:]
	} else {
		t.fault("%s: nothing at column %d of %q is %s", f.Message, f.Column, *line, edit.wrong)
	}
	writeFile(t.T, name, strings.Join(lines, ""))
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
