// Command gen writes what follows from the documented structs of a configuration: the JSON
// Schema and docs/config.md. Run it with go generate in internal/config.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write(filepath.Join("..", "..")); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// write makes the files again, below the root of the module.
func write(root string) error {
	made, err := generated(root)
	if err != nil {
		return err
	}
	for name, data := range made {
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			return fmt.Errorf("writing a generated file: %w", err)
		}
	}
	return nil
}

// generated returns the files by their names below the root of the module.
func generated(root string) (map[string][]byte, error) {
	said, err := comments(root)
	if err != nil {
		return nil, err
	}
	head, err := os.ReadFile(filepath.Join(root, "docs/testdata/config-head.md"))
	if err != nil {
		return nil, fmt.Errorf("reading the beginning of the page: %w", err)
	}
	return map[string][]byte{
		"schema/config.schema.json": jsonSchema(said),
		"docs/config.md":            page(string(head), said),
	}, nil
}
