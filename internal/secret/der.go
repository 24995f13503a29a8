package secret

import (
	"bytes"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"slices"
	"strings"

	"cardwright/internal/parallel"
)

// InBinary reports whether a file holds a private key that the parts of it which are
// text do not show: in the DER of PKCS #1, PKCS #8 or SEC 1, wherever it begins, in a
// store of PKCS #12 or Java, or in a packet of OpenPGP.
func InBinary(file []byte) bool {
	return len(derNumbers(file)) > 0 || isPKCS12(file) || isJKS(file) || isOpenPGP(file)
}

// isPKCS12 reports whether a file is a PFX of RFC 7292: version 3, and data of PKCS #7.
func isPKCS12(file []byte) bool {
	tag, pfx, _ := element(file)
	first, version, rest := element(pfx)
	second, content, _ := element(rest)
	third, kind, _ := element(content)
	pkcs7 := []byte("\x2a\x86\x48\x86\xf7\x0d\x01\x07")
	return tag == derSequence && first == derInteger && bytes.Equal(version, []byte{3}) && second == derSequence &&
		third == derObject && bytes.HasPrefix(kind, pkcs7)
}

// isJKS reports whether a file is a key store of Java whose first entry is a private key.
func isJKS(file []byte) bool {
	const entry = 12 // bytes before it: the sign, a version, the number of entries
	return len(file) > entry+4 && bytes.Equal(file[entry:entry+4], []byte{0, 0, 0, 1}) &&
		(bytes.HasPrefix(file, []byte("\xfe\xed\xfe\xed")) || bytes.HasPrefix(file, []byte("\xce\xce\xce\xce")))
}

// isOpenPGP reports whether a file begins with the packet of a secret key or subkey
// (RFC 9580 section 4.2), which has a version, a time and an algorithm.
func isOpenPGP(file []byte) bool {
	const whole = 32 // bytes of the shortest that is looked at
	if len(file) < whole {
		return false
	}
	tag, length := file[0]&0x3F, 1 // of the new form
	switch {
	case file[0]&0xC0 == 0x80:
		tag, length = file[0]&0x3F>>2, 1<<(file[0]&3)
	case file[1] == 0xFF:
		length = 5
	case file[1] >= 0xC0:
		length = 2
	}
	version, algorithm := file[1+length], file[1+length+5]
	return file[0]&0x80 != 0 && (tag == 5 || tag == 7) && 3 <= version && version <= 6 &&
		slices.Contains([]byte{1, 2, 3, 16, 17, 18, 19, 22, 25, 26, 27, 28}, algorithm)
}

// Tags of ASN.1.
const (
	derInteger  = 0x02
	derOctets   = 0x04
	derObject   = 0x06
	derSequence = 0x30
)

// shortNumber is the least length of a secret number, in bytes.
const shortNumber = 16

// derNumbers returns the secret numbers of the first private key in DER.
func derNumbers(file []byte) [][]byte {
	for at := 0; ; at++ {
		next := bytes.IndexByte(file[at:], derSequence)
		if next < 0 {
			return nil
		}
		at += next
		if numbers := keyNumbers(file[at:], false); numbers != nil {
			return numbers
		}
	}
}

// keyNumbers returns the secret numbers of the private key that data begins with, or
// of the one in PKCS #8, which holds no other.
func keyNumbers(data []byte, inside bool) [][]byte {
	tag, key, _ := element(data)
	first, version, rest := element(key)
	if tag != derSequence || first != derInteger || len(version) != 1 || version[0] > 1 {
		return nil
	}
	second, value, rest := element(rest)
	switch {
	case second == derOctets: // SEC 1
		if version[0] == 1 && len(value) >= shortNumber && (len(rest) == 0 || rest[0] == 0xA0 || rest[0] == 0xA1) {
			return [][]byte{value}
		}
	case second == derInteger:
		return rsaNumbers(rest)
	case second == derSequence && !inside: // PKCS #8: what the key is for, and the key
		kind, _, _ := element(value)
		third, inner, _ := element(rest)
		if kind != derObject || third != derOctets {
			return nil
		}
		if tag, seed, _ := element(inner); tag == derOctets && len(seed) >= shortNumber { // RFC 8410
			return [][]byte{seed}
		}
		return keyNumbers(inner, true)
	}
	return nil
}

// rsaNumbers returns the numbers of PKCS #1 behind the modulus and the public
// exponent, if all of them are there.
func rsaNumbers(rest []byte) (numbers [][]byte) {
	tag, _, rest := element(rest)
	for tag == derInteger && len(numbers) < 6 {
		var number []byte
		if tag, number, rest = element(rest); tag != derInteger || len(number) < shortNumber {
			return nil
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// element returns the first element of DER, and what is behind it. Its tag is 0 where
// there is none in full.
func element(data []byte) (tag byte, value, rest []byte) {
	var e asn1.RawValue
	rest, err := asn1.Unmarshal(data, &e)
	if err != nil {
		return 0, nil, nil
	}
	return data[0], e.Bytes, rest
}

// Keys are private keys that must not go out, in whatever form.
type Keys struct {
	files   [][]byte
	numbers [][]byte
}

// jwkPart matches the secret numbers in a JSON Web Key.
var jwkPart = parallel.Regexp(`"(?:d|p|q|dp|dq|qi)"\s*:\s*"([\w-]{22,})"`)

// Add adds the file of a private key: PEM, DER or JSON Web Keys.
func (k *Keys) Add(file []byte) {
	if len(file) == 0 {
		return
	}
	k.files = append(k.files, file)
	numbers := derNumbers(file)
	for rest := file; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		numbers = append(numbers, derNumbers(block.Bytes)...)
	}
	for _, m := range jwkPart().FindAllSubmatch(file, -1) {
		if number, err := base64.RawURLEncoding.DecodeString(string(m[1])); err == nil {
			numbers = append(numbers, number)
		}
	}
	for _, n := range numbers {
		if n = bytes.TrimLeft(n, "\x00"); len(n) >= shortNumber {
			k.numbers = append(k.numbers, n)
		}
	}
}

// joined leaves out of a text what may stand between the digits of a number, and
// writes base64url as base64.
var joined = strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "", ":", "", "-", "+", "_", "/")

// In reports whether a file is one of the keys or holds a secret number of one: its
// bytes, or these in hexadecimal or base64, over the ends of lines.
func (k *Keys) In(file []byte) bool {
	if slices.ContainsFunc(k.files, func(key []byte) bool { return bytes.Equal(key, file) }) {
		return true
	}
	if len(k.numbers) == 0 {
		return false
	}
	texts, _ := Texts(file)
	text := joined.Replace(strings.Join(texts, "\n"))
	lower := strings.ToLower(text)
	return slices.ContainsFunc(k.numbers, func(n []byte) bool {
		return bytes.Contains(file, n) || strings.Contains(lower, hex.EncodeToString(n)) ||
			strings.Contains(text, base64.RawStdEncoding.EncodeToString(n))
	})
}
