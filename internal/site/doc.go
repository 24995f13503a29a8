// Package site writes and reads what a site publishes about its agents beside their
// cards: the AI Catalog, the Agent Skills index with the files of skills, and the page for
// people.
//
// It is pure: it reads no configuration, and files only through the [fs.FS] of a source.
package site
