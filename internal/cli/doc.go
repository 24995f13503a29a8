// Package cli is the command line: one file per command, the flags, the exit
// codes, and everything that touches the world outside the project, namely
// the environment, the clock, signals and terminals. It wires the other
// packages together and decides nothing about cards.
package cli
