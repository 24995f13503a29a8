package mapping

import (
	"slices"
	"strings"
)

// compacted is how many skills have their texts in one piece of memory.
const compacted = 1000

// compact moves what skills hold next to each other. It was made among ten times
// as much that nobody needs any more, and memory can only be used for something
// else where nothing is left: of 100,000 skills a quarter of it lay idle.
func compact(skills []Skill) {
	for some := range slices.Chunk(skills, compacted) {
		compactDescriptions(some)
		compactPlaces(some)
	}
}

func compactDescriptions(skills []Skill) {
	size := 0
	for i := range skills {
		size += len(skills[i].Description)
	}
	var all strings.Builder
	all.Grow(size)
	for i := range skills {
		begin := all.Len()
		all.WriteString(skills[i].Description)
		skills[i].Description = all.String()[begin:]
	}
}

func compactPlaces(skills []Skill) {
	size := 0
	for i := range skills {
		size += len(skills[i].Places)
	}
	all := make([]Place, 0, size)
	for i := range skills {
		begin := len(all)
		all = append(all, skills[i].Places...)
		skills[i].Places = slices.Clip(all[begin:])
	}
}
