// Package git reads revisions of a git repository that strangers contribute to.
// The repository is the one around a given work tree, never one that somebody
// committed below it; names of remote branches count before tags; nothing is
// fetched, and no program that the repository names is run. It decides nothing
// about cards, and reads neither files nor environment itself.
package git
