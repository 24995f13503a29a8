// Package report prints findings: for people at a terminal, for programs, and
// for the services that show them on pull requests. It judges nothing. Text
// from input files is escaped for the format it goes into.
package report
