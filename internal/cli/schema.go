package cli

import (
	"context"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/schema"
)

func schemaCommand(a *app) *ucli.Command {
	return page("schema", nil, func(_ context.Context, args []string) error {
		names := strings.Join(schema.Documents(), ", ")
		if len(args) != 1 {
			return usageError("one of "+names, "schema needs one name")
		}
		name := args[0]
		doc, ok := schema.Document(name)
		if !ok {
			return unknown("schema", name, "one of ", schema.Documents())
		}
		_, err := a.Out.Write(doc)
		return err
	})
}
