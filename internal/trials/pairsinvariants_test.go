package trials

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/elliptic"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cardwright/internal/report"
)

// invariants hold for every project that is accepted.
func invariants() []invariant {
	// The first some have every value, and the first few nearly nine of ten.
	const each, some, few = 100, 11, 5
	return []invariant{
		{"a project of good values is accepted", accepted, each},
		{"nothing private is public", nothingPrivate, each},
		{"a card says what the configuration says", saysConfiguration, each},
		{"every finding has a place and a page", findingsHavePlaces, each},
		{"a finding names each skill that no card has", namesLeftOut, each},
		{"a check after generate is clean", checksClean, some},
		{"a check without --server is clean", keepsServers, some},
		{"a second run writes nothing, and the audit log has each card", writesOnce, some},
		{"lint accepts the project, and no report tells a secret", lints, some},
		{"lint accepts the cards", lintsCards, some},
		{"a tree does not differ from itself", differsNotFromItself, few},
		{"verify finds nothing", verifies, some},
		{"a card converts to its own version and back", converts, some},
		{"every machine makes the same bytes", sameEverywhere, few},
		{"joined shards are what one run makes", mergesShards, few},
		{"the check of one agent agrees with that of all", checksOneAgent, few},
		{"each file is served as the manifest says, and probe agrees", servesAll, few},
		{"the configuration as it is printed makes the same", printedConfiguration, some},
		{"a dry run says that there is nothing to write", dryRuns, few},
		{"a card is the start of another project", starts, few},
		{"diff says what a feature changes", differsFromNeighbour, few},
		{"diff says that a text of a card is another one", differsByText, some},
		{"the checks and the tree follow a change", followsNeighbour, few},
	}
}

// invariant is what holds.
type invariant struct {
	name  string
	holds func(t *trial)
	of    int // a hundred projects so many are tried, but for -all
}

// made runs a project for the first time.
func (c *coverage) made(t *testing.T, r row) *trial {
	t.Helper()
	tr := c.run(t, build(c.features, r), "generate")
	tr.row = r
	return tr
}

func (c *coverage) run(t *testing.T, p *project, command string) *trial {
	t.Helper()
	root := directory(t)
	tr := &trial{T: t, coverage: c, project: p, dir: filepath.Join(root, "project"), space: root}
	tr.project.write(t, tr.dir, false)
	tr.made = tr.run(command)
	tr.tree = read(t, tr.dir, tr.project.public()...)
	return tr
}

// try runs a project through all invariants until one does not hold, and returns that.
func (c *coverage) try(t *testing.T, r row, only string) (name string, faults []string) {
	t.Helper()
	tr := c.made(t, r)
	defer os.RemoveAll(tr.space)
	if bad := c.bad(r); bad != nil {
		if tr.refusal(bad); tr.faults != nil {
			return "what is wrong is refused, with a way out", tr.faults
		}
		return "", nil
	}
	for _, i := range invariants() {
		switch {
		case only != "" && only != i.name && i.name != invariants()[0].name:
			continue
		case only == "" && !*eachOne && c.index%100 >= i.of:
			continue
		}
		if i.holds(tr); tr.faults != nil {
			return i.name, tr.faults
		}
	}
	return "", nil
}

// directory makes a new directory, in memory where there is a file system for that.
func directory(t *testing.T) string {
	t.Helper()
	where := "/dev/shm"
	if info, err := os.Stat(where); err != nil || !info.IsDir() {
		where = ""
	}
	dir, err := os.MkdirTemp(where, "pairs") //nolint:usetesting // it is removed before the next one
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func accepted(t *trial) {
	t.good(t.made)
}

func nothingPrivate(t *trial) {
	for name, f := range t.tree {
		for part, data := range unpacked(t.T, name, f.data) {
			t.mustNotTell(part, data, private)
		}
	}
	t.mustNotTell("stdout", t.made.out)
	t.mustNotTell("stderr", t.made.err)
	for _, f := range t.made.findings {
		t.mustNotTell("a finding", f.Message+f.Hint, private)
	}
}

// mustNotTell is a fault when a text has what nobody is to see, or more.
func (t *trial) mustNotTell(where, data string, more ...string) {
	lower := strings.ToLower(data)
	for _, secret := range append(more, secrets()...) {
		if at := strings.Index(lower, secret); at >= 0 {
			t.fault("%s has %q: %q", where, secret, data[max(0, at-200):min(len(data), at+200)])
		}
	}
}

// secrets are the texts that nobody is to see, in lower case.
var secrets = sync.OnceValue(func() (texts []string) {
	for _, s := range []string{hidden, secretText, keyText(edKey()), keyText(ecKey(elliptic.P256())), keyOf(jwk())} {
		texts = append(texts, strings.ToLower(s))
	}
	return texts
})

// keyText is a line of a private key.
func keyText(pem string) string { return strings.Split(pem, "\n")[1] }

// keyOf is the private part of a JWK.
func keyOf(jwk string) string { return strings.Split(jwk, `"`)[15] }

// unpacked are a file and the files in it.
func unpacked(t *testing.T, name, data string) map[string]string {
	t.Helper()
	parts := map[string]string{name: data}
	switch path.Ext(name) {
	case ".gz":
		z, err := gzip.NewReader(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".tar.gz") {
			content, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			parts[name+":list"] = string(content)
			break
		}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if err == io.EOF {
				break
			}
			content, err2 := io.ReadAll(r)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			parts[name+":"+h.Name] = h.Name + string(content)
		}
	case ".zip":
		r, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			parts[name+":"+f.Name] = f.Name + string(content)
		}
	}
	return parts
}

