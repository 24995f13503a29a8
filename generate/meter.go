package generate

import (
	"errors"
	"io"
	"sync/atomic"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
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

// meter bounds what all agents of a run read together: a short configuration can
// have each of many agents read the same large directory again and again.
type meter struct{ left atomic.Int64 }

func newMeter(limits source.Limits) *meter {
	m := &meter{}
	m.left.Store(int64(limits.WithDefaults().Skills) * perSkill)
	return m
}

// take counts what was read. A nil meter counts nothing.
func (m *meter) take(cost int) {
	if m != nil {
		m.left.Add(-int64(cost))
	}
}

// header counts a header, of which so many bytes were read if it is none.
func (m *meter) header(header *source.Node, read int) {
	if header != nil {
		read = schema.Size(header)
	}
	m.take(skillCost + headerCost*read)
}

// empty tells whether there is nothing left to read.
func (m *meter) empty() bool { return m != nil && m.left.Load() < 0 }

// errTooMuchRead ends a run whose agents have read more than the bound.
var errTooMuchRead = errors.New("the agents read too much")

// tooMuchRead is the finding about such a run. It is the only one: how far the
// others got is up to the scheduler.
func tooMuchRead(req *Request) diag.List {
	return diag.List{diag.New("source-bound", firstPlace(req.Config.Node, "/agents"), "reading the sources of all agents, each as often as an agent names it, takes more than the bound on skills allows").
		WithHint("let fewer agents name the same directories, or raise the bound with --limit skills=N")}
}

// counter counts what is written to it.
type counter struct {
	io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.Writer.Write(p)
}
