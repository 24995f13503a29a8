// Package hosting runs the configuration that cardwright writes on the servers that it
// is for: nginx, Apache and Caddy, directly and behind caching proxies, and while new
// versions are deployed.
//
// It is a module of its own. A test whose server is missing or older than docs/hosting.md
// wants is skipped and says so; under CI it fails.
package hosting
