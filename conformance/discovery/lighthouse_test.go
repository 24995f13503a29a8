package discovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newerType begins what Lighthouse 13.5 says of a plugin in ard.json. The tester of ARD
// takes every application type since 2026-08-27 (ards-project/ard-spec#85).
const newerType = "Media type 'application/agent-plugins+gzip' is not"

// Lighthouse finds nothing else to improve in what agents look for on the page.
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
			Details struct{ Items []struct{ Issue string } }
		}
	}
	readJSON(t, report, &result)
	ard := result.Audits["ard-schema"]
	for _, item := range ard.Details.Items {
		if !strings.HasPrefix(item.Issue, newerType) {
			t.Errorf("ard-schema: %s", item.Issue)
		}
	}
	if ard.Score == nil || *ard.Score < 0.9 {
		t.Error("Lighthouse did not take the manifest")
	}
	delete(result.Audits, "ard-schema")
	for name, audit := range result.Audits {
		if audit.Score != nil && *audit.Score < 1 {
			t.Errorf("%s scores %v: %v", name, *audit.Score, audit.Details)
		}
	}
}
