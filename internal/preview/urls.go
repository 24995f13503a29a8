package preview

import (
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"

	"cardwright/internal/source"
)

// card is where the card of an agent is, below its directory.
const card = ".well-known/agent-card.json"

// maxManifest bounds the manifest that is read, in bytes.
const maxManifest = 32 << 20

// HostLayout tells whether a published tree has a directory per host, by what
// its manifest says about where the files will be found.
func HostLayout(tree fs.FS) bool {
	data, err := source.ReadFile(tree, "cardwright.manifest.json", maxManifest)
	if err != nil {
		return false
	}
	manifest, _ := source.ParseJSON("", data, source.Limits{Card: maxManifest})
	files := manifest.Get("files")
	if !files.Is(source.Array) {
		return false
	}
	return slices.ContainsFunc(files.Items, func(f *source.Node) bool {
		name, url := f.Get("path"), f.Get("url")
		return name.Is(source.String) && url.Is(source.String) && url.Text == "https://"+name.Text
	})
}

// URLs are those of the cards in a tree that is served on addr, sorted.
func URLs(tree fs.FS, hostLayout bool, addr net.Addr) ([]string, error) {
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return nil, fmt.Errorf("reading the output tree: %w", err)
	}
	var urls []string
	if _, err := fs.Stat(tree, card); err == nil && !hostLayout {
		urls = append(urls, fmt.Sprintf("http://%s/%s", addr, card))
	}
	for _, e := range entries {
		if _, err := fs.Stat(tree, e.Name()+"/"+card); err != nil {
			continue
		}
		if !hostLayout {
			urls = append(urls, fmt.Sprintf("http://%s/%s/%s", addr, e.Name(), card))
			continue
		}
		_, port, err := net.SplitHostPort(addr.String())
		if err != nil {
			return nil, fmt.Errorf("address of the server: %w", err)
		}
		host := strings.TrimSuffix(e.Name(), ".localhost") + ".localhost"
		urls = append(urls, fmt.Sprintf("http://%s/%s", net.JoinHostPort(host, port), card))
	}
	return urls, nil
}
