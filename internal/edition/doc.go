// Package edition is the two sides of a comparison: it finds the cards of a
// directory or a commit, and which card of one side takes the place of which on
// the other. It reads files through what it is given.
package edition
