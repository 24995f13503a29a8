package publish

import (
	"fmt"
	"path"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// checkPaths finds paths that cannot be written, and paths of which a file
// system that ignores case or Unicode normalization could hold one only.
func checkPaths(dir string, all []tree.File) diag.List {
	var found diag.List
	taken := map[string]string{tree.Fold(tree.ManifestName): tree.ManifestName}
	for _, f := range all {
		if fault := tree.PathFault(f.Path); fault != "" {
			found = append(found, problem(rulePath, dir, "", fmt.Sprintf("the output path %q %s", f.Path, fault), ""))
			continue
		}
		key := tree.Fold(f.Path)
		if other, ok := taken[key]; ok {
			found = append(found, collision(dir, f.Path, other))
			continue
		}
		taken[key] = f.Path
	}
	reported := map[string]bool{}
	for _, f := range all {
		for parent := path.Dir(tree.Fold(f.Path)); parent != "." && parent != "/"; parent = path.Dir(parent) {
			if other, ok := taken[parent]; ok && !reported[parent] {
				reported[parent] = true
				found = append(found, problem(ruleCollision, dir, f.Path,
					fmt.Sprintf("the output path %q is a file, but %q needs a directory there", other, f.Path),
					"give the agent another id or host"))
			}
		}
	}
	return found.Sorted()
}

func collision(dir, p, other string) diag.Diagnostic {
	return problem(ruleCollision, dir, p,
		fmt.Sprintf("the output paths %q and %q are the same on systems that ignore case and Unicode normalization",
			other, p),
		"use ids or hosts that differ in more than case")
}
