// Package cli is the command line: one file per command with its flags and calls, a
// help text for each, and everything that touches the world outside the project,
// namely the environment, the clock, the terminal and signals. It decides what is
// printed and the exit code; what a command does is up to the other packages.
package cli
