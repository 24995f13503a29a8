// Package tree says what an output tree is, without knowing what lies in it: files
// with their digests, types and sidecars, paths that every system takes for the
// same, and the manifest that lists them.
//
// It is pure: values in, values out. Package publish puts trees on disk.
package tree
