// Package cardfile works on existing cards, whoever wrote them: it finds the cards
// that the command line names, and checks, converts, signs, verifies and lists
// them.
//
// It prints nothing. Package publish writes what it changes.
package cardfile
