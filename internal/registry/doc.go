// Package registry knows the registries that agents are registered in: what each
// takes, and in which form.
//
// It is pure. It sends nothing, and judges and forms the cards that it is given.
package registry
