// Reference is the program that cardwright is measured against: it does no more
// with the skills below a directory than [synth.Reference], or with check behind
// it than [synth.ReferenceCheck].
package main

import (
	"fmt"
	"os"

	"cardwright/internal/synth"
)

func main() {
	read := synth.Reference
	if len(os.Args) > 2 && os.Args[2] == "check" {
		read = synth.ReferenceCheck
	}
	skills, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, skills)
}
