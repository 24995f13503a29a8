// Package project is a run as a person sees it: where it reads and writes (space.go,
// project.go), what the command line changes (options.go), the agents and the cards
// that are made (run.go), the trees that they go to (tree.go, write.go), how those on
// disk depart from them (drift.go), the two sides of a comparison (edition.go), keys
// (keyring.go), the audit log, and the configuration that a project begins with
// (rehearse.go).
//
// It prints nothing. No message shows a key, or a text that was given instead of the
// name of one, which may be a key.
package project
