package sign

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// JWK returns the public key as a JSON Web Key (RFC 7517 section 4) with kid,
// use and alg, and with what it says of its validity.
func (k Key) JWK() *source.Node {
	n := k.material()
	n.SetText("alg", string(k.alg))
	n.SetText("kid", k.Name())
	n.SetText("use", "sig")
	for _, m := range k.validity.members {
		n.Set(m.Key, m.Value)
	}
	return n
}

// material returns a JWK with the members that make up the public key: those
// of its thumbprint (RFC 7638 section 3.2, RFC 8037 section 2).
func (k Key) material() *source.Node {
	switch p := k.public.(type) {
	case *ecdsa.PublicKey:
		c := k.alg.curve()
		point, _ := p.Bytes() // 4, X, Y; newKey has seen the curve
		x, y := point[1:1+c.size], point[1+c.size:]
		return source.ObjectOf("kty", "EC", "crv", c.name, "x", encode(x), "y", encode(y))
	case ed25519.PublicKey:
		return source.ObjectOf("kty", "OKP", "crv", "Ed25519", "x", encode(p))
	case *rsa.PublicKey:
		e := big.NewInt(int64(p.E)).Bytes()
		return source.ObjectOf("kty", "RSA", "n", encode(p.N.Bytes()), "e", encode(e))
	}
	return source.ObjectOf()
}

// ParseJWK reads the text of one JSON Web Key (RFC 7517), private or public.
// Errors quote nothing of it.
func ParseJWK(data []byte) (Key, error) {
	n, faults := source.ParseJSON("", data, source.Limits{})
	if faults.Worst() == diag.Error || !n.Is(source.Object) {
		// The findings may quote the file.
		return Key{}, errors.New("the key is not a well-formed JWK")
	}
	if n.Get("keys") != nil {
		return Key{}, ErrKeySet
	}
	return parseJWK(n)
}

// ErrKeySet says that a file holds several keys where one belongs.
var ErrKeySet = errors.New("the file is a key set (JWKS), not one key")

// parseJWK reads one JSON Web Key, private when it has a d.
func parseJWK(n *source.Node) (Key, error) {
	if !n.Is(source.Object) {
		return Key{}, errors.New("a JWK is a JSON object")
	}
	k, err := jwkMaterial(n)
	if err == nil {
		k, err = k.forUse(n)
	}
	if err == nil {
		k.validity, err = parseValidity(n)
	}
	if err != nil {
		return Key{}, err
	}
	if kid := n.Get("kid"); kid != nil {
		if !kid.Is(source.String) || kid.Text == "" {
			return Key{}, errors.New("its kid is not a text")
		}
		k.Kid = kid.Text
	}
	return k, nil
}

// forUse returns the key as a JWK says that it is used, and refuses one that is
// meant for something else.
func (k Key) forUse(n *source.Node) (Key, error) {
	if alg := n.Get("alg"); alg != nil {
		a := Algorithm(alg.Text)
		if !slices.Contains(verifiable(), a) || !k.fits(a) {
			return Key{}, fmt.Errorf("its alg is not %s, the one that such a key is used with", k.alg)
		}
		if k.pinned = true; k.alg.rsa() {
			k.alg = a
		}
	}
	if use := n.Get("use"); use != nil && use.Text != "sig" {
		return Key{}, errors.New("its use is not sig")
	}
	if ops := n.Get("key_ops"); ops != nil {
		k.notSigning, k.notVerifying = !slices.Contains(ops.Words(), "sign"), !slices.Contains(ops.Words(), "verify")
		if k.notSigning && k.notVerifying {
			return Key{}, errors.New("its key_ops have neither sign nor verify")
		}
	}
	return k, nil
}

func jwkMaterial(n *source.Node) (Key, error) {
	switch kty := n.Get("kty"); {
	case !kty.Is(source.String):
		return Key{}, errors.New("it has no kty")
	case kty.Text == "EC":
		return ecKey(n)
	case kty.Text == "OKP":
		return okpKey(n)
	case kty.Text == "RSA":
		return rsaKey(n)
	case kty.Text == "oct":
		return Key{}, errors.New("a symmetric key (oct) cannot sign a card: everyone who verifies could also sign")
	}
	return Key{}, errors.New("its kty must be EC, OKP or RSA")
}

