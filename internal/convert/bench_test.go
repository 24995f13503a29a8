package convert_test

import (
	"fmt"
	"testing"

	"cardwright/internal/convert"
	"cardwright/schema"
	"cardwright/schema/schematest"
)

// BenchmarkConvert reads a 1.0 card and gives it the 0.3 form.
func BenchmarkConvert(b *testing.B) {
	for _, skills := range []int{10, 1000} {
		b.Run(fmt.Sprintf("skills=%d", skills), func(b *testing.B) {
			node, _ := schema.Wire(schematest.LargeCard(skills), schema.V10, schema.WireOptions{})
			b.ReportAllocs()
			for b.Loop() {
				r := convert.Read(node, convert.ReadOptions{})
				converted, _ := schema.Wire(r.Card, schema.V03, schema.WireOptions{})
				b.SetBytes(int64(len(schema.Write(converted))))
			}
		})
	}
}
