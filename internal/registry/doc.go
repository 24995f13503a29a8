// Package registry knows the registries of agents: the limits of each, and the form
// in which it takes a card.
//
// It is pure and sends nothing: it checks and prints the cards that it is given.
package registry
