// Package diff tells what differs between two Agent Cards, or two trees of
// them, and what that means to clients.
//
// It works in three steps. Facts are gathered by meaning, so that a card of
// A2A 0.3 compares with its successor of 1.0. Each is judged by a table of
// rules, and by nothing else. Then they are put in order. The package is pure,
// and says nothing of files: places are pointers into the two cards.
package diff
