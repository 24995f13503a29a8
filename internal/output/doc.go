// Package output is about the trees of files that a run makes: the public cards,
// the extended ones, and the configuration of servers. It says what belongs into
// each, joins trees that were made in parallel, has them written, and sums up
// what was.
package output
