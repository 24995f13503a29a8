package schema_test

import (
	"fmt"
	"testing"

	"cardwright/schema"
	"cardwright/schema/schematest"
)

func BenchmarkWireAndWrite(b *testing.B) {
	card := schematest.LargeCard(10_000)
	b.ReportAllocs()
	for b.Loop() {
		node, _ := schema.Wire(card, schema.V10, schema.WireOptions{})
		b.SetBytes(int64(len(schema.Write(node))))
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, skills := range []int{50, 10_000} {
		for _, form := range []schema.Protocol{schema.V10, schema.Dual} {
			b.Run(fmt.Sprintf("skills=%d/%s", skills, form), func(b *testing.B) {
				node, _ := schema.Wire(schematest.LargeCard(skills), form, schema.WireOptions{})
				b.ReportAllocs()
				for b.Loop() {
					if faults := schema.ValidateCard(form, node); faults != nil {
						b.Fatal(faults)
					}
				}
			})
		}
	}
}
