// Package generate is the pipeline from a configuration to the files of an
// output tree. It is pure: it reads through an fs.FS, returns files and
// findings, and writes nothing.
package generate
