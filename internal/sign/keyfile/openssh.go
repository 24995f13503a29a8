package keyfile

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math/big"
	"strings"

	"cardwright/internal/sign"
)

var errOpenSSH = errors.New("the OpenSSH key is damaged, or of a kind that cannot sign a card; " +
	"ssh-ed25519, ecdsa-sha2-nistp… and ssh-rsa are read")

// parseOpenSSH reads the content of an OPENSSH PRIVATE KEY (PROTOCOL.key of
// OpenSSH). No other tool turns one of Ed25519 into PKCS#8.
func parseOpenSSH(data []byte) (crypto.PublicKey, crypto.Signer, error) {
	rest, ok := bytes.CutPrefix(data, []byte("openssh-key-v1\x00"))
	if !ok {
		return nil, nil, errOpenSSH
	}
	w := wire{rest: rest}
	cipher := string(w.text())
	w.text() // the name of the KDF
	w.text() // its options
	keys := w.number()
	w.text() // the public half
	private := wire{rest: w.text()}
	check, again := private.number(), private.number() // which differ after decrypting with the wrong passphrase
	switch {
	case w.bad || keys != 1:
		return nil, nil, errOpenSSH
	case cipher != "none":
		return nil, nil, errors.New("the private key is encrypted with a passphrase; " +
			`decrypt a copy with "ssh-keygen -p -N ''" and keep it in a secret store`)
	case check != again:
		return nil, nil, errOpenSSH
	}
	signer, err := private.signer()
	if err != nil || private.bad {
		return nil, nil, errOpenSSH
	}
	return signer.Public(), signer, nil
}

// parseAuthorized reads a public key as OpenSSH keeps it in one line: its kind,
// base64, and a comment (RFC 4253 section 6.6).
func parseAuthorized(line []byte) (sign.Key, error) {
	fields := strings.Fields(string(line))
	data, err := base64.StdEncoding.DecodeString(fields[min(1, len(fields)-1)])
	if err != nil {
		return sign.Key{}, errOpenSSH
	}
	w := wire{rest: data}
	public, err := w.public(string(w.text()))
	if err != nil || w.bad {
		return sign.Key{}, errOpenSSH
	}
	return sign.KeyOf(public, nil)
}

// isAuthorized tells whether a text is a public key of OpenSSH.
func isAuthorized(data []byte) bool {
	kind, _, _ := strings.Cut(string(data[:min(len(data), 64)]), " ")
	return strings.HasPrefix(kind, "ssh-") || strings.HasPrefix(kind, "ecdsa-sha2-") || strings.HasPrefix(kind, "sk-")
}

// wire reads the fields of RFC 4251 section 5.
type wire struct {
	rest []byte
	bad  bool // there was less than a field
}

func (w *wire) number() uint32 {
	if len(w.rest) < 4 {
		w.bad = true
		return 0
	}
	n := binary.BigEndian.Uint32(w.rest)
	w.rest = w.rest[4:]
	return n
}

func (w *wire) text() []byte {
	n := w.number()
	if uint64(n) > uint64(len(w.rest)) {
		w.bad = true
		return nil
	}
	text := w.rest[:n]
	w.rest = w.rest[n:]
	return text
}

func (w *wire) integer() *big.Int { return new(big.Int).SetBytes(w.text()) }

// public reads the fields of a public key of a kind.
func (w *wire) public(kind string) (crypto.PublicKey, error) {
	switch kind {
	case "ssh-ed25519":
		if key := w.text(); len(key) == ed25519.PublicKeySize {
			return ed25519.PublicKey(key), nil
		}
	case "ssh-rsa":
		e, n := w.integer(), w.integer()
		if e.IsInt64() && e.Int64() < 1<<31 {
			return &rsa.PublicKey{N: n, E: int(e.Int64())}, nil
		}
	default:
		if curve := curveOf(kind); curve != nil {
			w.text()                                                 // its name
			return ecdsa.ParseUncompressedPublicKey(curve, w.text()) //nolint:wrapcheck // replaced by the caller
		}
	}
	return nil, errOpenSSH
}

// signer reads a private key with its kind.
func (w *wire) signer() (crypto.Signer, error) {
	kind := string(w.text())
	switch kind {
	case "ssh-ed25519":
		public, private := w.text(), w.text()
		if len(private) == ed25519.PrivateKeySize {
			if key := ed25519.NewKeyFromSeed(private[:ed25519.SeedSize]); bytes.Equal(key[ed25519.SeedSize:], public) {
				return key, nil
			}
		}
	case "ssh-rsa":
		n, e, d := w.integer(), w.integer(), w.integer()
		w.integer() // the inverse of q, which Precompute finds
		p, q := w.integer(), w.integer()
		if !e.IsInt64() || e.Int64() >= 1<<31 {
			return nil, errOpenSSH
		}
		key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: n, E: int(e.Int64())}, D: d, Primes: []*big.Int{p, q}}
		if _, err := sign.KeyOf(&key.PublicKey, nil); err != nil || d.BitLen() > n.BitLen() ||
			p.BitLen()+q.BitLen() > n.BitLen()+1 {
			return nil, errOpenSSH
		}
		if key.Validate() == nil {
			key.Precompute()
			return key, nil
		}
	default:
		if curve := curveOf(kind); curve != nil {
			w.text() // its name
			point, d := w.text(), w.integer()
			size := (curve.Params().BitSize + 7) / 8
			if d.BitLen() > 8*size {
				return nil, errOpenSSH
			}
			key, err := ecdsa.ParseRawPrivateKey(curve, d.FillBytes(make([]byte, size)))
			if err != nil {
				return nil, errOpenSSH
			}
			if public, err := key.PublicKey.Bytes(); err == nil && bytes.Equal(public, point) {
				return key, nil
			}
		}
	}
	return nil, errOpenSSH
}

func curveOf(kind string) elliptic.Curve {
	switch kind {
	case "ecdsa-sha2-nistp256":
		return elliptic.P256()
	case "ecdsa-sha2-nistp384":
		return elliptic.P384()
	case "ecdsa-sha2-nistp521":
		return elliptic.P521()
	}
	return nil
}
