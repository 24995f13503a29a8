package mapping

// keyForm is how the header of a skill says something for A2A.
type keyForm int

const (
	flatKeys   keyForm = iota // metadata: {a2a-KEY: VALUE}, as Agent Skills wants
	nestedKeys                // metadata: {a2a: {KEY: VALUE}}
	noKeys                    // not at all
)

// HeaderKey names a key for A2A in the header of a skill of a source type, "" where its own
// reader accepts none.
func HeaderKey(t SourceType, key, value string) string {
	if f := FormatOf(Source{Type: t}).keys; f != flatKeys {
		return f.write(key, value)
	}
	return "metadata.a2a-" + key
}

// write returns the YAML that gives a key a value.
func (f keyForm) write(key, value string) string {
	switch f {
	case nestedKeys:
		return "metadata: {a2a: {" + key + ": " + value + "}}"
	case noKeys:
		return ""
	}
	return "metadata: {a2a-" + key + ": " + value + "}"
}

// hideHint says how to hide a skill so that its own reader still accepts the file.
func (f keyForm) hideHint() string {
	if f == noKeys {
		return "delete the key, and name the skill in skills.exclude or skills.extended"
	}
	return "write " + f.write("visibility", "hidden") + ", or extended, or public"
}

// moveHint says where a key at the top level of a header belongs.
func (f keyForm) moveHint(key, value string) string {
	if f == nestedKeys {
		return "write " + f.write(key, value)
	}
	return "move it below metadata"
}
