// Package discovery tries the discovery files of a host with the programs that read
// them: the skills program and html-validate. Both run on loopback.
package discovery
