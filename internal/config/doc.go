// Package config reads cardwright.yaml, and applies variables, environments,
// defaults and flags. Each value keeps the place that it came from, so that a
// later fault can point there.
//
//go:generate go test . -run ^TestGenerated$ -update
package config
