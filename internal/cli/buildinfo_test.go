package cli

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBuildOf(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: "2026-03-04T05:06:07Z"}}
	for name, c := range map[string]struct {
		linked   string
		module   string
		settings []debug.BuildSetting
		want     buildInfo
	}{
		"nothing":       {want: buildInfo{Version: "devel"}},
		"no repository": {module: "(devel)", want: buildInfo{Version: "devel"}},
		"release": {
			linked: "1.2.3", module: "(devel)",
			settings: append(slices.Clip(vcs), debug.BuildSetting{Key: "vcs.modified", Value: "false"}),
			want:     buildInfo{Version: "1.2.3", Commit: revision, Date: "2026-03-04T05:06:07Z"},
		},
		"release, from a repository": {
			linked: "1.2.3", module: "v1.2.4-0.20260304050607-0123456789ab", settings: vcs,
			want: buildInfo{Version: "1.2.3", Commit: revision, Date: "2026-03-04T05:06:07Z"},
		},
		"go build": {
			module:   "v0.0.0-20260304050607-0123456789ab",
			settings: vcs, want: buildInfo{
				Version: "v0.0.0-20260304050607-0123456789ab", Commit: revision,
				Date: "2026-03-04T05:06:07Z",
			},
		},
		"changed": {
			module:   "v1.2.4-0.20260304050607-0123456789ab+dirty",
			settings: append(slices.Clip(vcs), debug.BuildSetting{Key: "vcs.modified", Value: "true"}),
			want: buildInfo{
				Version: "v1.2.4-0.20260304050607-0123456789ab+dirty", Commit: revision,
				Date: "2026-03-04T05:06:07Z", Modified: true,
			},
		},
		"action": {
			linked: "0.0.0+" + revision, module: "(devel)",
			want: buildInfo{Version: "0.0.0+" + revision, Commit: revision},
		},
		"action, branch": {linked: "0.0.0+main", want: buildInfo{Version: "0.0.0+main"}},
		"go install":     {module: "v1.2.3", want: buildInfo{Version: "v1.2.3"}},
		"of a branch": {
			module: "v1.2.4-0.20260304050607-0123456789ab",
			want: buildInfo{
				Version: "v1.2.4-0.20260304050607-0123456789ab", Commit: "0123456789ab",
				Date: "2026-03-04T05:06:07Z",
			},
		},
		"looks like it": {
			module: "v1.2.3-20260304050607-0123456789a",
			want:   buildInfo{Version: "v1.2.3-20260304050607-0123456789a"},
		},
		"no time at all": {
			module: "v1.2.3-20269904050607-0123456789ab",
			want:   buildInfo{Version: "v1.2.3-20269904050607-0123456789ab"},
		},
		"linked, no build": {linked: "1.2.3", want: buildInfo{Version: "1.2.3"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want.Go, c.want.Platform = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
			got := buildOf(c.linked, &debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBuildSays(t *testing.T) {
	b := buildInfo{Version: "1.2.3", Go: "go1.26", Platform: "linux/arm64"}
	for want, change := range map[string]func(){
		"cardwright 1.2.3\ncommit unknown\ngo1.26 linux/arm64": func() {},
		"cardwright 1.2.3\ncommit 0123 of 2026-03-04, with changes\ngo1.26 linux/arm64": func() {
			b.Commit, b.Date, b.Modified = "0123", "2026-03-04", true
		},
		"cardwright 1.2.3\ncommit 0123\ngo1.26 linux/arm64": func() { b.Commit, b.Date, b.Modified = "0123", "", false },
	} {
		change()
		if got := b.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		b.Commit, b.Date, b.Modified = "", "", false
	}
}
