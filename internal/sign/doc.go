// Package sign signs Agent Cards and verifies their signatures, as section 8.4 of the
// A2A specification says: a JSON Web Signature (RFC 7515) with detached payload over
// the canonical form (RFC 8785) of the card without its signatures member.
//
// go-jose signs, verifies and reads keys, jcs canonicalizes. In front of them stand the
// refusals that keep two verifiers from reading one signature differently. Signatures
// are deterministic. The package reads no files; no error, finding or formatted value
// of it holds key material.
package sign
