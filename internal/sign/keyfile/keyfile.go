// Package keyfile reads and writes the files in which people keep keys. It stands
// apart from sign because crypto/x509, which knows those formats, brings the
// whole network stack with it, and what generates cards has none.
package keyfile

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/sign"
	"cardwright/schema"
)

// maxKey bounds the size of a key file, in bytes.
const maxKey = 64 << 10

// Parse reads one private or public key: PEM (PKCS#8, SEC 1, PKCS#1, PKIX),
// or a JWK (RFC 7517), also on one line or as base64.
// Errors say what the file is and what it should be, and quote nothing of it.
func Parse(data []byte) (sign.Key, error) {
	data = bytes.TrimSpace(data)
	if len(data) > maxKey {
		return sign.Key{}, fmt.Errorf("the key is larger than %d KiB", maxKey>>10)
	}
	switch data = unwrap(data); {
	case len(data) == 0:
		return sign.Key{}, errors.New("the key is empty")
	case bytes.HasPrefix(data, []byte("ssh-")), bytes.HasPrefix(data, []byte("ecdsa-sha2-")):
		return sign.Key{}, errOpenSSH
	case data[0] == '{':
		return sign.ParseJWK(data)
	case bytes.Contains(data, []byte("-----BEGIN ")):
		return parsePEM(data)
	}
	return sign.Key{}, errors.New("the key is neither PEM nor a JWK")
}

var errOpenSSH = errors.New("the key is in the format of OpenSSH, which is not read; " +
	"make a key with \"cardwright key new\", or convert RSA and ECDSA keys with \"ssh-keygen -p -m PEM\"")

func parsePEM(data []byte) (sign.Key, error) {
	var found *pem.Block
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "EC PARAMETERS" { // openssl writes them ahead of a key that repeats them
			continue
		}
		if found != nil {
			return sign.Key{}, errors.New("the PEM file holds more than one block; keep one key per file")
		}
		found = block
	}
	if found == nil {
		return sign.Key{}, errors.New("the PEM file is damaged: it has no complete block")
	}
	if found.Type == "OPENSSH PRIVATE KEY" {
		return sign.Key{}, errOpenSSH
	}
	if found.Type == "ENCRYPTED PRIVATE KEY" || found.Headers["DEK-Info"] != "" {
		return sign.Key{}, errors.New("the private key is encrypted with a passphrase; " +
			"decrypt it with \"openssl pkcs8 -topk8 -nocrypt\" and keep it in a secret store")
	}
	public, signer, err := parseDER(found.Type, found.Bytes)
	if err != nil {
		return sign.Key{}, err
	}
	return sign.KeyOf(public, signer)
}

// parseDER reads the content of a PEM block. The errors of crypto/x509 name
// other functions of it, so ours take their place.
func parseDER(kind string, der []byte) (crypto.PublicKey, crypto.Signer, error) {
	var key any
	var err error
	switch kind {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(der)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(der)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(der)
	case "PUBLIC KEY":
		key, err = x509.ParsePKIXPublicKey(der)
	case "RSA PUBLIC KEY":
		key, err = x509.ParsePKCS1PublicKey(der)
	case "CERTIFICATE":
		return nil, nil, errors.New("the file is a certificate; extract its key with \"openssl x509 -pubkey -noout\"")
	default:
		return nil, nil, errors.New(
			"the PEM file holds no key; PRIVATE KEY, EC PRIVATE KEY, RSA PRIVATE KEY and PUBLIC KEY are read")
	}
	if err != nil {
		return nil, nil, errors.New("the PEM file is damaged, or its key is of a kind that cannot sign a card")
	}
	switch key := key.(type) {
	case *ecdsa.PrivateKey:
		return key.Public(), key, nil
	case *rsa.PrivateKey:
		return key.Public(), key, nil
	case ed25519.PrivateKey:
		return key.Public(), key, nil
	default:
		return key, nil, nil
	}
}

// JWK returns a private key as a JSON Web Key (RFC 7518 section 6), or an error
// when it has no private half.
func JWK(k sign.Key) ([]byte, error) {
	n := k.JWK()
	set := func(name string, value []byte) { n.SetText(name, base64.RawURLEncoding.EncodeToString(value)) }
	switch s := k.Signer().(type) {
	case *ecdsa.PrivateKey:
		d, err := s.Bytes()
		if err != nil {
			return nil, fmt.Errorf("encoding the key %s: %w", diag.Quote(k.Name()), err)
		}
		set("d", d)
	case ed25519.PrivateKey:
		set("d", s.Seed())
	case *rsa.PrivateKey:
		s.Precompute()
		set("d", s.D.Bytes())
		set("p", s.Primes[0].Bytes())
		set("q", s.Primes[1].Bytes())
		set("dp", s.Precomputed.Dp.Bytes())
		set("dq", s.Precomputed.Dq.Bytes())
		set("qi", s.Precomputed.Qinv.Bytes())
	default:
		return nil, errors.New("the key has no private half")
	}
	return schema.Write(n), nil
}

// PEM returns a private key in PKCS#8, or an error when it has no private half.
func PEM(k sign.Key) ([]byte, error) {
	if !k.CanSign() {
		return nil, errors.New("the key has no private half")
	}
	der, err := x509.MarshalPKCS8PrivateKey(k.Signer())
	if err != nil {
		return nil, fmt.Errorf("encoding the key %s: %w", diag.Quote(k.Name()), err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}
