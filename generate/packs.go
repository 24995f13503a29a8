package generate

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/mapping"
)

// packName is the name of the manifest of a pack, without its extension. That
// of a pack which is a mere program stands beside it, under PROGRAM.packName.
const packName = "helmdeck-pack"

// indexName is the name of the file in which a marketplace lists its packs.
const indexName = "index.yaml"

// packs reads capability packs: one manifest, those below a directory, or those
// that a marketplace lists.
func (w *work) packs(tree Tree, src config.Source) gathered {
	walk := newWalker(tree, src, w.Config.Limits)
	walk.wanted, walk.take = isPackName, walk.takeAll
	files, found := walk.walk()
	var packs []mapping.Pack
	for _, f := range files {
		root, faults := w.part(tree, f.name)
		found = append(found, faults...)
		if root == nil {
			continue
		}
		pack, more := mapping.PackManifest(root)
		found = append(found, more...)
		if pack != nil {
			packs = append(packs, *pack)
		}
	}
	packs, more := w.listed(tree, packs)
	found = append(found, more...)
	skills, more := mapping.Latest(packs)
	return gathered{skills: skills, found: append(found, more...)}
}

func isPackName(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) && (stem == packName || strings.HasSuffix(stem, "."+packName))
}

// listed keeps the packs that the index of a marketplace lists: all of them
// where there is no index.
func (w *work) listed(tree Tree, packs []mapping.Pack) ([]mapping.Pack, diag.List) {
	name := path.Join(tree.Root, indexName)
	if info, err := fs.Stat(tree.FS, name); err != nil || !info.Mode().IsRegular() {
		return packs, nil
	}
	root, found, err := w.document(tree, name)
	if err != nil {
		return packs, diag.List{unreadable(tree.Show(name), cause(err))}
	}
	if root == nil || root.Get("packs") == nil {
		return packs, found
	}
	entries, more := mapping.PackIndex(root)
	found = append(found, more...)
	there, wanted := map[string]bool{}, map[string]bool{}
	for _, p := range packs {
		there[p.ID] = true
	}
	for _, e := range entries {
		wanted[e.Text] = true
		if !there[e.Text] {
			found = append(found, diag.Diagnostic{Rule: "source-incomplete", Severity: diag.Warning, Message: fmt.Sprintf("the index lists the pack %s, and there is none of that name", diag.Quote(e.Text)), Span: e.Span})
		}
	}
	kept := slices.DeleteFunc(slices.Clone(packs), func(p mapping.Pack) bool { return !wanted[p.ID] })
	for _, p := range packs {
		if !wanted[p.ID] {
			found = append(found, diag.Diagnostic{Rule: "source-excluded", Severity: diag.Info, Message: fmt.Sprintf("the pack %s is left out: the index of the marketplace does not list it", diag.Quote(p.ID)), Span: p.Origin})
		}
	}
	return kept, found
}
