//go:build !windows

package publish

import "os"

// inUse is for systems on which an open file cannot be replaced.
func inUse(error) bool { return false }

// unprotect is for systems on which the mode of a file keeps it from being replaced.
func unprotect(*os.Root, string) {}
