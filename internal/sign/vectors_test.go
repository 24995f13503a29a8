package sign

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/hex"
	"math/big"
	"testing"
)

// RFC 6979 appendix A.2.5: P-256 with SHA-256.
func TestDeterministicECDSA(t *testing.T) {
	d, _ := new(big.Int).SetString("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721", 16)
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), d.FillBytes(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := KeyOf(private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"sample": "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716" +
			"f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8",
		"test": "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367" +
			"019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083",
	} {
		got, err := k.sign([]byte(message))
		if err != nil || hex.EncodeToString(got) != want {
			t.Errorf("%s: got %x, %v, want %s", message, got, err, want)
		}
	}
}

const (
	rfc7515Key = `{"kty":"EC","crv":"P-256",
 "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
 "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
 "d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}`
	rfc8037Key = `{"kty":"OKP","crv":"Ed25519",
 "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
 "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`
	rfc7638Key = `{"kty":"RSA",
 "n":"` +
		`0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWK` +
		`RXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMic` +
		`AtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3` +
		`XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
 "e":"AQAB","alg":"RS256","kid":"2011-04-29"}`
)

// The signatures of RFC 7515 appendix A.3 and RFC 8037 appendix A.4.
func TestSignatureVectors(t *testing.T) {
	tests := []struct {
		name, key, input, signature string
		deterministic               bool
	}{
		{
			name: "RFC 7515 A.3", key: rfc7515Key,
			input: "eyJhbGciOiJFUzI1NiJ9." +
				"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
			signature: "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
		},
		{
			name: "RFC 8037 A.4", key: rfc8037Key,
			input:         "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
			signature:     "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
			deterministic: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k, err := ParseJWK([]byte(tt.key))
			if err != nil {
				t.Fatal(err)
			}
			signature, err := decode(tt.signature)
			if err != nil {
				t.Fatal(err)
			}
			if !k.verify(k.alg, k.alg.digest([]byte(tt.input)), signature) {
				t.Error("the signature does not verify")
			}
			if k.verify(k.alg, k.alg.digest([]byte(tt.input+"x")), signature) {
				t.Error("the signature verifies over something else")
			}
			if got, err := k.sign([]byte(tt.input)); tt.deterministic && (err != nil || encode(got) != tt.signature) {
				t.Errorf("signing gives %s, %v", encode(got), err)
			}
		})
	}
}

// RFC 7638 section 3.1 and RFC 8037 appendix A.3.
func TestThumbprint(t *testing.T) {
	for text, want := range map[string]string{
		rfc7638Key: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
		rfc8037Key: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
	} {
		k, err := ParseJWK([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Thumbprint(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
