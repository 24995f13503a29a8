package golden_test

import (
	"strings"
	"testing"

	"cardwright/internal/config"
)

// Nothing of what runs a Forge agent gets onto its card: where it may connect,
// what it may not do, who may call it, and what its secrets are called.
func TestForgeInternalsStayInside(t *testing.T) {
	for _, environment := range []string{"", "gateway"} {
		result, _ := generated(t, workspace("forge-project"), config.Options{Environment: environment})
		for _, f := range result.Public {
			for _, private := range []string{
				"internal", "tides.harbor.example", "10.40.0.0", "egress", "allowlist", "allowed_", "denied", "http_request",
				"KUBECONFIG", "PAGER_TOKEN", "TIDES_API_KEY", "kubectl", "helm", "jq",
				"gpt-4o", "openai\"", "builtin", "datetime_now",
				"api://", "watch-officers", "/projects/", "eu-central-1", "000000000000", "realms/staff/\"",
				"officer@", "berths@", "telegram", "100424242", "morning-report",
				"Start from what changed", "Read only",
			} {
				if strings.Contains(string(f.Data), private) {
					t.Errorf("%s holds %q", f.Path, private)
				}
			}
		}
	}
}
