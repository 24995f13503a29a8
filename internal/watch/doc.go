// Package watch reports when what a run has read may have changed.
//
// A run reads through [Watcher.FS], which has each directory watched before
// anything in it is looked at. So nothing that happens later is missed, nothing
// is watched that does not matter, and directories that appear are known as
// soon as a run has looked into them.
package watch
