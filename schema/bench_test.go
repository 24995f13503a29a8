package schema

import (
	"fmt"
	"testing"
)

// largeCard has skills of the usual size: a description of some 300
// characters, a few tags and now and then an example.
func largeCard(skills int) *Card {
	c := fullCard()
	c.Skills = nil
	for i := range skills {
		s := Skill{
			ID:          fmt.Sprintf("skill-%05d", i),
			Name:        fmt.Sprintf("Skill %d", i),
			Description: "Reads documents of many kinds, extracts text, tables and forms, and fills in what is missing. Use it when somebody mentions documents, forms or tables, or asks to merge, divide or convert them; not for pictures, which another skill handles. Keeps the layout wherever the format allows it – “as is”.",
			Tags:        []string{"documents", "forms"},
		}
		if i%4 == 0 {
			s.Examples = []string{"Merge these two files", "Fill in this form"}
		}
		c.Skills = append(c.Skills, s)
	}
	return c
}

func BenchmarkWireAndWrite(b *testing.B) {
	card := largeCard(10_000)
	b.ReportAllocs()
	for b.Loop() {
		node, _ := Wire(card, V10, WireOptions{})
		b.SetBytes(int64(len(Write(node))))
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, skills := range []int{50, 10_000} {
		for _, form := range []Protocol{V10, Dual} {
			b.Run(fmt.Sprintf("skills=%d/%s", skills, form), func(b *testing.B) {
				node, _ := Wire(largeCard(skills), form, WireOptions{})
				b.ReportAllocs()
				for b.Loop() {
					if faults := ValidateCard(form, node); faults != nil {
						b.Fatal(faults)
					}
				}
			})
		}
	}
}

// BenchmarkConvert reads a 1.0 card and gives it the 0.3 form.
func BenchmarkConvert(b *testing.B) {
	for _, skills := range []int{10, 1000} {
		b.Run(fmt.Sprintf("skills=%d", skills), func(b *testing.B) {
			node, _ := Wire(largeCard(skills), V10, WireOptions{})
			b.ReportAllocs()
			for b.Loop() {
				r := Read(node, ReadOptions{})
				converted, _ := Wire(r.Card, V03, WireOptions{})
				b.SetBytes(int64(len(Write(converted))))
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, skills := range []int{10, 1000} {
		b.Run(fmt.Sprintf("%d skills", skills), func(b *testing.B) {
			node, _ := Wire(largeCard(skills), V03, WireOptions{})
			b.ReportAllocs()
			for b.Loop() {
				if r := Read(node, ReadOptions{}); len(r.Missing) > 0 {
					b.Fatal(r.Missing)
				}
			}
		})
	}
}
