package generate

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"cardwright/internal/config"
	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/mapping"
)

// packName is the name of the manifest of a pack, without its extension. That
// of a pack which is a mere program stands beside it, under PROGRAM.packName.
const packName = "helmdeck-pack"

// indexName is the name of the file in which a marketplace lists its packs.
const indexName = "index.yaml"

func packsFormat() Format {
	return Format{
		Type: "packs", Title: "Capability packs.", Path: "A pack, or a directory to search for packs",
		Keys:  []Key{{Name: "exclude"}, {Name: "followSymlinks"}},
		usage: "a source of packs is a directory with " + packName + ".yaml files, or one such file",
		Detect: func(root fs.FS, name string, d fs.DirEntry) (string, bool) {
			stem := strings.TrimSuffix(d.Name(), path.Ext(name))
			return marketplace(root, path.Dir(path.Dir(name))), !d.IsDir() && stem == packName && isPackName(d.Name())
		},
		read: readPacks,
	}
}

// marketplace is the directory whose index lists the packs in dir, else dir.
func marketplace(root fs.FS, dir string) string {
	if _, err := fs.Stat(root, path.Join(dir, "..", indexName)); err == nil && path.Base(dir) == "packs" {
		return path.Dir(dir)
	}
	return dir
}

// readPacks reads capability packs: one manifest, those below a directory, or those
// that a marketplace lists.
func readPacks(_ context.Context, w *work, tree Tree, src config.Source) (gathered, error) {
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
		pack, more := mapping.PackManifest(root, packCalled(f.name))
		found = append(found, more...)
		if pack != nil {
			packs = append(packs, *pack)
		}
	}
	found = append(found, walk.programs(files)...)
	packs, more := w.inIndex(tree, packs)
	found = append(found, more...)
	skills, more := mapping.Latest(packs)
	return gathered{skills: skills, found: append(found, more...)}, nil
}

// programs names the programs that stand where packs are mere programs, and that
// no manifest describes: Helmdeck passes over them too.
func (w *walker) programs(manifests []skillFile) diag.List {
	described, covered := map[string]bool{}, map[string]bool{}
	for _, f := range manifests {
		stem := strings.TrimSuffix(f.name, path.Ext(f.name))
		program, ok := strings.CutSuffix(stem, "."+packName)
		if covered[path.Dir(f.name)] = covered[path.Dir(f.name)] || ok; ok {
			described[program] = true
		}
	}
	var found diag.List
	for _, at := range slices.Sorted(maps.Keys(covered)) {
		if !covered[at] {
			continue
		}
		for _, e := range w.entries(dir{name: at}) {
			name := path.Join(at, e.Name())
			if described[name] || described[strings.TrimSuffix(name, path.Ext(name))] || w.excluded(dir{name: name}) != nil {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				found = append(found, diag.New("source-incomplete", diag.Span{File: w.tree.Show(name)}, "the program has no manifest, so it is left out of the card").
					WithHint("describe it in "+e.Name()+"."+packName+".yaml beside it"))
			}
		}
	}
	return found
}

// packCalled is what a pack without a name is called: as its program, or else as
// its directory.
func packCalled(name string) string {
	if program, ok := strings.CutSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), "."+packName); ok {
		return program
	}
	return path.Base(path.Dir(name))
}

func isPackName(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name)) && (stem == packName || strings.HasSuffix(stem, "."+packName))
}

// inIndex keeps the packs that the index of a marketplace lists: all of them
// where there is no index.
func (w *work) inIndex(tree Tree, packs []mapping.Pack) ([]mapping.Pack, diag.List) {
	name := path.Join(tree.Root, indexName)
	if info, err := fs.Stat(tree.FS, name); err != nil || !info.Mode().IsRegular() {
		return packs, nil
	}
	root, found, err := w.document(tree, name)
	if err != nil {
		return packs, diag.List{unreadable(tree.Show(name), source.Reason(err))}
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
			found = append(found, diag.New("source-incomplete", e.Span, "the index lists the pack %s, and there is none of that name", diag.Quote(e.Text)))
		}
	}
	kept := slices.DeleteFunc(slices.Clone(packs), func(p mapping.Pack) bool { return !wanted[p.ID] })
	for _, p := range packs {
		if !wanted[p.ID] {
			found = append(found, diag.New("source-excluded", p.Origin, "the pack %s is left out of the card: the index of the marketplace does not list it", diag.Quote(p.ID)))
		}
	}
	return kept, found
}
