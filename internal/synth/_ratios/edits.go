//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"cardwright/internal/synth"
)

// edits prints how long it takes until what is saved in a skill is on disk in its
// card, while a run watches 500 agents.
func (b *bench) edits(ctx context.Context) error {
	dir, err := b.write(ctx, synth.Size{Agents: 500, Skills: 5000, Files: 40})
	if err != nil {
		return err
	}
	skills, err := filepath.Glob(filepath.Join(dir, "teams", "*", synth.Group(0), "*", "SKILL.md"))
	if err != nil {
		return err
	}
	watch := exec.CommandContext(ctx, b.program(), "generate", "-q", "--watch")
	watch.Dir = dir
	if err := watch.Start(); err != nil {
		return err
	}
	took, err := saved(skills[0], filepath.Join(dir, "dist", synth.Group(0), ".well-known", "agent-card.json"))
	err = errors.Join(err, watch.Process.Kill())
	_ = watch.Wait() // it was killed
	if err != nil {
		return err
	}
	slices.Sort(took)
	fmt.Printf("\nAn edit under --watch is on disk after %s (median) and %s (most).\n",
		milliseconds(took[len(took)/2]), milliseconds(took[len(took)-1]))
	return nil
}

// saved saves a skill 20 times, and returns how long each change took to be on a card.
func saved(skill, card string) (took []time.Duration, err error) {
	const edits, pause, settle, patience = 20, 300 * time.Millisecond, 5 * time.Second, time.Minute
	text, err := os.ReadFile(skill)
	if err != nil {
		return nil, err
	}
	time.Sleep(settle)
	for i := range edits {
		changed := fmt.Appendf(nil, "Edited %d times, handles", i)
		edited := bytes.Replace(text, []byte("Handles"), changed, 1)
		if err := os.WriteFile(skill, edited, 0o644); err != nil {
			return nil, err
		}
		begin := time.Now()
		for {
			if data, _ := os.ReadFile(card); bytes.Contains(data, changed) { // there may be none for a moment
				break
			}
			if time.Since(begin) > patience {
				return nil, fmt.Errorf("%s: the change does not come", card)
			}
			time.Sleep(time.Millisecond)
		}
		took = append(took, time.Since(begin))
		time.Sleep(pause)
	}
	return took, nil
}
