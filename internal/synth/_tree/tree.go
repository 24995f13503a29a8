// Tree writes a tree of synthetic skills: tree DIR GROUPS SKILLS [TEAMS].
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
	if len(args) != 3 && len(args) != 4 {
		return errors.New("usage: tree DIR GROUPS SKILLS [TEAMS], with the number of skills in one group")
	}
	var numbers []int
	for _, arg := range args[1:] {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return err
		}
		numbers = append(numbers, n)
	}
	groups, skills := numbers[0], numbers[1]
	if len(numbers) == 3 {
		return synth.WriteFleet(args[0], numbers[2], groups, skills)
	}
	return synth.Write(args[0], groups, skills)
}
