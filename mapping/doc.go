// Package mapping reads the sources of an agent: it finds their files and turns
// each format into skills and security schemes, with the place that each member
// came from. It is pure: it reads from the file system that it is given, and
// returns values and findings.
package mapping
