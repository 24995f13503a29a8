package publish

import (
	"fmt"

	"cardwright/internal/diag"
	"cardwright/internal/files"
)

// The rules about the place that output goes to. None of them can be switched off.
const (
	ruleAccess    = "output-access"    // cannot be created or written
	ruleBlocked   = "output-blocked"   // a file where a directory goes, or the other way round
	ruleBusy      = "output-busy"      // another run holds the directory
	ruleChanged   = "output-changed"   // not what the manifest lists
	ruleCollision = "output-collision" // two paths that some file systems hold for one
	ruleCopy      = "output-copy"      // a copy for older clients that is none
	ruleEdited    = "output-edited"    // a file no longer generated, kept because it was changed
	ruleForeign   = "output-foreign"   // a file that no earlier run wrote stands in the way
	ruleLink      = "output-link"      // a symbolic link inside the tree
	ruleMissing   = "output-missing"   // listed in the manifest, and not there
	rulePath      = "output-path"      // a path that cannot be written
	ruleRemoval   = "output-removal"   // most agents, or most skills of one, would be removed
	ruleSidecar   = "output-sidecar"   // a sidecar of other bytes
	ruleUnlisted  = "output-unlisted"  // a file of ours that the manifest does not list
	ruleUnread    = "input-unreadable" // what is there cannot be read
)

// EnvironmentRule is the rule of the finding that a tree was made for another
// environment.
const EnvironmentRule = "output-environment"

// DriftRule is the rule of a [Change.Finding]: what is on disk is not what is
// generated.
const DriftRule = "output-drift"

// problem returns an error about the file at p in the output directory dir.
func problem(rule, dir, p, message, hint string) diag.Diagnostic {
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
		"check its owner and permissions, or choose another output directory")
}
