// Package diff compares two Agent Cards, or two trees of them, and says what the
// differences mean to clients.
//
// It works in three steps. Facts are gathered by meaning, as clients of each version
// of A2A read the cards, and by the URL that clients of each SDK call. Each is classed
// by a table of rules, and by nothing else. Then they are put in order. The package is
// pure and knows no files: places are pointers into the two cards.
package diff
