package sign

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"errors"
	"fmt"
	"math/big"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// maxSignatures bounds how many signatures of a card are looked at.
const maxSignatures = 16

// Result is what became of one signature of a card.
type Result struct {
	Pointer string    // RFC 6901: /signatures/N
	Span    diag.Span // of the signature
	Alg     Algorithm // as its header says, "" when it is unreadable
	Kid     string    // likewise
	JKU     string    // likewise; never fetched

	Reading   Reading      // the one under which it is good, "" when it is not
	Uncovered []Divergence // what it does not cover, sorted by pointer
	Fault     string       // why it is refused, "" when it is good; completes "the signature is refused: "
}

// Good reports whether the signature verifies.
func (r Result) Good() bool { return r.Fault == "" }

// Open reports whether somebody could have changed the meaning of the card: the
// signature leaves out more than members without content, and than [Trust] accepts.
func (r Result) Open() bool {
	return slices.ContainsFunc(r.Uncovered, func(d Divergence) bool { return !d.accepted && !d.hollow() })
}

// accepted reports whether all that the signature leaves out needs none.
func (r Result) accepted() bool {
	return !slices.ContainsFunc(r.Uncovered, func(d Divergence) bool { return !d.accepted })
}

// acceptable reports whether [Trust] can accept all that the signature leaves out.
func (r Result) acceptable() bool {
	return !slices.ContainsFunc(r.Uncovered, func(d Divergence) bool { return !d.acceptable() })
}

// Trust says whose signatures are good.
type Trust struct {
	Keys []Key
	// At is the time at which the keys have to be valid. Without it, only revoked
	// ones are refused.
	At time.Time
	// Uncovered are patterns as of [path.Match] for pointers of members that A2A
	// does not define and that need no signature.
	Uncovered []string
}

// acceptable reports whether a divergence may need no signature. What a client may read
// as a member of A2A always needs one.
func (d Divergence) acceptable() bool { return d.Reason == reasonUnknown && !d.alias }

// needless reports whether a divergence needs no signature.
func (t Trust) needless(d Divergence) bool {
	return d.acceptable() && slices.ContainsFunc(t.Uncovered, func(pattern string) bool {
		ok, _ := path.Match(pattern, d.Pointer)
		return ok
	})
}

// Idle returns a finding for each pattern of t.Uncovered that accepts nothing of what
// good signatures leave out.
func (t Trust) Idle(results []Result) diag.List {
	var list diag.List
	if !slices.ContainsFunc(results, Result.Good) {
		return nil
	}
	for _, pattern := range t.Uncovered {
		one := Trust{Uncovered: []string{pattern}}
		if !slices.ContainsFunc(results, func(r Result) bool { return slices.ContainsFunc(r.Uncovered, one.needless) }) {
			list = append(list, diag.New("signature-uncovered", diag.Span{},
				"--allow-uncovered %s accepts nothing: no signature leaves out such a member that A2A does not define", pattern).
				WithSeverity(diag.Warning))
		}
	}
	return list
}

// Verify checks every signature of the card in data, which is read from file
// (specification section 8.4.3). A card that has no canonical form, or whose
// signatures are not an array, gives findings of level error and no results; one
// without signatures gives neither.
func Verify(file string, data []byte, trust Trust, limits source.Limits) ([]Result, diag.List) {
	// The tree alone is not enough: it keeps one of two members of a name.
	card, faults := source.ParseJSON(file, data, limits)
	if faults.Worst() == diag.Error {
		return nil, faults
	}
	if !card.Is(source.Object) {
		return nil, noCard(card)
	}
	signatures := card.Get("signatures")
	if signatures == nil {
		return nil, nil
	}
	if problem := checkSignatures(signatures); problem != nil {
		return nil, problem
	}
	v := verifier{Trust: trust, card: card}
	if v.payloads, faults = v.payloadsOf(card); len(faults) > 0 {
		return nil, faults
	}
	results := make([]Result, len(signatures.Items))
	for i, n := range signatures.Items {
		results[i] = v.verify(n, source.Pointer("/signatures", strconv.Itoa(i)))
	}
	return results, nil
}

func checkSignatures(n *source.Node) diag.List {
	var message string
	switch {
	case n.Kind != source.Array:
		message = fmt.Sprintf("signatures is of type %s; an array is required", n.Kind)
	case len(n.Items) > maxSignatures:
		message = fmt.Sprintf("the card has %d signatures; at most %d are verified", len(n.Items), maxSignatures)
	default:
		return nil
	}
	return diag.List{diag.New("signature-malformed", n.Span, "%s", message).WithPointer("/signatures")}
}

// payload is a form of the card that a signature may cover.
type payload struct {
	reading   Reading
	data      []byte
	uncovered []Divergence
}

// payloads returns the distinct payloads of the card under all readings, the
// one that covers most first.
func (v *verifier) payloadsOf(card *source.Node) ([]payload, diag.List) {
	var all []payload
	for _, r := range Readings() {
		tree, divergences := Read(card, r)
		data, faults := Canonical(tree)
		if len(faults) > 0 {
			return nil, faults
		}
		if slices.ContainsFunc(all, func(p payload) bool { return bytes.Equal(p.data, data) }) {
			continue
		}
		p := payload{reading: r, data: data}
		for _, d := range divergences {
			if !d.Added {
				d.accepted = v.needless(d)
				p.uncovered = append(p.uncovered, d)
			}
		}
		slices.SortStableFunc(p.uncovered, Divergence.compare)
		all = append(all, p)
	}
	return all, nil
}

type verifier struct {
	Trust
	card     *source.Node
	payloads []payload
}

