// Package client sends requests to hosts that nobody vouches for: probe,
// contract, capture and verify share it.
//
// Every request has a bound in time, size and redirects. A private address is
// reached only where the user named the host, and a name that was public once
// cannot move into this network between two requests.
package client
