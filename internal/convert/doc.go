// Package convert reads everybody's Agent Cards: of any version of A2A, and what
// people write instead of one, with a finding for whatever had to be understood. It
// converts what it read to another version, recognizes documents that only look like
// a card, and knows what each kind of client takes of one. It is pure.
package convert
