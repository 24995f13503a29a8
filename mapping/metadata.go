package mapping

import (
	"slices"
	"strings"
	"unicode"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// ownKeys returns the keys that cardwright reads below metadata, each as
// a2a-KEY or as KEY of a map called a2a.
func ownKeys() []string {
	return []string{
		"id", "name", "description", "tags", "examples", "input-modes", "output-modes", "visibility",
		"lint-ignore",
	}
}

// readMetadata finds the metadata and what in it is meant for A2A.
func (s *skillMD) readMetadata() {
	s.own = map[string]*source.Node{}
	s.metadata = s.object("metadata", s.header.Get("metadata"))
	s.readOwn(s.metadata)
	if s.header.Is(source.Object) {
		s.readStray()
	}
}

// object returns n if it is an Object, or the text of one in JSON. Anything
// else that is there is reported, for nobody will read it.
func (s *skillMD) object(name string, n *source.Node) *source.Node {
	if n == nil || n.Kind == source.Null || n.Kind == source.Object {
		if n.Is(source.Object) {
			return n
		}
		return nil
	}
	if o := parseJSON(n); o.Is(source.Object) {
		return o
	}
	if n.Kind == source.Array || text(n) != "" {
		s.report("source-metadata", n, name+" is not a map and is not read", "write one key and value per line below it")
	}
	return nil
}

// readOwn reads the a2a-* members of metadata, and those of its map a2a.
func (s *skillMD) readOwn(metadata *source.Node) {
	if metadata == nil {
		return
	}
	for _, m := range metadata.Members {
		if key, ok := ownKey(m.Key); ok {
			s.keep(key, m)
		}
	}
	nested := metadata.Get("a2a") // what is no map says how visible the skill is
	if o := parseJSON(nested); o != nil {
		nested = o
	}
	if !nested.Is(source.Object) {
		return
	}
	for _, m := range nested.Members {
		s.keep(kebab(m.Key), m)
	}
}

// readStray reads a2a-* members at the top level. They do not belong there,
// but what is meant to be hidden must not be published over that.
func (s *skillMD) readStray() {
	for _, m := range s.header.Members {
		key, ok := ownKey(m.Key)
		if !ok {
			continue
		}
		s.report("source-key-place", &source.Node{Span: m.KeySpan},
			diag.Quote(m.Key)+" is at the top level", "move it below metadata")
		s.keep(key, m)
	}
}

// keep stores a member for A2A unless it is empty or an earlier one has its key.
func (s *skillMD) keep(key string, m source.Member) {
	if meansVisibility(Plain(key), own) {
		return // which is looked for everywhere
	}
	if !slices.Contains(ownKeys(), key) {
		hint := diag.Hint(key, ownKeys(), "known: "+strings.Join(ownKeys(), ", "))
		s.report("source-key-unknown", &source.Node{Span: m.KeySpan}, "unknown key "+diag.Quote(m.Key)+" for A2A", hint)
		return
	}
	if s.own[key] == nil && len(entries(m.Value, splitLines)) > 0 {
		s.own[key] = m.Value
	}
}

// ownKey reports whether a key is one for A2A, such as a2a-tags, and returns it
// without the prefix.
func ownKey(key string) (string, bool) {
	key = strings.TrimSpace(key) // a no-break space indents it
	for _, prefix := range []string{"a2a-", "a2a_", "a2a."} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return kebab(rest), true
		}
	}
	return "", false
}

// kebab spells inputModes and input_modes as input-modes.
func kebab(key string) string {
	var b strings.Builder
	for i, r := range key {
		switch {
		case r == '_':
			b.WriteByte('-')
		case unicode.IsUpper(r) && i > 0:
			b.WriteByte('-')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
