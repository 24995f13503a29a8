package generate

import (
	"context"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

func cardFormat() Format {
	return Format{
		Type: ExistingCard, Title: "An agent card that is there already.", Path: "The file",
		usage:  "a card source is a file with an agent card",
		Detect: undetected, // init describes the agent by it
		read:   readCard,
	}
}

// readCard reads the skills of a card that is there already.
func readCard(_ context.Context, w *work, tree Tree, src config.Source) (gathered, error) {
	limits := w.Config.Limits.WithDefaults()
	data, found, err := bounded(tree, tree.Root, limits.Card, "card")
	if err != nil {
		found = diag.List{unusableSource(src, source.Reason(err))}
	}
	if data == nil {
		return gathered{found: found}, nil
	}
	root, found := source.ParseJSONLenient(tree.Show(tree.Root), data, limits)
	if root == nil {
		return gathered{found: found}, nil
	}
	skills, more := mapping.Card(root)
	return gathered{skills: skills, found: append(found, more...)}, nil
}
