package synth

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"
)

// Work is what cardwright is compared with: the least that any program has to do with a
// project.
type Work string

// The works.
const (
	ReadSkills Work = "skills" // parse the header of each skill
	Check      Work = "check"  // that, parse the configuration, and hash each file of the output
	ReadCards  Work = "cards"  // parse and hash each card of the output
)

// Floor does a work in the project in dir, on one goroutine, with the libraries that
// cardwright uses.
func Floor(dir string, w Work) error {
	switch w {
	case ReadSkills:
		return readSkills(dir)
	case Check:
		return errors.Join(readSkills(dir), readConfig(dir), hashOutput(dir, false))
	case ReadCards:
		return hashOutput(dir, true)
	}
	return fmt.Errorf("unknown work %q", w)
}

// readSkills walks over the tree, reads the first 4 KB of each SKILL.md, as cardwright
// does, and parses its header into a node.
func readSkills(dir string) error {
	buf := make([]byte, 4<<10)
	format := frontmatter.NewFormat("---", "---", yaml.Unmarshal)
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		head, err := readHead(name, buf)
		if err != nil {
			return err
		}
		var node yaml.Node
		_, err = frontmatter.MustParse(bytes.NewReader(head), &node, format)
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

func readConfig(dir string) error {
	configs, err := filepath.Glob(filepath.Join(dir, "teams", "*", "agents.yaml"))
	if err != nil {
		return err
	}
	for _, name := range append(configs, filepath.Join(dir, "cardwright.yaml")) {
		var node yaml.Node
		if data, err := os.ReadFile(name); err != nil {
			return err
		} else if err := yaml.Unmarshal(data, &node); err != nil {
			return err
		}
	}
	return nil
}

// hashOutput reads and hashes the files of the output, or the cards alone, which it parses.
func hashOutput(dir string, cards bool) error {
	dist := os.DirFS(filepath.Join(dir, "dist"))
	return fs.WalkDir(dist, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || cards && !strings.HasSuffix(name, "/agent-card.json") {
			return err
		}
		data, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		_ = sha256.Sum256(data)
		var card any
		if cards {
			return json.Unmarshal(data, &card)
		}
		return nil
	})
}
