package publish

import (
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// problem returns an error about the file at p in the output directory dir.
func problem(rule diag.RuleID, dir, p, hint, format string, args ...any) diag.Diagnostic {
	return diag.New(rule, diag.Span{File: shown(dir, p)}, format, args...).WithHint(hint)
}

// shown returns the slash path of the file at p as seen from where dir is.
func shown(dir, p string) string { return files.Join(dir, p) }

// unread returns the finding that the operating system refused to show a file.
func unread(dir, p string, err error) diag.Diagnostic {
	return problem(diag.InputUnreadable, dir, p,
		"check its owner and permissions; nothing is published as long as it cannot be read",
		"%q cannot be read: %s", shown(dir, p), files.Reason(err))
}

const accessHint = "check its owner and permissions, or choose another output directory"

// obstacle returns the finding that something else is where output goes.
// It is never written through and never removed, not even by force.
func obstacle(dir, p string, is entry, wanted string) diag.Diagnostic {
	rule := diag.OutputPath
	if is == link {
		rule = diag.OutputLink
	}
	return problem(rule, dir, p, "move it away, or choose another output directory",
		"%q is %s, but %s must be written there", shown(dir, p), is, wanted)
}

// checkPaths finds paths that cannot be written, and paths that a file
// system that ignores case or Unicode normalization could hold one only.
func checkPaths(dir string, all []site.File) diag.List {
	var found diag.List
	taken := map[string]string{files.Fold(site.ManifestName): site.ManifestName}
	for _, f := range all {
		fault, key := files.PathFault(f.Path), files.Fold(f.Path)
		switch other, ok := taken[key]; {
		case fault != "":
			found = append(found, problem(diag.OutputPath, dir, "", "", "the output path %q %s", f.Path, fault))
		case ok:
			found = append(found, problem(diag.OutputPath, dir, f.Path, "use ids or hosts that differ in more than case",
				"the output paths %q and %q are the same on systems that ignore case and Unicode normalization", other, f.Path))
		default:
			taken[key] = f.Path
		}
	}
	for _, f := range all {
		for parent := path.Dir(files.Fold(f.Path)); parent != "." && parent != "/"; parent = path.Dir(parent) {
			if other, ok := taken[parent]; ok {
				delete(taken, parent) // and is reported once
				found = append(found, problem(diag.OutputPath, dir, f.Path, "give the agent another id or host",
					"the output path %q is a file, but %q needs a directory there", other, f.Path))
			}
		}
	}
	return found.Sorted()
}
