package lint

import "testing"

// Looking for the first words of sensitive sentences leaves out none of them.
func FuzzSensitive(f *testing.F) {
	for _, s := range []string{
		"Deploys to production.", "Reads; and DELETES the users table", "rolls  out prod",
		"Shows acce\u017f\u017f tokens, return\u017f secrets", "Explains. ſends money", "and opens a shell on live systems",
		"Rotates_secrets", "Reads \u017fecrets", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := sensitive().FindString(s), sensitive().whole.FindString(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	})
}
