// Package site says what is published: the files of an output tree with their digests,
// media types and sidecars, and the manifest that lists them. It writes and reads what a
// site publishes about its agents beside their cards: the AI Catalog, the Agent Skills
// index with the files of skills, and the page for people.
//
// It is pure: it reads no configuration, and files only through the [fs.FS] of a source.
// Package publish puts trees on disk.
package site
