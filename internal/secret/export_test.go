package secret

// Kinds returns what is found by a prefix or a sign, as messages call it.
func Kinds() (list []string) {
	for t := range tokenRows {
		list = append(list, t.what)
	}
	for _, s := range shapes {
		list = append(list, s.what)
	}
	for _, l := range logins {
		list = append(list, l.what)
	}
	return list
}
