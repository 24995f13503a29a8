// Package selection decides which of the skills that were found are published, and on
// which card.
package selection
