// Package diag is the one shape of a finding: what was found, where, and how
// to fix it. Every stage of cardwright returns findings in this shape and
// every output format is made from it. For hints it finds the known word that is
// nearest to a given one.
//
// It sits at the bottom of the import graph: beside the standard library it uses
// package secret only, so that no message shows a credential.
package diag
