package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// launcher is the command of the package that people install: it starts the program of
// the platform's package, which npm installs with it. Nothing is downloaded afterwards.
//
//go:embed cardwright.js
var launcher []byte

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Homepage             string            `json:"homepage"`
	Repository           map[string]string `json:"repository"` // which the provenance has to name
	Keywords             []string          `json:"keywords,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Bin                  map[string]string `json:"bin,omitempty"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"` // Yarn cannot start it in an archive
}

func (r release) manifest(name, description string) manifest {
	return manifest{
		Name: name, Version: r.version, Description: description, License: "Apache-2.0",
		Homepage:   "https://github.com/" + r.repository,
		Repository: map[string]string{"type": "git", "url": "git+https://github.com/" + r.repository + ".git"},
	}
}

// npmPlatform writes the package with the program of one platform.
func (r release) npmPlatform(p platform, program []byte) error {
	m := r.manifest("@cardwright/"+p.node, "The program of cardwright for "+p.node)
	system, cpu, _ := strings.Cut(p.node, "-")
	m.OS, m.CPU, m.PreferUnplugged = []string{system}, []string{cpu}, true
	return r.npmPackage("cardwright-"+p.node, m, "Install the package cardwright instead.\n",
		content{"bin/" + p.exe(), program, 0o755})
}

// npm writes the package that depends on those of the platforms.
func (r release) npm() error {
	m := r.manifest("cardwright", summary)
	m.Keywords = []string{"a2a", "agent-card", "agent-skills", "linter", "cli"}
	m.Engines = map[string]string{"node": ">=18"}
	m.Bin = map[string]string{"cardwright": "bin/cardwright.js"}
	m.OptionalDependencies = map[string]string{}
	for _, p := range platforms {
		m.OptionalDependencies["@cardwright/"+p.node] = r.version
	}
	readme := fmt.Sprintf("%s.\n\n    npx cardwright lint agent-card.json\n\nDocumentation: %s\n", summary, m.Homepage)
	return r.npmPackage("cardwright", m, "# cardwright\n\n"+readme, content{"bin/cardwright.js", launcher, 0o755})
}

func (r release) npmPackage(file string, m manifest, readme string, program content) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return r.tarball(file+"-"+r.version+".tgz", content{"package.json", append(text, '\n'), 0o644},
		content{"README.md", []byte(readme), 0o644}, program)
}
