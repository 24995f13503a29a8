// Package hosting holds cardwright to those who read what it serves and what it
// writes for servers: the resolvers of the official SDKs on the preview, the AWS
// command line with an S3 server on this machine, the asset server of Cloudflare Pages, and the parsers of hosting
// platforms from npm.
//
// It is a module of its own, so that none of them is a dependency of cardwright
// or of the other conformance tests. Tests whose tool is missing are skipped and
// say so.
package hosting
