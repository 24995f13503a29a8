package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"cardwright": main})
}

// TestScripts runs every command the way a user does. One directory a command.
func TestScripts(t *testing.T) {
	t.Parallel()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob("testdata/script/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts below testdata/script: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Setup: func(env *testscript.Env) error {
					env.Setenv("ROOT", root)
					env.Setenv("NO_COLOR", "1")
					env.Setenv("GORACE", os.Getenv("GORACE"))
					return nil
				},
			})
		})
	}
}
