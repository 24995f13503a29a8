package mapping

import (
	"sync/atomic"

	"cardwright/internal/source"
)

// What reading costs, in bytes: a name in a directory, a skill besides its
// header, and each byte of a header, which takes as long to parse as four bytes
// of JSON.
const (
	entryCost  = 256
	skillCost  = 2 << 10
	headerCost = 4
	// perSkill is what a skill within the bound on their number may cost.
	perSkill = 8 << 10
)

// Budget bounds what all agents of a run read together: a short configuration can
// have each of many agents read the same large directory again and again.
type Budget struct {
	left atomic.Int64
	// Skills counts the headers of skills that were read, unless it is nil.
	Skills *atomic.Int64
}

// NewBudget returns a budget with room for as many skills as the limits allow.
func NewBudget() *Budget {
	m := &Budget{}
	m.left.Store(source.MaxSkills * perSkill)
	return m
}

// Spend counts bytes that were read, and entries of directories. A nil budget counts
// nothing.
func (m *Budget) Spend(bytes, entries int) {
	if m != nil {
		m.left.Add(-int64(bytes + entryCost*entries))
	}
}

// Header counts the header of a skill, of so many bytes.
func (m *Budget) Header(bytes int) {
	m.Spend(skillCost+headerCost*bytes, 0)
	if m != nil && m.Skills != nil {
		m.Skills.Add(1)
	}
}

// Empty reports whether there is nothing left to read.
func (m *Budget) Empty() bool { return m != nil && m.left.Load() < 0 }
