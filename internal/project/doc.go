// Package project is a run as a person sees it: the workspace that it reads and writes in
// (workspace.go), the configuration and the tree around it (project.go, config.go), the
// directories of its output (dirs.go), and the run itself (run.go), whose last stage writes
// the trees (tree.go, write.go) or compares them with those on disk (drift.go). It also
// opens the two sides of a comparison (open.go, edition.go, names.go) and reads keys
// (keyring.go), and reads, checks, signs and verifies cards that the command line names
// (cards.go, lintcards.go, lists.go, sign.go, rewrite.go, verify.go).
//
// It prints nothing. No message shows a key, or a text that was given instead of the
// name of one, which may be a key.
package project
