// Package mapping turns source formats into skills and security schemes, with
// the place each member came from. It is pure: positioned trees in, values and
// findings out.
package mapping
