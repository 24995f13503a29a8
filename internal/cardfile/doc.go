// Package cardfile is about cards that are there already, whoever wrote them: it
// finds those that a command line names, judges, converts and lists
// them.
//
// It reads files and prints nothing; what it returns is written by package
// publish.
package cardfile
