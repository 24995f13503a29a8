package sign

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"cardwright/internal/source"
)

// validity says when a key may be used (specification section 8.4.3): the
// members nbf and exp, as in RFC 7519 section 4.1, and revoked, as in OpenID
// Federation 1.0 section 8.7.2.
type validity struct {
	notBefore, expires time.Time // zero for none
	revoked            bool
	members            []source.Member // as the JWK has them
}

func parseValidity(n *source.Node) (validity, error) {
	var v validity
	for _, at := range []struct {
		name string
		time *time.Time
	}{{"nbf", &v.notBefore}, {"exp", &v.expires}} {
		m := n.Member(at.name)
		if m == nil {
			continue
		}
		seconds, err := strconv.ParseFloat(m.Value.Text, 64)
		if err != nil || m.Value.Kind != source.Number || math.Abs(seconds) > maxSeconds {
			return validity{}, fmt.Errorf("its %s is not a time in seconds since 1970", at.name)
		}
		*at.time = time.Unix(int64(math.Floor(seconds)), 0).UTC()
		v.members = append(v.members, *m)
	}
	if m := n.Member("revoked"); m != nil && m.Value.Kind != source.Null && m.Value.Text != "false" {
		v.revoked = true
		v.members = append(v.members, *m)
	}
	return v, nil
}

// maxSeconds is the last second that RFC 3339 can name, 9999-12-31T23:59:59Z.
const maxSeconds = 253402300799

// fault says why the key may not be used at a time, "" when it may. It completes
// a sentence about the key. At the zero time, only a revoked key may not.
func (v validity) fault(at time.Time) string {
	switch {
	case v.revoked:
		return "is revoked"
	case at.IsZero():
		return ""
	case !v.expires.IsZero() && !at.Before(v.expires):
		return "expired at " + v.expires.Format(time.RFC3339)
	case at.Before(v.notBefore):
		return "is not valid before " + v.notBefore.Format(time.RFC3339)
	}
	return ""
}
