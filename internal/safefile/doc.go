// Package safefile opens and reads files that strangers may have put there: within
// bounds, inside one directory, and without waiting for anybody. It says in plain
// words why a file cannot be used. Patterns of paths and ids are matched in a time that
// is bounded by the product of the lengths of pattern and name.
package safefile
