package sign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// maxKeys bounds the keys of a JWK Set.
const maxKeys = 1000

// ErrKeySet is returned by [ParseKey] for a file with a JWK Set.
var ErrKeySet = errors.New("the file is a key set (JWKS), not one key")

// JWK returns the public key as a JSON Web Key (RFC 7517 section 4) with kid, use and
// alg, and with what it says about its validity.
func (k Key) JWK() *source.Node {
	text, _ := json.Marshal(jose.JSONWebKey{Key: k.public, KeyID: k.Name(), Algorithm: string(k.alg), Use: "sig"})
	all, _ := source.ParseJSON("", text) // go-jose wrote it for a key that newKey accepted
	n := source.NewObject(len(all.Members))
	for _, name := range []string{"kty", "crv", "x", "y", "n", "e", "alg", "kid", "use"} {
		if m := all.Member(name); m != nil {
			n.Set(name, m.Value)
		}
	}
	for _, m := range k.validity.members {
		n.Set(m.Key, m.Value)
	}
	return n
}

// parseJWKText reads the text of one JSON Web Key, private or public.
func parseJWKText(data []byte) (Key, error) {
	n, faults := source.ParseJSON("", data)
	switch {
	case faults.Worst() == diag.Error: // which may quote the file
		return Key{}, errors.New("the key is not a well-formed JWK")
	case n.Get("keys") != nil:
		return Key{}, ErrKeySet
	}
	return parseJWK(n)
}

func parseJWK(n *source.Node) (Key, error) {
	var jwk jose.JSONWebKey
	signing := func(op string) bool { return op == "sign" || op == "verify" }
	switch kty, use := n.Get("kty"), n.Get("use"); {
	case kty.Is(source.String) && kty.Text == "oct":
		return Key{}, errors.New("a symmetric key (oct) cannot sign a card: everyone who verifies could also sign")
	case use != nil && use.Text != "sig":
		return Key{}, errors.New("its use is not sig")
	case n.Get("key_ops") != nil && !slices.ContainsFunc(n.Get("key_ops").Words(), signing):
		return Key{}, errors.New("its key_ops have neither sign nor verify")
	case jwk.UnmarshalJSON([]byte(schema.WriteCompact(n))) != nil:
		return Key{}, errors.New("it is not a well-formed JWK of kty EC, OKP (Ed25519) or RSA")
	}
	k, err := newKey(jwk.Key)
	if err != nil {
		return Key{}, err
	}
	k.Kid = jwk.KeyID
	if jwk.Algorithm != "" {
		alg := jose.SignatureAlgorithm(jwk.Algorithm)
		if !k.fits(alg) {
			return Key{}, fmt.Errorf("its alg is not %s, the one that such a key is used with", k.alg)
		}
		if alg != fullySpecified {
			k.alg = alg
		}
		k.only = true
	}
	k.validity, err = parseValidity(n)
	return k, err
}

// validity says when a key may be used (specification section 8.4.3): the members nbf
// and exp, as in RFC 7519 section 4.1, and revoked, as in OpenID Federation 1.0 section
// 8.7.2.
type validity struct {
	notBefore, expires time.Time // zero for none
	revoked            bool
	members            []source.Member // as the JWK has them
}

func parseValidity(n *source.Node) (v validity, err error) {
	for _, name := range []string{"nbf", "exp", "revoked"} {
		m := n.Member(name)
		switch {
		case m == nil:
			continue
		case name == "nbf":
			v.notBefore, err = seconds(m)
		case name == "exp":
			v.expires, err = seconds(m)
		case m.Value.Kind == source.Null || m.Value.Text == "false":
			continue
		default:
			v.revoked = true
		}
		if err != nil {
			return validity{}, err
		}
		v.members = append(v.members, *m)
	}
	return v, nil
}

// seconds reads a time in seconds since 1970, which may have a fraction.
func seconds(m *source.Member) (time.Time, error) {
	const maxSeconds = 253402300799 // 9999-12-31T23:59:59Z, the last that RFC 3339 can name
	s, err := strconv.ParseFloat(m.Value.Text, 64)
	if err != nil || m.Value.Kind != source.Number || s < 0 || s > maxSeconds {
		return time.Time{}, fmt.Errorf("its %s is not a time in seconds since 1970", m.Key)
	}
	return time.Unix(int64(s), 0).UTC(), nil
}