func (v *verifier) verify(n *source.Node, pointer string) Result {
	r := Result{Pointer: pointer, Span: n.Span}
	h, signature, err := parseSignature(n)
	r.Alg, r.Kid, r.JKU = h.alg, h.kid, h.jku
	if err == nil {
		r.Reading, r.Uncovered, err = v.match(h, n.Get("protected").Text, signature)
	}
	if err != nil {
		r.Fault = err.Error()
	}
	return r
}

// parseSignature reads an AgentCardSignature (section 4.4.7).
func parseSignature(n *source.Node) (header, []byte, error) {
	if !n.Is(source.Object) {
		return header{}, nil, errors.New("it is not an object")
	}
	protected, signature := n.Get("protected"), n.Get("signature")
	if !protected.Is(source.String) || protected.Text == "" {
		return header{}, nil, errors.New("it has no protected header")
	}
	h, err := parseHeader(protected.Text)
	if err != nil {
		return header{}, nil, err
	}
	if err := checkUnprotected(n.Get("header")); err != nil {
		return h, nil, err
	}
	if !signature.Is(source.String) || signature.Text == "" {
		return h, nil, errors.New("it has no signature")
	}
	data, err := decode(signature.Text)
	if err != nil {
		return h, nil, fmt.Errorf("its signature %w", err)
	}
	return h, data, h.alg.checkSize(data)
}

// match finds the reading under which the key that h names made the signature.
func (v *verifier) match(h header, protected string, signature []byte) (Reading, []Divergence, error) {
	named := v.named(h.kid)
	if len(named) == 0 {
		return "", nil, fmt.Errorf("no key has the kid %s: %s", diag.Quote(h.kid), v.names())
	}
	fitting := slices.DeleteFunc(slices.Clone(named), func(k Key) bool { return !k.fits(h.alg) })
	if len(fitting) == 0 {
		return "", nil, fmt.Errorf("its alg is %s, but the key %s is for %s", h.alg, diag.Quote(h.kid), named[0].alg)
	}
	var invalid error
	for _, p := range v.payloads {
		for _, k := range h.by(fitting, protected, p.data, signature) {
			if k.notVerifying {
				invalid = fmt.Errorf("the key_ops of its key %s do not have verify", diag.Quote(h.kid))
				continue
			}
			if fault := k.validity.fault(v.At); fault != "" {
				invalid = fmt.Errorf("its key %s %s", diag.Quote(h.kid), fault)
				continue
			}
			return p.reading, p.uncovered, nil
		}
	}
	if invalid != nil {
		return "", nil, invalid
	}
	if makers := h.by(v.Keys, protected, v.payloads[0].data, signature); len(makers) > 0 {
		return "", nil, fmt.Errorf("its kid is %s, but the key %s made it", diag.Quote(h.kid), diag.Quote(makers[0].Name()))
	}
	for _, q := range quirks(v.card) {
		if len(h.by(fitting, protected, q.payload, signature)) > 0 {
			return "", nil, fmt.Errorf("it is as %s", q.maker)
		}
	}
	return "", nil, fmt.Errorf("the key %s did not make it for this card: the card or the signature was changed",
		diag.Quote(h.kid))
}

// by returns those of the keys that made the signature over a payload.
func (h header) by(keys []Key, protected string, payload, signature []byte) []Key {
	digest := h.alg.digest(input(protected, payload))
	return slices.DeleteFunc(slices.Clone(keys), func(k Key) bool {
		return !k.fits(h.alg) ||
			!k.verify(h.alg, digest, signature)
	})
}

// named returns the keys that a kid can mean: those of that name or
// thumbprint, and where there are none, those without a name of their own.
func (v *verifier) named(kid string) []Key {
	var named, nameless []Key
	for _, k := range v.Keys {
		switch {
		case k.Kid == kid || k.Thumbprint() == kid:
			named = append(named, k)
		case k.Kid == "":
			nameless = append(nameless, k)
		}
	}
	if len(named) > 0 {
		return named
	}
	return nameless
}

func (v *verifier) names() string {
	if len(v.Keys) == 0 {
		return "no key was given"
	}
	var names []string
	for _, k := range v.Keys {
		names = append(names, diag.Quote(k.Name()))
	}
	slices.Sort(names)
	if len(names) > 5 {
		names = append(names[:5], "…")
	}
	return "the keys given are " + strings.Join(names, ", ")
}

// checkSize refuses a signature that cannot be one of the algorithm, before any
// key is tried.
func (a Algorithm) checkSize(signature []byte) error {
	want := a.signatureSize()
	switch {
	case want == 0 || len(signature) == want:
		return nil
	case a.curve().size > 0 && len(signature) > 0 && signature[0] == 0x30:
		return fmt.Errorf("its signature is in DER, but %s needs R and S, %d bytes in all", a, want)
	}
	return fmt.Errorf("its signature has %d bytes, but %s has %d", len(signature), a, want)
}

// verify reports whether the signature over the digest is by the key, which fits
// the algorithm.
func (k Key) verify(a Algorithm, digest, signature []byte) bool {
	switch p := k.public.(type) {
	case *ecdsa.PublicKey:
		half := len(signature) / 2
		r, s := new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])
		return ecdsa.Verify(p, digest, r, s)
	case ed25519.PublicKey:
		return ed25519.Verify(p, digest, signature)
	case *rsa.PublicKey:
		if a.padded() { // RFC 7518 section 3.5: the salt is as long as the hash
			return rsa.VerifyPSS(p, a.hash(), digest, signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
		}
		return rsa.VerifyPKCS1v15(p, a.hash(), digest, signature) == nil
	}
	return false
}
