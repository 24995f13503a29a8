// Package command is the tree of commands and flags as users see it: it brings
// command lines into order, writes the help texts and completes words. It knows
// neither what the commands do nor the library that runs them.
package command
