// Package document says of each value of a document where it stands, and of one that
// is missing where it would have to.
package document
