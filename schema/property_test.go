package schema

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"cardwright/internal/source"
)

// maker makes random cards, the same ones in every run.
type maker struct {
	*rand.Rand
	// holes tells that members may be empty where the specification wants one.
	holes bool
}

func (m maker) chance(percent int) bool { return m.IntN(100) < percent }

// text is some text, seldom an odd or an empty one.
func (m maker) text(word string) string {
	switch {
	case m.holes && m.chance(10):
		return ""
	case m.chance(10):
		return word + "<&>\u2028é\x00\"😀"
	}
	return word + strconv.Itoa(m.IntN(10))
}

func (m maker) texts(word string) []string {
	list := []string{m.text(word)}
	for m.chance(40) {
		list = append(list, m.text(word))
	}
	if m.holes && m.chance(10) {
		return nil
	}
	return list
}

func (m maker) optional(word string) string {
	if m.chance(50) {
		return ""
	}
	return m.text(word)
}

func (m maker) flag() *bool {
	if m.chance(40) {
		return nil
	}
	return new(m.chance(50))
}

func (m maker) value(depth int) *source.Node {
	switch n := m.IntN(8); {
	case n == 0:
		return &source.Node{Kind: source.Null, Text: "null"}
	case n == 1:
		return source.NewBool(m.chance(50))
	case n == 2:
		return &source.Node{Kind: source.Number, Text: []string{"0", "-1.50", "1e3", "0x1F"}[m.IntN(4)]}
	case n == 3 || depth == 0:
		return source.NewText([]string{"", "x", "\n"}[m.IntN(3)])
	case n < 6:
		list := &source.Node{Kind: source.Array}
		for range m.IntN(3) {
			list.Items = append(list.Items, m.value(depth-1))
		}
		return list
	default:
		return m.object(depth - 1)
	}
}

func (m maker) object(depth int) *source.Node {
	o := &source.Node{Kind: source.Object}
	for i := range m.IntN(4) {
		o.Set(fmt.Sprintf("k%d-%d", m.IntN(10), i), m.value(depth))
	}
	return o
}

func (m maker) scheme() SecurityScheme {
	s := SecurityScheme{Type: []SchemeType{APIKey, HTTPAuth, OAuth2, OpenIDConnect, MutualTLS}[m.IntN(5)], Description: m.optional("d")}
	switch s.Type {
	case APIKey:
		s.In, s.Name = []string{"header", "query", "cookie"}[m.IntN(3)], m.text("n")
	case HTTPAuth:
		s.Scheme, s.BearerFormat = m.text("bearer"), m.optional("JWT")
	case OAuth2:
		s.OAuth2MetadataURL = m.optional("u")
		for _, i := range m.Perm(5)[:1+m.IntN(5)] {
			f := Flow{Type: FlowTypes()[i], AuthorizationURL: m.text("a"), DeviceAuthorizationURL: m.text("d"), TokenURL: m.text("t"), RefreshURL: m.optional("r"), PKCERequired: m.chance(50)}
			f.Scopes = map[string]string{"s" + strconv.Itoa(m.IntN(3)): m.optional("S"), "s" + strconv.Itoa(m.IntN(3)): m.text("S")}
			s.Flows = append(s.Flows, f)
		}
	case OpenIDConnect:
		s.OpenIDConnectURL = m.text("u")
	case MutualTLS:
	}
	return s
}

func (m maker) requirements(names []string) []Requirement {
	var list []Requirement
	for m.chance(50) {
		r := Requirement{}
		for m.chance(70) && len(names) > 0 {
			var scopes []string
			for m.chance(30) {
				scopes = append(scopes, "s"+strconv.Itoa(m.IntN(3)))
			}
			r[names[m.IntN(len(names))]] = scopes
		}
		list = append(list, r)
	}
	return list
}

