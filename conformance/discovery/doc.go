// Package discovery tries the discovery files of a host with the programs that read
// them: the skills program, opencode and html-validate. All of them run on loopback.
package discovery
