// Package preview serves an output tree with every header and status that a
// production host should send, so that clients and probes can be tried on it.
//
// It is no production server: it knows no TLS, writes no log and is made for
// one machine. It reads the tree anew for every request and writes nothing.
package preview
