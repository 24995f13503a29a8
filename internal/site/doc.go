// Package site lists the agents of a site: for machines as an AI Catalog,
// for people as a page, for registries in the form that each takes.
//
// It is pure. What an agent is called and where its card is published is given
// to it; it reads and writes no files and knows no configuration.
package site
