// Package outcome is how a command ends: what it has found is printed, written to
// the reports that were asked for, and decides about the exit code.
//
// It knows no flags, and none of the standard streams but by what it is given.
package outcome