func ecKey(n *source.Node) (Key, error) {
	crv := n.Get("crv")
	i := slices.IndexFunc(curves(), func(c curve) bool { return crv.Is(source.String) && crv.Text == c.name })
	if i < 0 {
		return Key{}, errors.New("its crv must be P-256, P-384 or P-521")
	}
	c := curves()[i]
	x, errX := octets(n, "x", c.size)
	y, errY := octets(n, "y", c.size)
	if err := cmp.Or(errX, errY); err != nil {
		return Key{}, err
	}
	public, err := ecdsa.ParseUncompressedPublicKey(c.Curve, slices.Concat([]byte{4}, x, y))
	if err != nil {
		return Key{}, fmt.Errorf("its x and y are not a point on %s", c.name)
	}
	if n.Get("d") == nil {
		return KeyOf(public, nil)
	}
	d, err := octets(n, "d", c.size)
	if err != nil {
		return Key{}, err
	}
	private, err := ecdsa.ParseRawPrivateKey(c.Curve, d)
	if err != nil || !private.PublicKey.Equal(public) {
		return Key{}, errors.New("its d does not belong to its x and y")
	}
	return KeyOf(public, private)
}

func okpKey(n *source.Node) (Key, error) {
	if crv := n.Get("crv"); !crv.Is(source.String) || crv.Text != "Ed25519" {
		return Key{}, errors.New("its crv is not Ed25519")
	}
	x, err := octets(n, "x", ed25519.PublicKeySize)
	if err != nil {
		return Key{}, err
	}
	public := ed25519.PublicKey(x)
	if n.Get("d") == nil {
		return KeyOf(public, nil)
	}
	d, err := octets(n, "d", ed25519.SeedSize)
	if err != nil {
		return Key{}, err
	}
	private := ed25519.NewKeyFromSeed(d)
	if !public.Equal(private.Public()) {
		return Key{}, errors.New("its d does not belong to its x")
	}
	return KeyOf(public, private)
}

func rsaKey(n *source.Node) (Key, error) {
	var modulus, exponent, d, p, q big.Int
	if err := cmp.Or(integer(n, "n", &modulus), integer(n, "e", &exponent)); err != nil {
		return Key{}, err
	}
	if !exponent.IsInt64() || exponent.Int64() > 1<<31-1 {
		return Key{}, errors.New("its e is too large")
	}
	public := &rsa.PublicKey{N: &modulus, E: int(exponent.Int64())}
	k, err := KeyOf(public, nil)
	if err != nil || n.Get("d") == nil {
		return k, err
	}
	if n.Get("oth") != nil {
		return Key{}, errors.New("an RSA key of more than two primes is not supported")
	}
	if err := cmp.Or(integer(n, "d", &d), integer(n, "p", &p), integer(n, "q", &q)); err != nil {
		return Key{}, err
	}
	private := &rsa.PrivateKey{PublicKey: *public, D: &d, Primes: []*big.Int{&p, &q}}
	if private.Validate() != nil {
		return Key{}, errors.New("its d, p and q do not belong to its n and e")
	}
	private.Precompute()
	return KeyOf(public, private)
}

// octets returns the bytes of a member of fixed size (RFC 7518 section 6.2.1.2).
func octets(n *source.Node, name string, size int) ([]byte, error) {
	b, err := memberBytes(n, name)
	if err == nil && len(b) != size {
		return nil, fmt.Errorf("its %s has %d bytes instead of %d", name, len(b), size)
	}
	return b, err
}

// integer reads a Base64urlUInt member (RFC 7518 section 2) of at most
// maxRSABits. A leading zero byte, which some writers add, does no harm.
func integer(n *source.Node, name string, i *big.Int) error {
	b, err := memberBytes(n, name)
	if err != nil {
		return err
	}
	if i.SetBytes(b).BitLen() > maxRSABits {
		return fmt.Errorf("its %s is longer than %d bits", name, maxRSABits)
	}
	return nil
}

func memberBytes(n *source.Node, name string) ([]byte, error) {
	m := n.Get(name)
	if !m.Is(source.String) || m.Text == "" {
		return nil, fmt.Errorf("it has no %s", name)
	}
	b, err := decode(m.Text)
	if err != nil {
		return nil, fmt.Errorf("its %s %w", name, err)
	}
	return b, nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode reads unpadded base64url (RFC 7515 section 2), in its one canonical
// spelling. The error completes a sentence about the text.
func decode(s string) ([]byte, error) {
	switch {
	case strings.HasSuffix(s, "="):
		return nil, errors.New("is padded; base64url without padding is required")
	case strings.ContainsAny(s, "+/"):
		return nil, errors.New("is plain base64; base64url is required")
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") { // which the decoder skips
		return nil, errors.New("is not base64url")
	}
	return b, nil
}
