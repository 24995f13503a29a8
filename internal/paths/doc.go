// Package paths decides how far a path may lead. Every path that is read or
// written goes through it once, and what comes out is a handle of a directory:
// what happens to the path later changes nothing.
//
// Whoever calls cardwright is trusted, and whoever proposes a change of the
// project is not. So a path that stands in a file of the project stays inside
// the project, and one that stands on the command line may lie anywhere. Neither
// is written through a link that lies in a project, nor read through one that
// leaves it, and nothing is ever done in a .git directory.
package paths
