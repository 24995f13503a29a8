// Tree writes a tree of synthetic skills: tree DIR GROUPS SKILLS.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"cardwright/internal/synth"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tree:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: tree DIR GROUPS SKILLS, with the number of skills in one group")
	}
	groups, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	skills, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	return synth.Write(args[0], groups, skills)
}
