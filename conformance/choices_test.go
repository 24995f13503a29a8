package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"
)

// choice is what a client takes of a card: where it sends to, and the names of
// schemes and skills.
type choice struct {
	Error   string
	URL     string
	Schemes []string
	Skills  []string
}

// classes of differences, as cardwright diff ranks them.
var classes = []string{"none", "cosmetic", "additive", "breaking"}

// change returns the least class that a change of the choice can have. A client
// that sends to another URL which both cards list breaks nobody by itself.
func (c choice) change(is choice, listed string) (class int, why string) {
	lost := func(was, now []string) string {
		for _, name := range was {
			if !slices.Contains(now, name) {
				return name
			}
		}
		return ""
	}
	switch {
	case c.Error != "" && is.Error != "":
		return 0, ""
	case is.Error != "":
		return 3, is.Error
	case c.Error != "":
		return 2, "it can use the card"
	case c.URL != is.URL && !strings.Contains(listed, `"`+c.URL+`"`):
		return 3, "it sends to " + is.URL
	case lost(c.Schemes, is.Schemes)+lost(c.Skills, is.Skills) != "":
		return 3, "it loses " + lost(c.Schemes, is.Schemes) + lost(c.Skills, is.Skills)
	case c.URL != is.URL:
		return 2, "it sends to " + is.URL
	case lost(is.Schemes, c.Schemes)+lost(is.Skills, c.Skills) != "":
		return 2, "it gets another scheme or skill"
	}
	return 0, ""
}

// chooseA2AGo returns what a2a-go takes of a card that one of its parsers reads.
func chooseA2AGo(parse agentcard.Parser, data []byte) choice {
	card, err := parse(data)
	if err != nil {
		return choice{Error: err.Error()}
	}
	var c choice
	var note a2aclient.TransportFactoryFn = func(_ context.Context, _ *a2a.AgentCard, i *a2a.AgentInterface) (
		a2aclient.Transport, error,
	) {
		if c.URL == "" {
			c.URL = i.URL
		}
		return nil, errors.New("noted")
	}
	options := []a2aclient.FactoryOption{a2aclient.WithDefaultsDisabled()}
	for _, binding := range []a2a.TransportProtocol{a2a.TransportProtocolJSONRPC, a2a.TransportProtocolHTTPJSON} {
		options = append(options, a2aclient.WithTransport(binding, note), a2aclient.WithCompatTransport("0.3", binding, note))
	}
	if _, err := a2aclient.NewFromCard(context.Background(), card, options...); c.URL == "" {
		return choice{Error: err.Error()}
	}
	for name := range card.SecuritySchemes {
		c.Schemes = append(c.Schemes, string(name))
	}
	for _, s := range card.Skills {
		c.Skills = append(c.Skills, s.ID)
	}
	return c
}

// chooseA2AJS returns what @a2a-js/sdk 1.x and 0.3.x take of each card.
func chooseA2AJS(t *testing.T, cards [][]byte) [][2]choice {
	t.Helper()
	installA2AJS(t)
	cmd := exec.CommandContext(t.Context(), "node", "choose.mjs")
	cmd.Dir, cmd.Stderr = "js", os.Stderr
	cmd.Stdin = bytes.NewReader(append(bytes.Join(cards, []byte("\n")), '\n'))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node choose.mjs: %v", err)
	}
	answers := make([][2]choice, len(cards))
	lines := json.NewDecoder(bytes.NewReader(out))
	for i := range answers {
		if err := lines.Decode(&answers[i]); err != nil {
			t.Fatalf("answer %d of %d: %v", i+1, len(cards), err)
		}
	}
	return answers
}

// pair is a card with one change, as its text: it may define a member twice.
type pair struct {
	what     string
	old, new []byte
}

