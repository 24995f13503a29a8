package publish

import (
	"fmt"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/files"
	"cardwright/internal/site"
)

// The rules about the place that output goes to. None of them can be switched off.
const (
	ruleAccess    = diag.OutputAccess    // cannot be created or written
	ruleBlocked   = diag.OutputPath      // a file where a directory goes, or the other way round
	ruleCollision = diag.OutputPath      // two paths that some file systems hold for one
	ruleCopy      = diag.OutputSidecar   // a copy for older clients that is none
	ruleEdited    = diag.OutputEdited    // a file no longer generated, kept because it was changed
	ruleForeign   = diag.OutputForeign   // a file that no earlier run wrote stands in the way
	ruleLink      = diag.OutputLink      // a symbolic link inside the tree
	ruleMissing   = diag.OutputDrift     // listed in the manifest, and not there
	rulePath      = diag.OutputPath      // a path that cannot be written
	ruleRemoval   = diag.OutputRemoval   // most agents, or most skills of one, would be removed
	ruleSidecar   = diag.OutputSidecar   // a sidecar of other bytes
	ruleUnread    = diag.InputUnreadable // what is there cannot be read
)

// EnvironmentRule is the rule of the finding that a tree was made for another
// environment.
const EnvironmentRule = diag.OutputEnvironment

// DriftRule is the rule of a [Change.Finding]: what is on disk is not what is
// generated.
const DriftRule = diag.OutputDrift

// problem returns an error about the file at p in the output directory dir.
func problem(rule diag.RuleID, dir, p, message, hint string) diag.Diagnostic {
	return diag.New(rule, diag.Span{File: shown(dir, p)}, "%s", message).WithHint(hint)
}

// shown returns the slash path of the file at p as seen from where dir is.
func shown(dir, p string) string { return files.Join(dir, p) }

// unread returns the finding that the operating system refused to show a file.
func unread(dir, p string, err error) diag.Diagnostic {
	return problem(ruleUnread, dir, p, fmt.Sprintf("%q cannot be read: %s", shown(dir, p), files.Reason(err)),
		"check its owner and permissions; nothing is published as long as it cannot be read")
}

// denied returns the finding that the operating system refused a change.
func denied(dir, p, what string, err error) diag.Diagnostic {
	return problem(ruleAccess, dir, p, fmt.Sprintf("%q cannot be %s: %s", shown(dir, p), what, files.Reason(err)),
		accessHint)
}

const accessHint = "check its owner and permissions, or choose another output directory"

// obstacle returns the finding that something else stands where output goes.
// It is never written through and never removed, not even by force.
func obstacle(dir, p string, stands place, wanted string) diag.Diagnostic {
	rule := ruleBlocked
	if stands == link {
		rule = ruleLink
	}
	hint := "move it away, or choose another output directory"
	if stands == device {
		hint = "choose another output directory"
	}
	return problem(rule, dir, p, fmt.Sprintf("%q is %s, but %s must be written there", shown(dir, p), stands,
		wanted), hint)
}

// checkPaths finds paths that cannot be written, and paths of which a file
// system that ignores case or Unicode normalization could hold one only.
func checkPaths(dir string, all []site.File) diag.List {
	var found diag.List
	taken := map[string]string{files.Fold(site.ManifestName): site.ManifestName}
	for _, f := range all {
		if fault := files.PathFault(f.Path); fault != "" {
			found = append(found, problem(rulePath, dir, "", fmt.Sprintf("the output path %q %s", f.Path, fault), ""))
			continue
		}
		key := files.Fold(f.Path)
		if other, ok := taken[key]; ok {
			found = append(found, collision(dir, f.Path, other))
			continue
		}
		taken[key] = f.Path
	}
	reported := map[string]bool{}
	for _, f := range all {
		for parent := path.Dir(files.Fold(f.Path)); parent != "." && parent != "/"; parent = path.Dir(parent) {
			if other, ok := taken[parent]; ok && !reported[parent] {
				reported[parent] = true
				found = append(found, problem(ruleCollision, dir, f.Path,
					fmt.Sprintf("the output path %q is a file, but %q needs a directory there", other, f.Path),
					"give the agent another id or host"))
			}
		}
	}
	return found.Sorted()
}

func collision(dir, p, other string) diag.Diagnostic {
	return problem(ruleCollision, dir, p,
		fmt.Sprintf("the output paths %q and %q are the same on systems that ignore case and Unicode normalization",
			other, p),
		"use ids or hosts that differ in more than case")
}
