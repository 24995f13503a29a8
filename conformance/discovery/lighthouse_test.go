package discovery

import (
	"os"
	"path/filepath"
	"testing"
)

// Lighthouse finds nothing to improve in what agents look for on the page.
func TestLighthouse(t *testing.T) {
	t.Parallel()
	node := install(t)
	if chromium() == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("chromium is missing: CI has to open the page")
		}
		t.Skip("chromium is missing: Lighthouse does not judge the page in this run")
	}
	report := filepath.Join(t.TempDir(), "report.json")
	config, err := filepath.Abs("js/node_modules/lighthouse/core/config/agentic-browsing-config.js")
	if err != nil {
		t.Fatal(err)
	}
	run(t, node, t.TempDir(), "node_modules/lighthouse/cli/index.js", serve(t, host)+"/",
		"--only-categories=agentic-browsing", "--config-path="+config,
		"--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage",
		"--output=json", "--output-path="+report, "--quiet", "--no-enable-error-reporting")
	var result struct {
		Audits map[string]struct {
			Score   *float64
			Details any
		}
	}
	readJSON(t, report, &result)
	if result.Audits["ard-schema"].Score == nil {
		t.Error("Lighthouse did not find the manifest")
	}
	for name, audit := range result.Audits {
		if audit.Score != nil && *audit.Score < 1 {
			t.Errorf("%s scores %v: %v", name, *audit.Score, audit.Details)
		}
	}
}
