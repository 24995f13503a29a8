// Package bundle gathers the files of a skill that are published with it: what of its
// directory may go out, and what readers and registries take of that.
package bundle
