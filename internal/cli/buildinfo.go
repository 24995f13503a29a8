package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// buildInfo is how this program was built; "" means unknown.
type buildInfo struct {
	Version  string // of the release, or what Go makes of the commit; "devel" when unknown
	Commit   string // as far as known: Go puts twelve digits into the version of a module
	Date     string // of the commit, RFC 3339 in UTC
	Modified bool   // built with changes that no commit has
	Go       string
	Platform string
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
	b := buildInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	module := strings.TrimPrefix(info.Main.Version, "(devel)")
	b.Version = cmp.Or(b.Version, module, "devel")
	if parts := pseudoVersion().FindStringSubmatch(module); parts != nil {
		if at, err := time.Parse("20060102150405", parts[1]); err == nil {
			b.Date, b.Commit = at.Format(time.RFC3339), parts[2]
		}
	}
	if commit := linkedCommit().FindStringSubmatch(version); commit != nil {
		b.Commit = commit[1]
	}
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

// pseudoVersion is the version that Go gives a commit without a tag: its time and
// the beginning of its hash stand at the end.
var pseudoVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[-.](\d{14})-([0-9a-f]{12})(?:\+dirty)?$`)
})

// linkedCommit is the commit that the Action puts into the version of its build.
var linkedCommit = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\+([0-9a-f]{40})$`)
})

// String is what --version prints.
func (b buildInfo) String() string {
	commit := cmp.Or(b.Commit, "unknown")
	if b.Date != "" {
		commit += " of " + b.Date
	}
	if b.Modified {
		commit += ", with changes"
	}
	return fmt.Sprintf("cardwright %s\ncommit %s\n%s %s", b.Version, commit, b.Go, b.Platform)
}
