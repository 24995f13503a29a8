// Package dialect reads everybody's Agent Cards: of any version of A2A, and what
// people write instead of one, with a finding for whatever had to be understood.
package dialect