// fault says why the key may not be used at a time, "" when it may. It completes a
// sentence about the key. At the zero time only a revoked key may not.
func (v validity) fault(at time.Time) string {
	switch {
	case v.revoked:
		return "is revoked"
	case at.IsZero():
		return ""
	case !v.expires.IsZero() && !at.Before(v.expires):
		return "expired at " + v.expires.Format(time.RFC3339)
	case at.Before(v.notBefore):
		return "is not valid before " + v.notBefore.Format(time.RFC3339)
	}
	return ""
}

// JWKS returns the JWK Set (RFC 7517 section 5) of the keys' public halves, each once,
// sorted by name. It is an error when two different keys have one name, and when there
// are more keys than [ParseJWKS] reads.
func JWKS(keys []Key) (*source.Node, error) {
	keys = slices.SortedStableFunc(slices.Values(keys), func(a, b Key) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), strings.Compare(a.Thumbprint(), b.Thumbprint()))
	})
	items := source.ArrayOf()
	for i, k := range keys {
		switch {
		case i == 0 || k.Name() != keys[i-1].Name():
			items.Items = append(items.Items, k.JWK())
		case k.Thumbprint() != keys[i-1].Thumbprint():
			return nil, fmt.Errorf("two different keys have the kid %s", diag.Quote(k.Name()))
		}
	}
	if len(items.Items) > maxKeys {
		return nil, fmt.Errorf("the agents of one host have %d keys; a key set holds at most %d", len(items.Items), maxKeys)
	}
	return source.ObjectOf("keys", items), nil
}

// ParseJWKS reads the public keys of a JWK Set. A key that cannot be used is left out
// with a warning; the private half of one is left out likewise. A set that is malformed
// as a whole is a finding of level error. The findings quote nothing of a key but its
// kid.
func ParseJWKS(file string, data []byte) ([]Key, diag.List) {
	n, faults := source.ParseJSON(file, data)
	set := n.Get("keys")
	var problem string
	hint := "publish what cardwright key public prints"
	switch {
	case faults.Worst() == diag.Error: // the messages may quote private keys
		problem = "the key set is not well-formed JSON"
	case n.Get("kty") != nil:
		problem = "the file is one key (JWK), not a key set (JWKS)"
		hint = `write {"keys": […]} around it; for verify, --key file:PATH names a single key`
	case !set.Is(source.Array):
		problem = "a key set (JWKS) is an object with an array \"keys\""
	case len(set.Items) == 0:
		problem = "the key set is empty, so it cannot verify a signature"
	case len(set.Items) > maxKeys:
		problem = fmt.Sprintf("the key set holds %d keys; at most %d are read", len(set.Items), maxKeys)
	default:
		return parseKeys(set)
	}
	d := diag.New(diag.JWKSInvalid, diag.Span{File: file}, "%s", problem).WithHint(hint)
	d.Secret = true
	switch {
	case faults.Worst() == diag.Error:
		d.Span = faults[0].Span
	case n != nil:
		d.Span = n.Span
	}
	return nil, diag.List{d}
}

// parseKeys reads keys one by one. A bad one spoils only itself, so it is a warning.
func parseKeys(set *source.Node) (keys []Key, found diag.List) {
	for i, item := range set.Items {
		report := func(rule diag.RuleID, severity diag.Severity, hint, message string) {
			d := diag.New(rule, item.Span, "%s %s", describe(item, i), message).WithSeverity(severity)
			d.Pointer, d.Hint, d.Secret = source.Pointer("/keys", strconv.Itoa(i)), hint, true
			found = append(found, d)
		}
		k, err := parseJWK(item)
		if item.HasAny("d", "k") { // also of a key that cannot be used
			report(diag.JWKSPrivate, diag.Error, "replace the key, and publish what cardwright key public prints",
				"is published with its private half: anyone who can read it can sign")
		}
		if err != nil {
			report(diag.JWKSInvalid, diag.Warning, "delete it, or replace it by what cardwright key public prints",
				"is not used: "+err.Error())
			continue
		}
		keys = append(keys, k.Public())
	}
	return keys, found
}

func describe(n *source.Node, i int) string {
	if kid := n.Get("kid"); kid.Is(source.String) && kid.Text != "" {
		return "the key " + diag.Quote(kid.Text)
	}
	return fmt.Sprintf("key %d of the set", i+1)
}
