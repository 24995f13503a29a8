// Package starter writes the configuration that a project begins with: it looks
// for skills and cards, and tries what it writes before anybody else does.
//
// It reads the project through an fs.FS and writes no files.
package starter
