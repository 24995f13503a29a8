package project

import (
	"path"

	"cardwright/internal/publish"
	"cardwright/internal/tree"
)

// former are the cards of earlier releases that stay where they are found by their
// digests, for servers whose configuration still leads there. How old they are stands
// in the manifest: a release that does not change a card makes none of it older.
func former(run *Run, public Output) []tree.File {
	settings := run.Config.Hosting
	if !settings.Immutable {
		return nil
	}
	before, _ := publish.Kept(public.Dir, publish.Options{
		Environment: run.Environment, Keep: func(_, file string) bool { return tree.IsStored(file) },
	})
	current := map[string]bool{} // by the path of such a card
	for _, f := range before {
		current[f.Path] = f.Age == 0
	}
	now, changed := map[string]bool{}, map[string]bool{} // the latter by directory
	for _, f := range public.Files {
		if tree.IsStored(f.Path) {
			now[f.Path] = true
			dir := path.Dir(f.Path)
			changed[dir] = changed[dir] || !current[f.Path]
		}
	}
	var files []tree.File
	for _, f := range before {
		newer, ours := changed[path.Dir(f.Path)]
		if !ours || now[f.Path] {
			continue
		}
		if newer || f.Age == 0 {
			f.Age++
		}
		if f.Age <= max(settings.Keep, 1) {
			f.URL, f.Sidecars = run.Config.URL(f.Path), true
			files = append(files, f)
		}
	}
	return files
}