// saysConfiguration compares each card with the keys of its agent, or else of all
// agents, that stand in a card as they are written.
func saysConfiguration(t *trial) {
	p := t.project
	agents := map[any]object{}
	for _, a := range []object{p.agent, p.other, p.third} {
		agents[a["name"]] = a
	}
	for name, data := range t.cards() {
		var card object
		if err := json.Unmarshal([]byte(data), &card); err != nil {
			t.Fatal(err)
		}
		want := merged(p.site["defaults"], agents[card["name"]])
		if provider, _ := want["provider"].(object); provider["url"] == nil {
			delete(want, "provider") // which a card cannot have
		}
		for _, key := range []string{
			"name", "description", "documentationUrl", "iconUrl", "provider", "defaultInputModes", "defaultOutputModes",
		} {
			if !within(want[key], card[key]) {
				t.fault("%s has %s: %v, and the configuration says %v", name, key, card[key], want[key])
			}
		}
		if version := p.version(want); version != "" && card["version"] != version {
			t.fault("%s has version %v, and the configuration says %s", name, card["version"], version)
		}
		interfaces, _ := want["interfaces"].(list)
		for _, i := range interfaces {
			u := fmt.Sprint(i.(object)["url"]) + `"` //nolint:errcheck // of the table
			if !t.tree.has(u) {
				t.fault("no card has the interface %s of %s", u, card["name"])
			}
		}
	}
}

// skillName is the name of a skill in its header.
var skillName = regexp.MustCompile(`(?m)^name: ([a-z]+)\r?$`)

// namesLeftOut looks for the skills of a source in all cards.
func namesLeftOut(t *trial) {
	extended := read(t.T, t.dir, t.project.private())
	named := map[string]bool{}
	for _, f := range t.made.findings {
		if f.Rule == "extended-not-written" {
			return // then nobody sees which it has
		}
		named[f.File] = true
		for _, r := range f.Related {
			named[r.File] = true
		}
	}
	files, _ := t.project.tree(t.T)
	for name, text := range files {
		skill := skillName.FindStringSubmatch(text)
		of, is := strings.CutSuffix(name, "/SKILL.md")
		if !is || path.Base(path.Dir(of)) != "skills" || skill == nil || named[name] {
			continue
		}
		if id := `"id": "` + skill[1] + `"`; !t.tree.has(id) && !extended.has(id) {
			t.fault("no card has %s, and no finding says so", name)
		}
	}
}

// within reports whether all that a value says is said by another.
func within(part, whole any) bool {
	if part, is := part.(object); is {
		whole, _ := whole.(object)
		for k, v := range part {
			if !within(v, whole[k]) {
				return false
			}
		}
		return true
	}
	return part == nil || fmt.Sprint(part) == fmt.Sprint(whole)
}

// version is what the configuration says of the version of an agent, empty when a source
// does.
func (p *project) version(agent object) string {
	if _, version, is := strings.Cut(p.given("--set", ""), "version="); is {
		return version
	}
	switch v := agent["version"]; v {
	case nil:
		return ""
	case "${release}":
		if strings.Contains(fmt.Sprint(p.site["vars"]), "PAIRS_TOKEN") {
			return "1.2.3"
		}
		return "3.0.0"
	default:
		return fmt.Sprint(v)
	}
}

