package source

// manyMembers is the size from which looking up a name in an index beats
// comparing it with every other.
const manyMembers = 16

// members collects the members of one object and notices those that are
// defined twice. The zero value is ready for use.
type members struct {
	list  []Member
	index map[string]int
}

// add appends m unless a member of that name is there already. Then it returns
// that one: the first counts.
func (l *members) add(m Member) (first *Member) {
	if first = l.find(m.Key); first != nil {
		return first
	}
	if l.index != nil {
		l.index[m.Key] = len(l.list)
	}
	l.list = append(l.list, m)
	return nil
}

func (l *members) find(key string) *Member {
	if l.index == nil && len(l.list) < manyMembers {
		for i := range l.list {
			if l.list[i].Key == key {
				return &l.list[i]
			}
		}
		return nil
	}
	if l.index == nil {
		l.index = make(map[string]int, 2*manyMembers)
		for i := range l.list {
			l.index[l.list[i].Key] = i
		}
	}
	if i, ok := l.index[key]; ok {
		return &l.list[i]
	}
	return nil
}
