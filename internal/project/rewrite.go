package project

import (
	"bytes"
	"path/filepath"

	"cardwright/internal/source"
)

// Rewrite gives a card that the command line names another text, and with it the copy
// beside it for older clients and the sidecars of both, as far as they are there.
func (s *Workspace) Rewrite(card Input, text []byte) error {
	if err := s.Write("the card", card.Name, text); err != nil {
		return err
	}
	older := filepath.Join(filepath.Dir(card.Name), legacyName)
	if filepath.Base(card.Name) != cardName || !s.Has(older) {
		return nil
	}
	if was, _, err := s.Read(older, source.MaxCard); err != nil || !bytes.Equal(was, card.Data) {
		return err
	}
	return s.Write("the card", older, text)
}
