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
	"strconv"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"
	"github.com/a2aproject/a2a-go/v2/a2aclient/agentcard"

	"cardwright/internal/fixture"
)

// choice is what a client takes of a card: where it sends to, and what the schemes,
// the requirements and the skills say in its own words.
type choice struct {
	Error        string
	URL          string
	Schemes      map[string]any // by name
	Requirements any
	Skills       []map[string]any
}

// classes of differences, as cardwright diff ranks them.
var classes = []string{"none", "cosmetic", "additive", "breaking"}

// change returns the least class that a change of the choice can have. A client
// that sends to another URL which both cards list breaks nobody by itself.
func (c choice) change(is choice, listed string) (class int, why string) {
	if c.Error != "" && is.Error != "" {
		return 0, ""
	}
	was, now := c.said(), is.said()
	switch lost, added := missing(was.needs, now.needs), missing(now.needs, was.needs); {
	case is.Error != "":
		return 3, is.Error
	case c.Error != "":
		return 2, "it can use the card"
	case c.URL != is.URL && !strings.Contains(listed, `"`+c.URL+`"`):
		return 3, "it sends to " + is.URL
	case lost != "":
		return 3, "it loses " + lost
	case c.URL != is.URL:
		return 2, "it sends to " + is.URL
	case added != "":
		return 2, "it gets " + added
	}
	if other := missing(was.words, now.words) + missing(now.words, was.words); other != "" {
		return 1, "it shows other words: " + other
	}
	return 0, ""
}

// sayings are what a client needs to reach an agent, and what it or its user reads.
type sayings struct{ needs, words []string }

// said returns what a choice says, value by value.
func (c choice) said() sayings {
	var s sayings
	for name, scheme := range c.Schemes {
		s.needs = append(s.needs, "the scheme "+name)
		s.add("the scheme "+name, "", plain(scheme))
	}
	for _, skill := range c.Skills {
		s.needs = append(s.needs, fmt.Sprint("the skill ", skill["id"]))
		for _, member := range []string{"name", "description", "tags", "examples"} {
			s.words = append(s.words, fmt.Sprint(skill["id"], " ", member, " ", skill[member]))
		}
	}
	s.words = append(s.words, fmt.Sprint("requirements ", plain(c.Requirements)))
	return s
}

// add adds the values in a scheme. Of a scope a client needs the name, and of a
// description nothing. a2a-js hands out objects as they are, with members of other
// names, which nobody asks for.
func (s *sayings) add(at, member string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			switch {
			case member != "scopes" && name == strings.ToUpper(name):
				continue
			case member == "scopes":
				s.needs = append(s.needs, at+" "+name)
			}
			s.add(at+" "+name, name, inner)
		}
	case string:
		if strings.Contains(at, " scopes ") || member == "description" {
			s.words = append(s.words, at+" "+value)
		} else if value != "" {
			s.needs = append(s.needs, at+" "+value)
		}
	}
}

// plain returns a value of an SDK's types as JSON is decoded.
func plain(value any) any {
	data, _ := json.Marshal(value)
	var out any
	_ = json.Unmarshal(data, &out)
	return out
}

// missing returns the first text of a list that the other does not have, "" for none.
func missing(list, other []string) string {
	slices.Sort(list)
	for _, text := range list {
		if !slices.Contains(other, text) {
			return text
		}
	}
	return ""
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
	c.Schemes, _ = plain(card.SecuritySchemes).(map[string]any)
	c.Requirements = card.SecurityRequirements
	for _, s := range card.Skills {
		skill, _ := plain(s).(map[string]any)
		c.Skills = append(c.Skills, skill)
	}
	return c
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
	worst := classesOf(t, fixture.Program(t), pairs)
	chosen := choicesOf(t, pairs)
	noticed := 0
	for _, p := range pairs {
		class := worst[p.what]
		was, is := chosen[string(p.old)], chosen[string(p.new)]
		for sdk, c := range was {
			least, why := c.change(is[sdk], string(p.new))
			if least > 0 {
				noticed++
			}
			if class < least {
				t.Errorf("%s is %s, but for %s at least %s: %s", p.what, classes[class], sdk, classes[least], why)
			}
		}
	}
	if len(pairs) < 600 || noticed < 600 {
		t.Errorf("the SDKs notice only %d changes of %d", noticed, len(pairs))
	}
}

// choicesOf returns what each SDK takes of each card, by the text of the card.
func choicesOf(t *testing.T, pairs []pair) map[string]map[string]choice {
	t.Helper()
	chosen := map[string]map[string]choice{}
	var bodies []json.RawMessage
	for _, p := range pairs {
		for _, body := range [][]byte{p.old, p.new} {
			if chosen[string(body)] == nil {
				chosen[string(body)] = map[string]choice{
					"a2a-go": chooseA2AGo(parseDefault, body), "a2a-go compat": chooseA2AGo(parseCompat, body),
				}
				bodies = append(bodies, body)
			}
		}
	}
	for i, js := range ask[[2]choice](t, &choices, bodies...) {
		chosen[string(bodies[i])]["a2a-js"], chosen[string(bodies[i])]["a2a-js 0.3"] = js[0], js[1]
	}
	return chosen
}

// classesOf returns the worst class that cardwright diff sees in each pair.
func classesOf(t *testing.T, bin string, pairs []pair) map[string]int {
	t.Helper()
	dir := t.TempDir()
	for i, p := range pairs {
		for tree, data := range map[string][]byte{"old": p.old, "new": p.new} {
			path := filepath.Join(dir, tree, strconv.Itoa(i), ".well-known", "agent-card.json")
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.CommandContext(t.Context(), bin, "diff", "--format", "json", "old", "new")
	cmd.Dir = dir
	out, _ := cmd.Output()
	var report struct {
		Changes []struct{ Agent, Class string }
	}
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	worst := map[string]int{}
	for _, c := range report.Changes {
		i, err := strconv.Atoi(c.Agent)
		if err != nil {
			t.Fatalf("a change of %q", c.Agent)
		}
		what := pairs[i].what
		worst[what] = max(worst[what], slices.Index(classes, c.Class))
	}
	return worst
}
