// Package sign signs Agent Cards and verifies their signatures, as section 8.4
// of the A2A specification says: a JSON Web Signature (RFC 7515) with detached
// payload over the canonical form (RFC 8785) of the card without its
// signatures member.
//
// It signs deterministically, knows the readings of a card on which verifiers
// disagree, and parses and writes the keys as JSON (JWK, JWK Set). Apart from the
// generation of new keys it is pure. No error, finding or formatted value of
// this package holds key material.
package sign
