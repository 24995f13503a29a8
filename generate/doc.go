// Package generate is the pipeline from a configuration to the files of an
// output tree, one list of stages. It is pure: it reads through an fs.FS and returns
// files and findings. The last stage hands the tree to the caller, which writes it.
package generate
