// Package recipes holds the recipes of docs/recipes to the programs and types
// that will read them: Kubernetes' own API types, nginx, Caddy and HAProxy on
// this machine, Envoy's configuration types, the rule parser of Traefik, systemd
// and actionlint.
//
// It is a module of its own, so that none of them is a dependency of cardwright
// or of the other conformance tests. Tests whose tool is missing are skipped and
// say so.
package recipes
