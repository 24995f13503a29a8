package jsonschema

// FormatNames are the formats that a document may ask for, sorted.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}
