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

// programs names the programs that no manifest describes, beside others that one
// does or where there is no manifest at all. Helmdeck runs them as packs that say
// nothing of themselves.
func (w *walker) programs(manifests []skillFile) diag.List {
	described, beside := map[string]bool{}, map[string]bool{}
	for _, f := range manifests {
		if name, ok := strings.CutPrefix(packCalled(f.name), programPrefix); ok {
			beside[path.Dir(f.name)] = true
			described[path.Join(path.Dir(f.name), name)] = true
		}
	}
	if info, err := fs.Stat(w.tree.FS, w.tree.Root); len(manifests) == 0 && err == nil && info.IsDir() {
		beside[w.tree.Root] = true
	}
	var found diag.List
	for _, at := range slices.Sorted(maps.Keys(beside)) {
		for _, e := range w.entries(dir{name: at}) {
			file, name := path.Join(at, e.Name()), programName(e.Name())
			if described[path.Join(at, name)] || name == "" || w.excluded(dir{name: file}) != nil {
				continue
			}
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				found = append(found, diag.New("source-incomplete", diag.Span{File: w.tree.Show(file)}, "the program has no manifest, so it is left out of the card").
					WithHint("describe it in "+name+"."+packName+".yaml beside it"))
			}
		}
	}
	return found
}

// programPrefix begins what Helmdeck calls a pack that is a program.
const programPrefix = "cmd."

// packCalled is what Helmdeck calls a pack without a name: as its program, or else
// as its directory.
func packCalled(name string) string {
	if program, ok := strings.CutSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), "."+packName); ok {
		return programPrefix + programName(program)
	}
	return path.Base(path.Dir(name))
}

// programName is the name of a program in that of its pack: without extension, in
// lower-case letters, digits and hyphens.
func programName(file string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '-', r == '_':
			return '-'
		}
		return -1
	}, strings.ToLower(strings.TrimSuffix(file, path.Ext(file))))
	return strings.Trim(name, "-")
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
