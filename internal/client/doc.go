// Package client sends requests to hosts that are not trusted, for probe,
// and verify.
//
// Every request has limits of time, size and redirects. A private address is
// called only if the user named the host. A name with a public address cannot move
// into this network between two requests.
package client
