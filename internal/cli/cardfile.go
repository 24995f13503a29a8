package cli

import (
	"io"
	"path/filepath"

	"cardwright/internal/diag"
	"cardwright/internal/source"
)

// cardFile is a card that was named on the command line.
type cardFile struct {
	name string // as it was named, "-" for standard input
	data []byte
}

// file is how findings spell the card.
func (c cardFile) file() string {
	if c.name == "-" {
		return "stdin"
	}
	return filepath.ToSlash(c.name)
}

// readCard reads a card that was named on the command line. It may be
// anywhere: who typed it meant it.
func (a *app) readCard(p *project, name string, limits source.Limits) (cardFile, error) {
	limit := limits.WithDefaults().Card
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(a.In, int64(limit)+1))
		if err != nil {
			return cardFile{}, usageError("", "cannot read standard input: %s", reason(err))
		}
		return cardFile{name, data}, nil // what is too long the parser refuses
	}
	tree, err := p.directory(name)
	if err != nil {
		return cardFile{}, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	data, err := source.ReadFile(tree.FS, tree.Root, limit)
	if err != nil {
		return cardFile{}, usageError("", "cannot read %s: %s", diag.Quote(name), reason(err))
	}
	return cardFile{name, data}, nil
}
