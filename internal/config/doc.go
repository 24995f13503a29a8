// Package config reads cardwright.yaml: variables, environments, defaults and
// flags laid over one another, into what every other stage works from. Each
// value keeps the place it came from, so that a later fault can point there.
package config
