// Package project makes the cards of a project: it loads the configuration as the
// command line changes it, opens the directories that are written to, chooses the
// agents and runs the pipeline.
//
// It prints nothing and writes nothing.
package project
