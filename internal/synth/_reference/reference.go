// Reference is the program that cardwright is measured against: it does no more
// with the skills below a directory than [synth.Reference].
package main

import (
	"fmt"
	"os"

	"cardwright/internal/synth"
)

func main() {
	skills, err := synth.Reference(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, skills)
}
