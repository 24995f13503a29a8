package synth

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"
)

// Reference does the least that any program has to do to read the skills below
// dir: it walks over the tree, reads the first 4 KB of each SKILL.md, as cardwright
// does, and parses its header into a node with the same libraries. It returns how
// many skills there are.
func Reference(dir string) (skills int, err error) {
	buf := make([]byte, 4<<10)
	form := frontmatter.NewFormat("---", "---", yaml.Unmarshal)
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		head, err := readHead(name, buf)
		if err != nil {
			return err
		}
		var node yaml.Node
		if _, err := frontmatter.MustParse(bytes.NewReader(head), &node, form); err != nil {
			return err
		}
		skills++
		return nil
	})
	return skills, err
}

// ReferenceCheck does the least that any program has to do to check the output
// tree below dir, too: besides the skills it parses the files of the configuration
// into nodes, and reads and hashes every file of the tree.
func ReferenceCheck(dir string) (skills int, err error) {
	if skills, err = Reference(dir); err != nil {
		return 0, err
	}
	configs, err := filepath.Glob(filepath.Join(dir, "teams", "*", "agents.yaml"))
	for _, name := range append(configs, filepath.Join(dir, "cardwright.yaml")) {
		var node yaml.Node
		if data, err := os.ReadFile(name); err != nil {
			return 0, err
		} else if err := yaml.Unmarshal(data, &node); err != nil {
			return 0, err
		}
	}
	if err != nil {
		return 0, err
	}
	dist := os.DirFS(filepath.Join(dir, "dist"))
	return skills, fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		_ = sha256.Sum256(data)
		return err
	})
}

// readHead returns what fits into buf of the file.
func readHead(name string, buf []byte) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := io.ReadFull(f, buf)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return buf[:n], err
}
