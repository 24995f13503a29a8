package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// buildInfo is how this program was built; "" means unknown.
type buildInfo struct {
	Version  string // of the release, or what Go makes of the commit; "devel" when unknown
	Commit   string
	Date     string // of the commit, RFC 3339 in UTC
	Modified bool   // built with changes that no commit has
}

// readBuild returns what the linker says, which sets the version of a release, and what
// Go says about a build from a repository or of a module.
func readBuild(version string) buildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(version, info)
}

func buildOf(version string, info *debug.BuildInfo) buildInfo {
	b := buildInfo{Version: cmp.Or(version, strings.TrimPrefix(info.Main.Version, "(devel)"), "devel")}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// String is what --version prints.
func (b buildInfo) String() string {
	commit := cmp.Or(b.Commit, "unknown")
	if b.Date != "" {
		commit += " of " + b.Date
	}
	if b.Modified {
		commit += ", with changes"
	}
	return fmt.Sprintf("cardwright %s\ncommit %s\n%s %s/%s", b.Version, commit, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