func writesOnce(t *trial) {
	audit, changed := filepath.Join(t.space, "audit.jsonl"), filepath.Join(t.space, "changed")
	t.good(t.run("generate", "--audit", audit, "--changed", changed))
	now := read(t.T, t.dir, t.project.public()...)
	for name, f := range now {
		if was, has := t.tree[name]; !has || !was.changed.Equal(f.changed) {
			t.fault("%s is written again", name)
		}
	}
	if d := t.tree.differ(now); d != "" {
		t.fault("the second run differs in %s", d)
	}
	log, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(log), "\n"); lines < len(t.cards()) {
		t.fault("%d cards have %d lines: %s", len(t.cards()), lines, log)
	}
	t.mustNotTell("the audit log", string(log), private)
	if urls, err := os.ReadFile(changed); err != nil || len(urls) > 0 {
		t.fault("the list of changes has %q: %v", urls, err)
	}
}

func checksClean(t *trial) {
	t.silent(t.run("generate", "--check"))
}

// keepsServers leaves out a flag, which removes nothing.
func keepsServers(t *trial) {
	if slices.Contains(t.project.flags, "--server") {
		t.silent(t.in(t.dir, append([]string{"generate", "--check"}, t.flags("generate", "--server")...)...))
	}
}

// silent is a fault unless a command finds nothing.
func (t *trial) silent(r result) {
	if t.good(r) && r.out != "" {
		t.fault("it prints: %s", r)
	}
}

func sameEverywhere(t *trial) {
	dir := filepath.Join(t.space, "a much longer name", "of another place")
	t.project.write(t.T, dir, true)
	local, processors := time.Local, runtime.GOMAXPROCS(3)
	time.Local = time.FixedZone("elsewhere", 13*3600)
	mask := umask(0o077)
	r := t.runIn(dir, "generate")
	umask(mask)
	runtime.GOMAXPROCS(processors)
	time.Local = local
	if !t.good(r) {
		return
	}
	if d := t.tree.differ(read(t.T, dir, t.project.public()...)); d != "" {
		t.fault("there it differs in %s", d)
	}
}

func findingsHavePlaces(t *trial) {
	t.places(t.made)
}

// places is a fault for each finding without a place in a file or without a page.
func (t *trial) places(r result) {
	for _, f := range r.findings {
		if !hasPage(f.Rule) {
			t.fault("the rule %s has no page", f.Rule)
		}
		if strings.HasPrefix(f.File, "--") && strings.Contains(r.command, f.File) {
			continue // it is about the command line
		}
		data, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(f.File)))
		if err != nil {
			t.fault("%s: %s has no file: %q", f.Rule, f.Message, f.File)
			continue
		}
		if f.Line == 0 && f.Column == 0 {
			continue // it is about the whole file
		}
		lines := strings.Split(string(data), "\n")
		if f.Line < 1 || f.Line > len(lines) || f.Column < 1 || f.Column > len([]rune(lines[f.Line-1]))+1 {
			t.fault("%s: %s stands at %s:%d:%d, which is no place", f.Rule, f.Message, f.File, f.Line, f.Column)
		}
	}
}

// lints has lint write its reports in every format.
func lints(t *trial) {
	args := []string{"lint"}
	for _, format := range report.FileFormats() {
		args = append(args, "--report", format+"="+filepath.Join(t.space, "written."+format))
	}
	r := t.run(args...)
	t.good(r)
	t.places(r)
	t.mustNotTell("lint", r.out+r.err)
	for _, format := range report.FileFormats() {
		data, err := os.ReadFile(filepath.Join(t.space, "written."+format))
		if err != nil {
			t.fault("no report in %s: %v", format, err)
		}
		t.mustNotTell(format, string(data))
	}
}

func lintsCards(t *trial) {
	r := t.in(t.dir, "lint", t.project.out())
	t.good(r)
	for _, f := range r.findings {
		if f.Severity == "error" {
			t.fault("%s: %s", f.Rule, f.Message)
		}
	}
}

func differsNotFromItself(t *trial) {
	r := t.in(t.dir, "diff", t.project.out(), t.project.out(), "--fail-on", "cosmetic", "--format", "json")
	if t.good(r) && !strings.Contains(r.out, `"bump": "none"`) {
		t.fault("it differs: %s", r)
	}
}

func verifies(t *trial) {
	args := []string{"verify", t.project.out()}
	if t.project.agent["signing"] != nil && len(t.project.agents()) == 1 { // else verify asks for all to be signed
		for name := range t.tree {
			if path.Base(name) == "jwks.json" {
				args = append(args, "--jwks", name)
			}
		}
	}
	t.good(t.in(t.dir, args...))
}

