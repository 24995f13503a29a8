// Package hosting says how a host answers for an output tree: one table of path
// patterns, content types and headers. [Render] writes it as the configuration of a
// server, and [Handler] serves it as a preview.
//
// What it writes depends on the configuration of a project only, never on the files of
// a tree: the patterns fit one agent and a thousand, and servers make the entity tags.
// So a new card needs no new configuration and no reload.
package hosting
