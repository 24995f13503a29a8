package hosting

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRates compares each server with itself without our configuration, by requests per
// second and by processor time per request. The two take turns in short slices, so that
// other work on the machine slows both. It is for the nightly run.
func TestRates(t *testing.T) {
	if os.Getenv("NIGHTLY") == "" {
		t.Skip("rates are measured in the nightly run")
	}
	for _, s := range []struct {
		name  string
		start func(t *testing.T, root string, plain bool) string
		goal  float64
	}{
		{"nginx", func(t *testing.T, root string, plain bool) string { t.Helper(); return nginx(t, root, "", plain) }, 0.9},
		{"apache", func(t *testing.T, root string, plain bool) string {
			t.Helper()
			url, _ := apache(t, root, "apache", 0, "", plain)
			return url
		}, 0.8},
		{"htaccess", func(t *testing.T, root string, plain bool) string {
			t.Helper()
			url, _ := apache(t, root, "htaccess", 1, "", plain)
			return url
		}, 0.6},
		{"caddy", func(t *testing.T, root string, plain bool) string {
			t.Helper()
			url, _ := caddy(t, root, "http://", "", plain)
			return url
		}, 0.8},
	} {
		for _, agents := range []int{10, 100, 1000} {
			t.Run(fmt.Sprintf("%s/%d", s.name, agents), func(t *testing.T) {
				base := t.TempDir()
				tree(t, filepath.Join(base, "ours"), agents, 'a')
				tree(t, filepath.Join(base, "plain"), agents, 'a')
				ours := measure(t, func() string { return s.start(t, filepath.Join(base, "ours"), false) })
				plain := measure(t, func() string { return s.start(t, filepath.Join(base, "plain"), true) })
				for range turns {
					ours.slice(t, agents)
					plain.slice(t, agents)
				}
				ratio := median(ours.rates) / median(plain.rates)
				work := (plain.work() / plain.requests) / (ours.work() / ours.requests)
				t.Logf("%.2f of the requests per second (%.0f of %.0f), %.2f by processor time", ratio, median(ours.rates),
					median(plain.rates), work)
				if max(ratio, work) < s.goal-noise {
					t.Errorf("the goal is %.1f", s.goal)
				}
			})
		}
	}
}

const (
	turns     = 20
	noise     = 0.1 // between two runs on a machine that does other work
	sliceTime = 200 * time.Millisecond
)

// measured is a server under measurement.
type measured struct {
	url      string
	pids     []int // of its processes
	before   float64
	rates    []float64
	requests float64
}

func measure(t *testing.T, start func() string) *measured {
	t.Helper()
	before := processes()
	m := &measured{url: start()}
	_ = ask(t, "GET", m.url+"/.well-known/agent-card.json")
	time.Sleep(100 * time.Millisecond) // until its workers are there
	for pid := range processes() {
		if _, old := before[pid]; !old {
			m.pids = append(m.pids, pid)
		}
	}
	m.before = m.work()
	return m
}

// slice sends requests for a while.
func (m *measured) slice(t *testing.T, agents int) {
	t.Helper()
	counts := make(chan int)
	started := time.Now()
	for w := range 4 {
		go func() {
			n := 0
			for ; time.Since(started) < sliceTime; n++ {
				path := "/.well-known/agent-card.json"
				if i := (n*7 + w) % agents; i > 0 {
					path = fmt.Sprintf("/teams/agent-%d%s", i, path)
				}
				resp, err := client.Get(m.url + path)
				if err != nil {
					t.Error(err)
					break
				}
				_, _ = new(bytes.Buffer).ReadFrom(resp.Body)
				resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					t.Error(resp.Status)
				}
			}
			counts <- n
		}()
	}
	all := 0
	for range 4 {
		all += <-counts
	}
	m.rates = append(m.rates, float64(all)/time.Since(started).Seconds())
	m.requests += float64(all)
}

// work is the processor time of the server since the measurement began, in ticks.
func (m *measured) work() float64 {
	all := processes()
	sum := -m.before
	for _, pid := range m.pids {
		sum += all[pid]
	}
	return sum
}

// processes are the descendants of this process, with their processor time in ticks.
func processes() map[int]float64 {
	all, parents := map[int]float64{}, map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		parents[pid], _ = strconv.Atoi(fields[1])
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		all[pid] = user + system
	}
	maps.DeleteFunc(all, func(pid int, _ float64) bool {
		for pid = parents[pid]; pid > 1; pid = parents[pid] {
			if pid == os.Getpid() {
				return false
			}
		}
		return true
	})
	return all
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}
