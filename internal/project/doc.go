// Package project makes the cards of a project: it loads the configuration as the
// command line changes it, opens the directories that are written to, chooses the
// agents and runs the pipeline. It reads the keys that command line and configuration
// name, and records what was published in the audit log.
//
// It prints nothing. No message shows a key, or a text that was given instead of the
// name of one, which may be a key.
package project
