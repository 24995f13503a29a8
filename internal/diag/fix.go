package diag

// Fix is what repairs one fault: edits that belong together.
type Fix []Edit

// Edit is the replacement of what stands at a span.
type Edit struct {
	Span Span
	Text string
	// Member tells that the span is that of a whole member or item of JSON. Without a
	// text, its comma goes with it; a text is put behind it as another one.
	Member bool
}
