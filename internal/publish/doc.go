// Package publish puts an output tree on disk and compares one with what is
// there. It is the only writer of output, and takes care that a web server
// that reads the directory meanwhile never sees half a file, that a killed run
// is healed by the next one, and that nothing is touched that cardwright did
// not write.
//
// The work has three parts: [Tree] says what the whole tree is, a survey looks
// at what is on disk without following a link, and then [Check] reports the
// difference or [Write] removes it. Every refusal comes before the first change, and
// after the lock. What is written stands in a journal first, until a run has ended
// well; what stood there before, in the manifest.
package publish
