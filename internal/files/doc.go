// Package files opens what strangers may have put on a disk: within bounds, inside
// one directory, and without waiting. It says in plain words why a file
// cannot be used, and writes single files whole or not at all.
//
// It alone decides how far a path may lead. What it returns is a handle of a
// directory: what happens to the path later changes nothing. Whoever calls cardwright
// is trusted, and whoever proposes a change of the project is not. So a path that
// stands in a file of the project stays inside the project, and one that stands on the
// command line may lie anywhere. Neither is written through a link that lies in a
// project, nor read through one that leaves it, and nothing is ever done in a .git
// directory.
//
// Patterns of paths and ids are matched in a time that is bounded by the product of
// the lengths of pattern and name.
package files
