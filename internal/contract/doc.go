// Package contract asks a running agent whether it does what its card promises.
//
// Every question is one that changes nothing: it names a task that cannot exist.
// A message is sent only where the caller supplies its text. Calls are bounded in
// number, time and size; credentials go to the hosts of the card's interfaces,
// never along a redirect, and are taken out of everything that is reported.
package contract
