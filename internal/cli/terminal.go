package cli

import "os"

// colorModes are how color is chosen: for terminals, for every stream or for none.
func colorModes() []string { return []string{"auto", "always", "never"} }

// stream is a stream that may be a terminal, and the environment that it is used in.
type stream struct {
	To     any
	Getenv func(name string) (string, bool)
}

// isTerminal reports whether the stream is a terminal that moves its cursor.
func (s stream) isTerminal() bool {
	f, ok := s.To.(*os.File)
	if term, _ := s.Getenv("TERM"); !ok || term == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// colored reports whether the stream gets color, in one of the [colorModes].
func (s stream) colored(mode string) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	none, _ := s.Getenv("NO_COLOR")
	return none == "" && s.isTerminal()
}
