// Package signtest has the keys that the tests of this project sign with, and
// finds private keys where they must not be.
package signtest
