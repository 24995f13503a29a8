package secret

// Kinds returns what is found by a prefix or a sign, as messages call it.
func Kinds() (list []string) {
	for _, table := range []string{tokens, patterns} {
		for _, k := range kindsOf(table, "", "") {
			list = append(list, k.what)
		}
	}
	return list
}
