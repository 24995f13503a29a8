// Package contract checks that a running agent does what its card says.
//
// No request changes anything: each names a task that does not exist. A message is
// sent only if the caller supplies its text. The number of calls, their time and
// the size of answers are limited. Credentials go to the hosts of the card's
// interfaces, never along a redirect, and are removed from everything that is
// reported.
package contract
