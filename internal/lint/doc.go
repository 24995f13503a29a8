// Package lint checks Agent Cards: one table of rules, one small function for
// each, over the positioned tree of a card of A2A 1.0, 0.3 or both at once.
//
// The table also lists the rules that other packages report about sources,
// configurations, signatures and conversions, so that every finding can be
// looked up, explained and switched in one way. It is pure: trees in, findings
// out.
package lint
