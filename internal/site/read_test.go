package site_test

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cardwright/internal/diag"
	"cardwright/internal/site"
	"cardwright/internal/source"
)

// beside finds the files that a fixture names in its own directory.
func beside(dir string) site.Files {
	return func(reference string) ([]byte, error) {
		u, err := url.Parse(reference)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(u.Path)
		if strings.HasSuffix(u.Path, ".well-known/agent-card.json") {
			return nil, nil // on another host
		}
		return fs.ReadFile(os.DirFS(dir), name)
	}
}

// Each bad list draws a finding of its rule with a hint or a place, and each good one none.
func TestFixtures(t *testing.T) {
	names, err := filepath.Glob("../../testdata/site/*/*.json")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d fixtures, %v", len(names), err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		bad := strings.HasPrefix(base, "bad")
		if !bad && !strings.HasPrefix(base, "ok") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rule := filepath.Base(filepath.Dir(name))
		d := site.Read(name, data, beside(filepath.Dir(name)))
		has := slices.ContainsFunc(d.Found,
			func(d diag.Diagnostic) bool { return d.Rule.String() == rule && d.Span.Line > 0 })
		if has != bad || !bad && len(d.Found) > 0 {
			t.Errorf("%s (%s): %v", name, d.Kind, d.Found)
		}
	}
}

func TestKindOf(t *testing.T) {
	for text, want := range map[string]site.Kind{
		`{"name": "A", "skills": []}`:                site.Card,
		`{"supportedInterfaces": [], "entries": []}`: site.Card,
		`{"specVersion": "0.9", "entries": []}`:      site.Catalog,
		`{"skills": [], "$schema": "x"}`:             site.SkillsIndex,
		`{"skills": [{"name": "a", "files": []}]}`:   site.SkillsIndex,
		`{"keys": []}`:         site.KeySet,
		`{"openapi": "3.1.0"}`: site.Unknown,
		`[]`:                   site.Unknown,
		`{"name": "A", "keys": [], "url": "https://a/"}`: site.Card,
	} {
		root, _ := source.ParseJSON("", []byte(text))
		if got := site.KindOf(root); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}