func (m maker) card() *Card {
	c := &Card{
		Name: m.text("name"), Description: m.text("description"), Version: m.text("1."),
		IconURL: m.optional("icon"), DocumentationURL: m.optional("doc"),
		Capabilities: Capabilities{Streaming: m.flag(), PushNotifications: m.flag(), ExtendedAgentCard: m.flag(), StateTransitionHistory: m.flag()},
		InputModes:   m.texts("text/plain"), OutputModes: m.texts("text/plain"),
		SecuritySchemes: map[string]SecurityScheme{},
	}
	for range 1 + m.IntN(4) {
		c.Interfaces = append(c.Interfaces, Interface{URL: m.text("u"), Binding: "JSONRPC", Version: []string{"1.0", "0.3"}[m.IntN(2)], Tenant: m.optional("t")})
	}
	if m.chance(50) {
		c.Provider = &Provider{Organization: m.optional("o"), URL: m.optional("u")}
	}
	for m.chance(40) {
		c.Capabilities.Extensions = append(c.Capabilities.Extensions, Extension{URI: m.text("uri"), Description: m.optional("d"), Required: m.chance(50), Params: m.object(4)})
	}
	var names []string
	for i := range m.IntN(5) {
		name := m.text("scheme") + strconv.Itoa(i)
		names = append(names, name)
		c.SecuritySchemes[name] = m.scheme()
	}
	c.Security = m.requirements(names)
	for i := range 1 + m.IntN(4) {
		s := Skill{ID: m.text("id") + strconv.Itoa(i), Name: m.text("n"), Description: m.text("d"), Tags: m.texts("t"), Security: m.requirements(names)}
		if m.chance(50) {
			s.Examples, s.InputModes, s.OutputModes = m.texts("e"), m.texts("m"), m.texts("m")
		}
		c.Skills = append(c.Skills, s)
	}
	if m.chance(20) {
		c.Signatures = []Signature{{Protected: m.text("p"), Signature: m.text("s"), Header: m.object(2)}}
	}
	return c
}

// empties returns the pointers of what is empty and should not be there.
func empties(n *source.Node, pointer, parent string, signed bool) []string {
	if n.Empty() {
		switch {
		case n.Is(source.Array) && !signed && (parent == "schemes" || parent == "security"):
			return nil
		case n.Is(source.Array) && signed && parent == "security":
			return nil
		case n.Is(source.Object) && signed && parent == "schemes":
			return nil
		case n.Is(source.Object) && strings.HasSuffix(pointer, "/scopes"):
			return nil
		}
		return []string{pointer}
	}
	var found []string
	for i, item := range n.Items {
		found = append(found, empties(item, pointer+"/"+strconv.Itoa(i), parent, signed)...)
	}
	for _, m := range n.Members {
		within := parent
		if m.Key == "schemes" || m.Key == "security" || m.Key == "params" {
			within = m.Key
		}
		found = append(found, empties(m.Value, source.Pointer(pointer, m.Key), within, signed)...)
	}
	return found
}

// Whatever the card, what is written is JSON, holds nothing empty, and comes
// out the same again. A card that has every member it needs is valid.
func TestWireOfManyCards(t *testing.T) {
	for seed := range uint64(1000) {
		for _, holes := range []bool{true, false} {
			card := maker{rand.New(rand.NewPCG(seed, 0)), holes}.card()
			for _, form := range []Protocol{V10, V03, Dual} {
				options := WireOptions{Signed: seed%2 == 1, OmitRequirements: seed%5 == 0}
				node, losses := Wire(card, form, options)
				for _, pointer := range empties(node, "", "", options.Signed) {
					t.Errorf("card %d, %s: empty value at %s", seed, form, pointer)
				}
				text := Write(node)
				if !json.Valid(text) {
					t.Errorf("card %d, %s: no JSON", seed, form)
				}
				again, _ := Wire(card, form, options)
				if string(Write(again)) != string(text) {
					t.Errorf("card %d, %s: other bytes the second time", seed, form)
				}
				if holes || fatal(losses) {
					continue
				}
				for _, f := range ValidateCard(form, node) {
					t.Errorf("card %d, %s: %+v", seed, form, f)
				}
			}
		}
	}
}

func fatal(losses []Loss) bool {
	for _, l := range losses {
		if l.Fatal {
			return true
		}
	}
	return false
}
