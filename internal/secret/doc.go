// Package secret finds keys, tokens and passwords in text, and hides them.
//
// It is pure, and knows nothing about cards: the rules of package lint, the
// configuration's variables and everything that prints ask it.
package secret
