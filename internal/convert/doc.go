// Package convert reads Agent Cards of any version of A2A, and the mistakes that more
// than one in fifty real cards makes, with a finding for each value that it repaired,
// assumed or left out. It writes the card in another version, and names documents that
// are no cards. It neither opens files nor checks more than it needs: package lint does.
package convert
