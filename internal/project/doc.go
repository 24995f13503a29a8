// Package project is a run as a person sees it.
//
//   - workspace.go opens what the command line and the configuration name, readerrors.go
//     keeps what could not be read
//   - project.go finds the configuration and the tree around it, config.go loads it
//   - run.go is the run, which writes the trees; dirs.go opens the directories of its output,
//     tree.go holds what belongs there, drift.go compares them with those on disk, git.go asks what git ignores
//   - summary.go and audit.go say what was written, hosting.go how it is hosted
//   - cards.go reads cards that the command line names, for lintcards.go and lists.go,
//     verify.go, rewrite.go and convert.go
//   - sides.go opens the two sides of a comparison, snapshot.go is one of them
//   - keyring.go reads keys
//
// It prints nothing. No message shows a key, or a text that was given instead of the
// name of one, which may be a key.
package project
