// Package probe sends the requests that clients send for a deployed card, and
// reports what the host does not answer as it should.
//
// The host may be anybody's: the package sends no credentials, follows few
// redirects and none to private addresses, and reads a bounded number of bytes in
// a bounded time. The caller supplies the local tree, the linter and the
// verification of signatures.
package probe
