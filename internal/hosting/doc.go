// Package hosting writes server configurations: one table of what a host must
// answer for each file of an output tree, and one renderer per server over it.
//
// It is pure: files and settings in, files and findings out. What gets into
// the table is checked character by character, since ids and hosts come from
// input that nobody has vouched for; each renderer quotes for its own syntax
// all the same. The package knows no HTTP library: package preview serves the
// same table, package probe compares a live host with it.
package hosting
