// Package convert gives a card that was read the form of another version of A2A. It
// is pure.
package convert
