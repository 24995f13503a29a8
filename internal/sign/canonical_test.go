package sign

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gowebpki/jcs"

	"cardwright/internal/diag"
	"cardwright/internal/fixture"
	"cardwright/internal/source"
)

// The numbers of RFC 8785 appendix B.
func TestCanonicalNumbers(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		spelling := strconv.FormatFloat(math.Float64frombits(bits), 'e', 17, 64)
		got := string(canonical(&source.Node{Kind: source.Number, Text: spelling}))
		if got != want {
			t.Errorf("%016x, spelled %s: got %s, want %s", bits, spelling, got, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{
			"RFC 8785 section 3.2.2",
			`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
				`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		{
			"RFC 8785 section 3.2.3",
			`{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}`,
			`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`,
		},
		{"escapes", `"\u0000\b\t\n\f\r\u001f\u007f\u2028\u2029\"\\\/<&>"`, `"\u0000\b\t\n\f\r\u001f` + "\u007f\u2028\u2029" +
			`\"\\/<&>"`},
		{"prefixes", `{"ab":1,"a":2,"":3,"aa":4}`, `{"":3,"a":2,"aa":4,"ab":1}`},
		{"empty", `{"a":[],"b":{},"c":""}`, `{"a":[],"b":{},"c":""}`},
		{"numbers", `[-0,1.0,1e2,9007199254740991,-9007199254740991]`, `[0,1,100,9007199254740991,-9007199254740991]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(canonical(parse(t, tt.in)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	text := func(s string) *source.Node { return &source.Node{Kind: source.String, Text: s} }
	nested := func(depth int) *source.Node {
		return parse(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	}
	tests := []struct {
		name string
		in   *source.Node
		want []string
	}{
		{"nothing", nil, []string{"error card-json "}},
		{
			"member twice", &source.Node{
				Kind:    source.Object,
				Members: []source.Member{{Key: "a", Value: text("")}, {Key: "a", Value: text("")}},
			},
			[]string{"error card-duplicate-member /a"},
		},
		{"no value", &source.Node{Kind: source.Object, Members: []source.Member{{Key: "a"}}}, []string{"error card-json /a"}},
		{"text", text("\xed\xa0\x80"), []string{"error card-invalid-utf8 "}},
		{
			"name", &source.Node{Kind: source.Object, Members: []source.Member{{Key: "\xff", Value: text("")}}},
			[]string{"error card-invalid-utf8 /\xff"},
		},
		{"2^53", parse(t, `{"a/b":[9007199254740992]}`), []string{"error signature-number /a~1b/0"}},
		{"-2^53", parse(t, `[-9007199254740992, 1e400]`), []string{"error signature-number /0", "error signature-number /1"}},
		{"beyond, as a power", parse(t, `[1e16, 999999999999999900000.0]`), []string{
			"error signature-number /0", "error signature-number /1",
		}},
		{"beyond, in digits", parse(t, `[1000000000000000000000]`), []string{"error signature-number /0"}},
		{"powers that are spelled alike", parse(t, `[1e21, 1.5E300, -1.5e+300, 1000000000000000000000.0]`), nil},
		{"hexadecimal", &source.Node{Kind: source.Number, Text: "0x1F"}, []string{"error signature-number "}},
		{"not a number", &source.Node{Kind: source.Number, Text: "NaN"}, []string{"error signature-number "}},
		{"nesting", nested(100), []string{"error signature-nesting " + strings.Repeat("/0", 99)}},
		{"nesting below the bound", nested(99), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, list := Canonical(tt.in)
			if diff := cmp.Diff(tt.want, rules(list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (data == nil) != (tt.want != nil) {
				t.Errorf("got the form %q beside %d findings", data, len(list))
			}
		})
	}
}

// The canonical form is a fixed point, and another implementation's.
func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"b":[1.50,-0,1e-7,"\ud83d\ude00\u000f"],"a":null,"\ufb33":{},"😀":true}`))
	f.Add([]byte(fullCard(f)))
	for _, card := range fixture.Files(f, "golden/*/**/agent-card.json") {
		f.Add(card)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, faults := source.ParseJSON("", data, source.Limits{})
		if faults.Worst() == diag.Error {
			return
		}
		once, list := Canonical(n)
		if len(list) > 0 {
			return
		}
		again, list := Canonical(parse(t, string(once)))
		if len(list) > 0 || string(once) != string(again) {
			t.Fatalf("%q becomes %q, findings %v", once, again, list)
		}
		if other, err := jcs.Transform(data); err != nil || string(other) != string(once) {
			t.Fatalf("%q becomes %q, another implementation says %q, %v", data, once, other, err)
		}
	})
}
