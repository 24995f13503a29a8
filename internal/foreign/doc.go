// Package foreign tells Agent Cards from documents that only have their name or some
// of their members.
package foreign
