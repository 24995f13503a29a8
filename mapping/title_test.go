package mapping

import (
	"strings"
	"testing"
)

func TestValidID(t *testing.T) {
	for id := range strings.FieldsSeq("PDF a--b -a a_b " + strings.Repeat("a", 65)) {
		if validID(id) || validID("") || !validID("a-1") || !validID(strings.Repeat("ä", 64)) {
			t.Error(id)
		}
	}
}

// Names are spelled by a table and by the brands of the card, and by nothing else.
func TestTitleByTable(t *testing.T) {
	for _, tt := range []struct{ id, want, brand string }{
		{"github-pr-review", "GitHub PR Review", ""},
		{"power-builder", "Power Builder", ""},
		{"never-stop", "Never Stop", ""},
		{"cicd", "CI/CD", ""},
		{"datarobot-predict", "DataRobot Predict", "DataRobot, Inc."},
		{"datarobot-predict", "Datarobot Predict", ""},
		{"Ahrefs Automation", "Ahrefs Automation", ""},
		{"aws-cost-report", "AWS Cost Report", ""},
		{"guide-to_sql", "Guide to SQL", ""},
		{"été", "Été", ""},
		{"", "", ""},
	} {
		if got := Title(tt.id, tt.brand); got != tt.want {
			t.Errorf("%q with %q: got %q, want %q", tt.id, tt.brand, got, tt.want)
		}
	}
}
