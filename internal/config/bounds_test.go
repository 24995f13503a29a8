package config_test

import (
	"strings"
	"testing"

	"cardwright/internal/config"
)

// What a configuration expands to is bounded, however little it holds.
func TestExpansionIsBounded(t *testing.T) {
	const third = 350 << 10
	tests := map[string]struct {
		text string
		set  config.Options
		want string // part of a finding, "" for none
	}{
		"one long variable": {
			text: "vars: {long: " + strings.Repeat("x", third) + "}\n" + strings.Replace(minimal, "Reviews.", `"${long}"`, 1),
		},
		"used often": {
			text: "vars: {long: " + strings.Repeat("x", third) + "}\n" + strings.Replace(minimal, "Reviews.",
				`"${long}${long}${long}"`, 1),
			want: "after replacing its variables, the configuration has more than 1048576 bytes",
		},
		"large defaults of one agent": {
			text: "defaults: {description: " + strings.Repeat("x", third) + "}\n" + minimal,
		},
		"large defaults of many agents": {
			text: "defaults: {description: " + strings.Repeat("x", third) + "}\nversion: 1\nagents:\n" +
				strings.Repeat("  - {id: a}\n", 100),
			want: "the agents with their defaults make cards of more than 33554432 bytes, 32 times the limit for a source",
		},
		"deeply nested params": {
			text: minimal + "    capabilities: {extensions: [" +
				strings.Repeat("{uri: 'https://a.example', params: {a: "+strings.Repeat("[", 90)+strings.Repeat("1,", 3000)+
					strings.Repeat("]", 90)+"}},", 60) + "]}\n",
			want: "the agents with their defaults make cards of more than 33554432 bytes",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, found := load(t, tt.text, tt.set)
			all := strings.Join(found, "\n")
			if tt.want == "" && len(found) > 0 || !strings.Contains(all, tt.want) {
				t.Errorf("want %q, found %.500s", tt.want, all)
			}
			if len(found) > 1 {
				t.Errorf("one fault is reported %d times", len(found))
			}
		})
	}
}
