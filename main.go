// Cardwright publishes A2A Agent Cards as static files.
package main

import (
	"os"

	"cardwright/internal/cli"
)

// version is set by the linker in releases.
var version string

func main() {
	os.Exit(cli.Run(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, version))
}
