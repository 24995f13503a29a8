// Package discovery tries the discovery files of a host with the programs that read
// them: the skills program, opencode, Lighthouse, html-validate, the SDK of AGNTCY and the catalog
// model of Backstage. All of them run on loopback.
package discovery
