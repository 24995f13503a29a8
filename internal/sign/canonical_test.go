package sign_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	"cardwright/internal/sign"
	"cardwright/internal/source"
)

// The numbers of RFC 8785 appendix B that verifiers agree on.
func TestCanonicalNumbers(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		spelling := strconv.FormatFloat(math.Float64frombits(bits), 'e', 17, 64)
		if got, found := sign.Canonical(&source.Node{Kind: source.Number, Text: spelling}); string(got) != want {
			t.Errorf("%016x, spelled %s: got %s, %v, want %s", bits, spelling, got, found, want)
		}
	}
}

// The examples of RFC 8785 section 3.2.
func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		`{
  "numbers": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`: `{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],` +
			`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`: `{"\r":2,"1":4,"` + "\u0080" +
			`":6,"ö":7,"€":1,"😀":5,"` + "\ufb33" + `":3}`,
		`{"a":[],"b":{},"c":"\u2028<&>"}`: `{"a":[],"b":{},"c":"` + "\u2028" + `<&>"}`,
	} {
		if got, found := sign.Canonical(parse(t, in)); string(got) != want {
			t.Errorf("got %s, %v\nwant %s", got, found, want)
		}
	}
}

// Integers are exact up to 2^53−1.
func TestCanonicalIntegers(t *testing.T) {
	for number, good := range map[string]bool{
		"9007199254740991": true, "-9007199254740991": true, "9007199254740993": false, "-9007199254740993": false,
	} {
		if _, found := sign.Canonical(parse(t, `{"n": [`+number+`]}`)); (found == nil) != good ||
			!good && found[0].Pointer != "/n/0" {
			t.Errorf("%s: %v", number, found)
		}
	}
}

// What verifiers are known to read differently, by its place.
func TestHazards(t *testing.T) {
	for _, tt := range []struct{ edit, want string }{
		{``, `[]`},
		{`"x": 1`, `[warning /x]`},
		{`"documentationUrl": ""`, `[warning /documentationUrl]`},
		{`"iconUrl": null`, `[warning /iconUrl]`},
		{`"iconUrl": 7`, `[warning /iconUrl]`},
		{`"securityRequirements": []`, `[warning /securityRequirements]`},
		{`"securityRequirements": [{"schemes": {"key": {}}}]`, `[warning /securityRequirements/0/schemes/key]`},
		{
			`"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "k", "description": ""}}}`,
			`[info /securitySchemes warning /securitySchemes/key/apiKeySecurityScheme/description]`,
		},
		{
			`"capabilities": {"extensions": [{"uri": "https://a.example", "required": false, ` +
				`"params": {"a": [{"b": null}], "c": false}}]}`,
			`[warning /capabilities/extensions/0/params/a/0/b warning /capabilities/extensions/0/required]`,
		},
		{`"capabilities": {"streaming": false}`, `[info /capabilities/streaming]`},
		{`"name": "é"`, `[info ]`},
		{`"url": "https://a.example"`, `[warning ]`},
	} {
		card := fullCard(t)
		for _, name := range []string{"securitySchemes", "securityRequirements", "signatures"} {
			card = card.Without(name)
		}
		plain := parse(t, `{"name": "Billing", "description": "Bills.", "capabilities": {"streaming": true},
			"skills": [{"id": "a", "name": "A", "description": "Does a.", "tags": ["a"]}]}`)
		for _, m := range append(plain.Members, parse(t, `{`+tt.edit+`}`).Members...) {
			card = card.Without(m.Key)
			card.Set(m.Key, m.Value)
		}
		var got []string
		found := sign.Hazards(card)
		for _, d := range found {
			got = append(got, fmt.Sprintf("%s %s", d.Severity, d.Pointer))
		}
		slices.Sort(got)
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: got %v, want %s", tt.edit, found, tt.want)
		}
	}
}
