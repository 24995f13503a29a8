package secret

// Kinds returns what is found by a prefix or a sign, as messages call it.
func Kinds() (list []string) {
	for _, table := range []string{tokens, patterns} {
		for row := range rowsOf(table) {
			list = append(list, row[0])
		}
	}
	return list
}
