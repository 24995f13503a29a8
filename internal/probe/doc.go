// Package probe asks a deployed card what a client would ask, and tells what
// the host does not answer as it should.
//
// It sends no credentials, follows few redirects and none to private
// addresses, and reads a bounded number of bytes in a bounded time: the host
// may be anybody's. What it compares with, the linter and the verification of
// signatures come in from outside.
package probe
