package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"

	"cardwright/schema"
)

func (a *app) schemaCommand() *ucli.Command {
	return &ucli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema",
		UsageText: "cardwright schema NAME",
		Description: "NAME is one of " + strings.Join(schema.Documents(), ", ") + ".\n\n" +
			"Example: let an editor complete and check cardwright.yaml\n" +
			"  cardwright schema config > cardwright.schema.json",
		Action: func(c *ucli.Context) error {
			names := strings.Join(schema.Documents(), ", ")
			if c.NArg() != 1 {
				return usageError("one of "+names, "schema needs one name")
			}
			name := c.Args().First()
			doc, ok := schema.Document(name)
			if !ok {
				return unknown("schema", name, "one of ", schema.Documents())
			}
			_, err := a.Out.Write(doc)
			return err
		},
	}
}
