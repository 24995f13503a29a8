// Package publish puts an output tree on disk, compares one with what is there, and
// verifies one. It is the only writer of output trees: a web server that reads the
// directory meanwhile never sees half a file, the next run completes a killed one, and
// nothing is touched that cardwright did not write.
//
// [Tree] is the whole tree. An [Update] knows what is on disk in its place, without
// following a link; then [Check] reports the difference or [Update.Write] removes it. Every
// refusal comes before the first change. The manifest is what makes a file ours: it lists the
// old and the new files before the first change, and the new ones after the last.
package publish
