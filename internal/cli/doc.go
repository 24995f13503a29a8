// Package cli is the command line: one file per command with its flags and calls, a
// help text for each, and everything that touches the world outside the project,
// namely the environment, the clock and signals. It wires the other packages
// together; what they do, what is printed and how a run ends is theirs to decide.
package cli
