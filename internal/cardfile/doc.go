// Package cardfile is about cards that are there already, whoever wrote them: it
// finds those that a command line names, judges, converts, signs, verifies and
// lists them.
//
// It prints nothing, and what it changes is written by package publish.
package cardfile
