package hosting

import (
	"bytes"
	"fmt"

	"cardwright/internal/diag"
)

// What the platforms document as their bounds, and what lighttpd 1.4.69 was
// found to take: 2,000 conditions, some of which are the operator's own.
const (
	cloudflareRules    = 100
	azureBytes         = 20 << 10
	lighttpdConditions = 1900
)

// limits tells what a target cannot do for this table.
func limits(target string, t Table) diag.List {
	switch target {
	case "cloudflare":
		for _, s := range t.Sites {
			if n := len(s.Entries); n > cloudflareRules {
				return tooMuch(fmt.Sprintf("cloudflare reads %d rules of _headers, and %d are needed", cloudflareRules, n), "turn legacyPath off, or deploy the agents as several projects with layout host")
			}
		}
	case "azure":
		for _, o := range azure(t) {
			if n := len(o.Data); n > azureBytes {
				return tooMuch(fmt.Sprintf("azure reads a configuration of at most %d bytes, and %s has %d", azureBytes, o.Path, n), "turn legacyPath off, or deploy the agents as several apps with layout host")
			}
		}
	case "lighttpd":
		config := lighttpd(t)[0].Data
		if n := bytes.Count(config, []byte("$HTTP[")) + bytes.Count(config, []byte("$REQUEST_HEADER[")); n > lighttpdConditions {
			return tooMuch(fmt.Sprintf("lighttpd reads %d conditions, and %d are needed", lighttpdConditions, n), "turn legacyPath off, or divide the agents among several output directories")
		}
	case "github-pages":
		return cannot("github-pages sends no headers of ours: no cache policy, and nothing on the legacy path", "put a CDN in front where that matters")
	case "s3":
		return cannot("s3 cannot send Deprecation, Link and Sunset with the legacy path", "add them with a response headers policy of CloudFront")
	}
	return nil
}

func tooMuch(message, hint string) diag.List {
	return diag.List{{Rule: "hosting-limit", Severity: diag.Error, Pointer: "/servers", Message: message, Hint: hint}}
}

func cannot(message, hint string) diag.List {
	return diag.List{{Rule: "hosting-headers", Severity: diag.Info, Pointer: "/servers", Message: message, Hint: hint}}
}
