// Package hostingtest holds any server to what a host of cards must answer:
// the real ones with the configurations of package hosting, and the preview.
package hostingtest