func mergesShards(t *trial) {
	args := []string{"merge"}
	for _, id := range t.project.agents() {
		shard := filepath.Join(t.space, "shards", id)
		if !t.good(t.run("generate", "--agent", id, "--out", shard, "--private-out", shard+".private", "--server-dir",
			shard+".server")) {
			return
		}
		args = append(args, shard)
	}
	joined := filepath.Join(t.space, "joined")
	if !t.good(t.run(append(args, "--out", joined, "--server-dir", joined+".server")...)) {
		return
	}
	if d := t.tree.below(t.project.out()).differ(read(t.T, t.space, "joined").below("joined")); d != "" {
		t.fault("the joined tree differs in %s", d)
	}
}

// cards are the cards of the tree by their path.
func (t *trial) cards() map[string]string {
	cards := map[string]string{}
	for name, f := range t.tree.below(t.project.out()) {
		if path.Base(name) == "agent-card.json" {
			cards[name] = f.data
		}
	}
	if len(cards) == 0 {
		t.fault("there is no card")
	}
	return cards
}

func converts(t *trial) {
	for name, data := range t.cards() {
		var card struct {
			SupportedInterfaces []any
			URL                 string
			Signatures          []any
		}
		if err := json.Unmarshal([]byte(data), &card); err != nil {
			t.Fatal(err)
		}
		own := "0.3"
		switch {
		case card.SupportedInterfaces != nil && card.URL != "":
			own = "dual"
		case card.SupportedInterfaces != nil:
			own = "1.0"
		}
		r := t.in(t.dir, "convert", path.Join(t.project.out(), name), "--to", own)
		if t.good(r) && t.project.agent["compat"] == nil && card.Signatures == nil && r.out != data {
			t.fault("%s as %s: %s: %s", name, own, firstDifference(data, r.out), r.err)
		}
	}
}

func checksOneAgent(t *trial) {
	ids := t.project.agents()
	t.silent(t.run("generate", "--check", "--agent", ids[t.coverage.random.IntN(len(ids))]))
	if owner, has := t.project.agent["owner"].(string); has {
		t.good(t.run("generate", "--check", "--owner", owner))
	}
}

// printedConfiguration also shows that in a directory of another name all stays what it is.
func printedConfiguration(t *trial) {
	r := t.run("config")
	if !t.good(r) {
		return
	}
	writeFile(t.T, filepath.Join(t.dir, "printed.yaml"), r.out)
	printed := filepath.Join(t.space, "printed")
	args := []string{
		"generate", "--config", "printed.yaml", "--out", printed, "--server-dir", printed + ".server",
		"--private-out", printed + ".private",
	}
	again := t.in(t.dir, append(args, t.flags("generate", "--config", "--out", "--server-dir", "--private-out", "--env",
		"--base-url", "--set")...)...)
	if err := os.Remove(filepath.Join(t.dir, "printed.yaml")); err != nil {
		t.Fatal(err)
	}
	if !t.good(again) {
		return
	}
	one, two := t.tree.below(t.project.out()), read(t.T, t.space, "printed").below("printed")
	if slices.Contains(t.project.flags, "--env") { // the manifest says for which one
		delete(one, manifestName)
		delete(two, manifestName)
	}
	if d := one.differ(two); d != "" {
		t.fault("%s\nmakes others: %s", r.out, d)
	}
}

const manifestName = "cardwright.manifest.json"

func dryRuns(t *trial) {
	if r := t.run("generate", "--dry-run"); t.good(r) && !strings.Contains(r.err, "0 files to write, 0 files to remove") {
		t.fault("it would write: %s", r)
	}
}

// starts has init and generate make a project from each card: what they make is a card
// that differs from it in nothing that clients see.
func starts(t *trial) {
	n := 0
	for name, data := range t.cards() {
		dir := filepath.Join(t.space, "started", strconv.Itoa(n))
		n++
		writeFile(t.T, filepath.Join(dir, "card", "agent-card.json"), data)
		if !t.good(t.in(dir, "init")) {
			return
		}
		if r := t.in(dir, "generate"); r.code > 1 {
			t.fault("%s: %s", name, r)
		}
	}
}

func hasPage(rule string) bool {
	_, err := os.Stat(filepath.Join("internal", "lint", "doc", rule+".md"))
	return err == nil
}
