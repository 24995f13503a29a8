// Types reads the whole module as the compiler does for other systems, without compiling
// anything, its libraries and the standard library neither:
//
//	go -C .ci/tools run ./types windows/386 darwin/arm64
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	broken := 0
	for _, system := range os.Args[1:] {
		goos, goarch, _ := strings.Cut(system, "/")
		found, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax |
				packages.NeedTypes | packages.NeedTypesSizes,
			Dir:   "../..",
			Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		broken += packages.PrintErrors(found)
		fmt.Printf("%s: %d packages\n", system, len(found))
	}
	if broken > 0 {
		os.Exit(1)
	}
}
