package sign

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxKeys bounds the keys of a JWK Set.
const maxKeys = 1000

// JWKS returns the JWK Set (RFC 7517 section 5) of the keys' public halves,
// each once, sorted by name. It is an error when two different keys have one
// name, and when there are more keys than [ParseJWKS] reads.
func JWKS(keys []Key) (*source.Node, error) {
	keys = slices.SortedStableFunc(slices.Values(keys), func(a, b Key) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), strings.Compare(a.Thumbprint(), b.Thumbprint()))
	})
	items := &source.Node{Kind: source.Array}
	for i, k := range keys {
		if i > 0 && k.Name() == keys[i-1].Name() {
			if k.Thumbprint() != keys[i-1].Thumbprint() {
				return nil, fmt.Errorf("two different keys have the kid %s", diag.Quote(k.Name()))
			}
			continue
		}
		items.Items = append(items.Items, k.JWK())
	}
	if len(items.Items) > maxKeys {
		return nil, fmt.Errorf("the agents of one host have %d keys; a key set holds at most %d", len(items.Items), maxKeys)
	}
	set := &source.Node{Kind: source.Object}
	set.Set("keys", items)
	return set, nil
}

// ParseKeySet is [ParseJWKS] with the bounds that a file of keys has by itself.
func ParseKeySet(file string, data []byte) ([]Key, diag.List) {
	return ParseJWKS(file, data, source.Limits{})
}

// ParseJWKS reads the public keys of a JWK Set. A key that cannot be used is
// left out with a warning; the private half of one is left out likewise. A set
// that is malformed as a whole is a finding of level error. The findings quote
// nothing of a key but its kid.
func ParseJWKS(file string, data []byte, limits source.Limits) ([]Key, diag.List) {
	n, faults := source.ParseJSON(file, data, limits)
	for _, d := range faults {
		if d.Severity == diag.Error {
			// The message may quote the file, which may hold private keys.
			return nil, invalidSet(d.Span, "the key set is not well-formed JSON")
		}
	}
	set := n.Get("keys")
	switch {
	case n.Get("kty") != nil:
		list := invalidSet(n.Span, "the file is one key (JWK), not a key set (JWKS)")
		list[0].Hint = "--key file:PATH names a single key"
		return nil, list
	case set.Is(source.Array) && len(set.Items) == 0:
		return nil, invalidSet(set.Span, "the key set is empty, so it cannot verify a signature")
	case !set.Is(source.Array):
		return nil, invalidSet(n.Span, "a key set (JWKS) is an object with an array \"keys\"")
	case len(set.Items) > maxKeys:
		return nil, invalidSet(set.Span, fmt.Sprintf("the key set holds %d keys; at most %d are read", len(set.Items),
			maxKeys))
	}
	var keys []Key
	var list diag.List
	for i, item := range set.Items {
		warn := func(rule, hint, format string, args ...any) {
			d := diag.New(rule, item.Span, "%s %s", describe(item, i), fmt.Sprintf(format, args...))
			d.Pointer, d.Hint, d.Secret = source.Pointer("/keys", strconv.Itoa(i)), hint, true
			list = append(list, d)
		}
		public := withoutPrivate(item)
		if public != item {
			warn("jwks-private", "replace the key, and publish what cardwright key public prints",
				"is published with its private half: anyone who can read it can sign")
		}
		k, err := parseJWK(public)
		if err != nil {
			warn("jwks-key", "", "is not used: %v", err)
			continue
		}
		keys = append(keys, k)
	}
	return keys, list
}

func invalidSet(span diag.Span, message string) diag.List {
	d := diag.New("jwks-invalid", span, "%s", message)
	d.Secret = true
	return diag.List{d}
}

// withoutPrivate returns a JWK without the members that only private and
// symmetric keys have (RFC 7518 section 6), and n itself when it has none.
func withoutPrivate(n *source.Node) *source.Node {
	for _, name := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} {
		if n.Get(name) != nil {
			n = n.Without(name)
		}
	}
	return n
}

func describe(n *source.Node, i int) string {
	if kid := n.Get("kid"); kid.Is(source.String) && kid.Text != "" {
		return "the key " + diag.Quote(kid.Text)
	}
	return fmt.Sprintf("key %d of the set", i+1)
}
