// Package site judges what the configuration says of a site that lists agents, and
// reads the MCP servers that are listed with them.
package site