// pairsOf returns the card with each of its leaves set, deleted, defined twice, and
// added in another case.
func pairsOf(t *testing.T, c card) []pair {
	t.Helper()
	var pairs []pair
	var old bytes.Buffer
	if err := json.Compact(&old, c.data); err != nil {
		t.Fatal(err)
	}
	var walk func(raw json.RawMessage, at string, put func(string) string)
	walk = func(raw json.RawMessage, at string, put func(string) string) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && raw[0] == '[' {
			for i, item := range list {
				walk(item, fmt.Sprintf("%s/%d", at, i), func(text string) string {
					texts := make([]string, len(list))
					for k := range list {
						texts[k] = string(list[k])
					}
					texts[i] = text
					return put("[" + strings.Join(texts, ",") + "]")
				})
			}
			return
		}
		names, values := membersOf(raw)
		with := func(i int, text string, more ...string) string {
			var all []string
			for k, name := range names {
				switch {
				case k != i:
					all = append(all, name+":"+string(values[k]))
				case text != "":
					all = append(all, name+":"+text)
				}
			}
			return put("{" + strings.Join(append(all, more...), ",") + "}")
		}
		for i, name := range names {
			walk(values[i], at+"/"+strings.Trim(name, `"`), func(text string) string { return with(i, text) })
			if values[i][0] == '{' || values[i][0] == '[' && bytes.ContainsRune(values[i], '{') {
				continue
			}
			other := fmt.Sprintf(`"https://evil.example/%d"`, len(pairs))
			switch {
			case values[i][0] == '[':
				other = "[" + other + "]"
			case string(values[i]) == "true":
				other = "false"
			case string(values[i]) == "false":
				other = "true"
			}
			for what, text := range map[string]string{
				" set": with(i, other), " deleted": with(i, ""), " twice": with(i, string(values[i]), name+":"+other),
				" in another case": with(i, string(values[i]), strings.ToUpper(name)+":"+other),
			} {
				pairs = append(pairs, pair{filepath.Base(c.path) + at + "/" + name + what, old.Bytes(), []byte(text)})
			}
		}
	}
	walk(old.Bytes(), "", func(text string) string { return text })
	slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.what, b.what) })
	return pairs
}

// membersOf returns the members of an object in their order, the names in quotes.
func membersOf(raw json.RawMessage) (names []string, values []json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, nil
	}
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		quoted, _ := json.Marshal(name)
		names, values = append(names, string(quoted)), append(values, value)
	}
	return names, values
}

// The SDKs notice nothing that cardwright diff ranks lower: each pair of cards is
// read by a2a-go and @a2a-js/sdk, of which some send to another URL, or nowhere.
func TestClassesAgreeWithSDKs(t *testing.T) {
	var pairs []pair
	for _, name := range []string{"1.0.json", "0.3.json", "dual.json"} {
		pairs = append(pairs, pairsOf(t, handWritten(t, name))...)
	}
	var bodies [][]byte
	for _, p := range pairs {
		bodies = append(bodies, p.old, p.new)
	}
	js := chooseA2AJS(t, bodies)
	bin := buildCardwright(t)
	noticed := 0
	for i, p := range pairs {
		class := classOf(t, bin, p)
		for sdk, choose := range map[string]func(which int) choice{
			"a2a-go":        func(which int) choice { return chooseA2AGo(parseDefault, bodies[2*i+which]) },
			"a2a-go compat": func(which int) choice { return chooseA2AGo(parseCompat, bodies[2*i+which]) },
			"a2a-js":        func(which int) choice { return js[2*i+which][0] },
			"a2a-js 0.3":    func(which int) choice { return js[2*i+which][1] },
		} {
			least, why := choose(0).change(choose(1), string(p.new))
			if least > 0 {
				noticed++
			}
			if class < least {
				t.Errorf("%s is %s, but for %s at least %s: %s", p.what, classes[class], sdk, classes[least], why)
			}
		}
	}
	if len(pairs) < 200 || noticed < 100 {
		t.Errorf("the SDKs notice only %d changes of %d", noticed, len(pairs))
	}
}

// classOf returns the worst class that cardwright diff sees in a pair.
func classOf(t *testing.T, bin string, p pair) int {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"old.json": p.old, "new.json": p.new} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), bin, "diff", "--format", "json", "old.json", "new.json")
	cmd.Dir = dir
	out, _ := cmd.Output()
	var report struct{ Changes []struct{ Class string } }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%s: %v\n%s", p.what, err, out)
	}
	worst := 0
	for _, c := range report.Changes {
		worst = max(worst, slices.Index(classes, c.Class))
	}
	return worst
}
