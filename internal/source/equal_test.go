package source

import "testing"

func TestEqual(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"the same", `{"a": [1, "x", true, null]}`, `{"a":[1,"x",true,null]}`, true},
		{"other order of members", `{"a": 1, "b": {"c": 2, "d": 3}}`, `{"b": {"d": 3, "c": 2}, "a": 1}`, true},
		{"other order of items", `[1, 2]`, `[2, 1]`, false},
		{"fewer items", `[1, 2]`, `[1]`, false},
		{"more members", `{"a": 1}`, `{"a": 1, "b": 2}`, false},
		{"other member", `{"a": 1}`, `{"b": 1}`, false},
		{"a text and a number", `"1"`, `1`, false},
		{"null and empty", `null`, `{}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, _ := ParseJSON("a", []byte(tt.a))
			b, _ := ParseJSON("b", []byte(tt.b))
			if got := a.Equal(b); got != tt.want {
				t.Errorf("a equals b: %t, want %t", got, tt.want)
			}
			if got := b.Equal(a); got != tt.want {
				t.Errorf("b equals a: %t, want %t", got, tt.want)
			}
		})
	}
	var none *Node
	if !none.Equal(nil) || none.Equal(NewText("")) || NewText("").Equal(nil) {
		t.Error("no value equals a value, or not itself")
	}
}
