package lint

import (
	"strings"
	"unicode/utf8"

	"cardwright/internal/diag"
	"cardwright/internal/secret"
	"cardwright/internal/source"
)

// File checks the content of a file that is published unchanged: merge conflicts,
// credentials, and characters that its readers cannot see. Files that are not text in
// UTF-8 are not searched.
func File(name string, data []byte) diag.List {
	text := strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return nil
	}
	found := source.Conflict(name, data)
	line := func(offset int) diag.Span {
		return diag.Span{File: name, Line: 1 + strings.Count(text[:offset], "\n"), Column: 1}
	}
	if m, ok := secret.Find(text); ok {
		found = append(found, diag.New(diag.SecretValue, line(m.Start), "the file holds %s", m.Describe(text)).
			WithHint("remove it and revoke it: what is published is public, and so is the history of its file"))
	}
	if at, length := firstHidden(text); at >= 0 {
		r, _ := utf8.DecodeRuneInString(text[at : at+length])
		found = append(found, diag.New(diag.TextInvisible, line(at),
			"the file has invisible characters that language models read: %s", nameHidden([]rune{r})).WithHint("delete them"))
	}
	return found
}

// Path checks the path of a file that is published, as [File] its content.
func Path(name, published string) diag.List {
	if m, ok := secret.Find(published); ok {
		return diag.List{
			diag.New(diag.SecretValue, diag.Span{File: name}, "the name of the file holds %s", m.Describe(published)).
				WithHint("rename it and revoke what its name holds: the name is published with the file"),
		}
	}
	return nil
}
