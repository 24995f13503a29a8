package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{
			{Key: "vcs.revision", Value: revision},
			{Key: "vcs.time", Value: "2026-03-04T05:06:07Z"},
			{Key: "vcs.modified", Value: modified},
		}
	}
	for name, c := range map[string]struct {
		linked, module string
		settings       []debug.BuildSetting
		want           string
	}{
		"no repository": {"", "(devel)", nil, "cardwright devel\ncommit unknown\n"},
		"go install":    {"", "v1.2.3", nil, "cardwright v1.2.3\ncommit unknown\n"},
		"release": {
			"1.2.3", "v1.2.4-0.20260304050607-0123456789ab", vcs("false"),
			"cardwright 1.2.3\ncommit " + revision + " of 2026-03-04T05:06:07Z\n",
		},
		"changed": {
			"", "v1.2.4-0.20260304050607-0123456789ab+dirty", vcs("true"),
			"cardwright v1.2.4-0.20260304050607-0123456789ab+dirty\ncommit " + revision +
				" of 2026-03-04T05:06:07Z, with changes\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := buildOf(c.linked, &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings})
			if got := b.String(); !strings.HasPrefix(got, c.want+"go1.") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
