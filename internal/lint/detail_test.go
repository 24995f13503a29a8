package lint

import (
	"strings"
	"testing"

	"cardwright/internal/diag"
)

func TestInternal(t *testing.T) {
	for text, want := range map[string]string{
		"Reads /etc/acme/review.conf at start.":             "a file path",
		"Looks into ~/reviews first":                        "a file path",
		`Writes C:\Reviews\out.txt`:                         "a file path",
		`Writes to \\files\reviews`:                         "a file path",
		"file:///srv/reviews":                               "a file path",
		"Asks review-db.acme.internal for it":               "an internal host",
		"Asks http://review-db/status":                      "an internal host",
		"Asks (reviews.svc.cluster.local).":                 "an internal host",
		"Runs on build.lan, at night":                       "an internal host",
		"Calls review-db:5432":                              "an internal host",
		"Open http://localhost:3000":                        "an internal host",
		"Calls 10.1.2.3 for that":                           "an internal host",
		"请访问https://wiki.acme.corp/页面":                      "an internal host",
		"postgres://192.168.1.7/reviews":                    "an internal host",
		"Needs REVIEW_API_KEY":                              "an environment variable",
		"Set the environment variable REVIEW_HOST":          "an environment variable",
		"Stores it in $REVIEW_HOME":                         "an environment variable",
		"For React/Next.js, Vue/Nuxt.js and MSBuild/.NET":   "",
		"Speaks HTTP/1.1, GPT-4/4.5 and did:web:acme":       "",
		"Edits src/main.rs and docs/x.md":                   "",
		"Emits text/plain and application/vnd.acme.v1+json": "",
		"支持React/Next.js、Vue/Nuxt.js。请看docs/x.md":           "",
		"Questions (Q:\\nWhat?) and A:\\nBecause":           "",
		"Writes it\\nthen reads it\\n":                      "",
		"Explains INVALID_CROSS_REFERENCE_KEY":              "",
		"Explains ERR_TOKEN and MAX_TOKEN, PRIMARY_KEY":     "",
		"Joins tables on CUSTOMER_KEY":                      "",
		"Follows ISO:9001, cwe:1004, pmid:12345678, 16:9":   "",
		"At 10:30, ratio 4:3, line:1200, go:0008150":        "",
		"From 2020 on: iso27001:2022":                       "",
		"Explains 10.0.0.0/8 and 192.168.0.0/16":            "",
		"Reads s3://bucket/key and skill://review":          "",
		"See https://acme.example/docs":                     "",
		"Reads .claude/settings.local.json, settings.local": "",
		"Watches $AAPL and spends $USD":                     "",
		"Takes $ARGUMENTS as they are":                      "",
		"Loads java.lang.ThreadLocal and a.b.c":             "",
	} {
		t.Run(text, func(t *testing.T) {
			got := ""
			for word := range strings.FieldsFuncSeq(text, endsDetail) {
				if got == "" {
					got = internal(strings.TrimRight(word, ".:!?"), speaksOfVariables(text))
				}
			}
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// What is the same on many machines is info, what tells of one machine is not.
func TestSeverityOfDetails(t *testing.T) {
	for word, want := range map[string]diag.Severity{
		"$REVIEW_HOME": diag.Info, "~/reviews": diag.Info, "/etc/acme/review.conf": diag.Info,
		"/srv/reviews": 0, "/etcetera/reviews": 0, `C:\Reviews\out.txt`: 0, "review-db.acme.internal": 0,
	} {
		if got := severityOf(internal(word, true), word); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}
