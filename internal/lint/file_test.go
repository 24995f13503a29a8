package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/lint"
)

func TestFile(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	for text, want := range map[string]string{
		strings.Repeat("All is well.\r\n\n", 3000): "",
		"one\ntwo " + token + "\n":                 "secret-value f:2:1",
		"\ufeffone\ntwo " + token:                  "secret-value f:2:1",
		"one\na\u200bb\n" + token:                  "secret-value f:3:1, text-invisible f:2:1",
		"a\x00b " + token:                          "",
		"\xff" + token:                             "",
	} {
		if got := places(lint.File("f", []byte(text))); got != want {
			t.Errorf("%.20q: got %s, want %s", text, got, want)
		}
	}
	if got := places(lint.Path("f", "a/"+token)); got != "secret-value f" {
		t.Errorf("a path: %s", got)
	}
}

func places(found diag.List) string {
	var all []string
	for _, d := range found {
		all = append(all, fmt.Sprintf("%s %s", d.Rule, d.Span))
	}
	return strings.Join(all, ", ")
}
