// Package starter writes the first configuration of a project from what the repository
// says about itself. It reads through a file system and writes nothing.
package starter
