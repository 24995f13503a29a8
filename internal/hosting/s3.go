package hosting

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// S3 gets the upload, rules for scripts of other origins, and what CloudFront needs
// in front of it to send what S3 cannot.
func s3(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs, Output{Path: at("s3", s, "upload.sh"), Data: s3Store(t).script(t, s)})
		if t.CORS {
			outputs = append(outputs, Output{Path: at("s3", s, "cors.json"), Data: s3CORS(t)})
		}
		outputs = append(outputs,
			Output{Path: at("s3", s, "cloudfront-headers.json"), Data: cloudfrontHeaders(t)},
			Output{Path: at("s3", s, "cloudfront-function.js"), Data: cloudfrontFunction(t, s)})
	}
	return outputs
}

func s3CORS(t Table) []byte {
	rule := source.NewObject(6)
	rule.SetText("ID", Marker)
	rule.SetTexts("AllowedOrigins", t.origins())
	rule.SetTexts("AllowedMethods", []string{"GET", "HEAD"})
	rule.SetTexts("AllowedHeaders", allowedHeaders(t))
	rule.SetTexts("ExposeHeaders", []string{"ETag"})
	rule.Set("MaxAgeSeconds", source.NewInt(maxAge))
	rules := source.NewObject(1)
	rules.Set("CORSRules", &source.Node{Kind: source.Array, Items: []*source.Node{rule}})
	return schema.Write(rules)
}

// cloudfrontHeaders is a response headers policy of CloudFront. It is the same for
// all sites, so that one is enough.
func cloudfrontHeaders(t Table) []byte {
	policy := source.NewObject(4)
	policy.SetText("Comment", Marker)
	policy.SetText("Name", "cardwright")
	if t.CORS {
		cors := source.NewObject(7)
		items := func(key string, list ...string) {
			n := source.NewObject(2)
			n.Set("Quantity", source.NewInt(len(list)))
			n.SetTexts("Items", list)
			cors.Set(key, n)
		}
		items("AccessControlAllowOrigins", t.origins()...)
		items("AccessControlAllowHeaders", allowedHeaders(t)...)
		items("AccessControlAllowMethods", strings.Split(Methods, ", ")...)
		cors.Set("AccessControlAllowCredentials", source.NewBool(false))
		items("AccessControlExposeHeaders", "ETag", "Link", "Deprecation")
		cors.Set("AccessControlMaxAgeSec", source.NewInt(maxAge))
		cors.Set("OriginOverride", source.NewBool(true))
		policy.Set("CorsConfig", cors)
	}
	options := source.NewObject(1)
	options.Set("Override", source.NewBool(true))
	security := source.NewObject(1)
	security.Set("ContentTypeOptions", options)
	policy.Set("SecurityHeadersConfig", security)
	return schema.Write(policy)
}

// cloudfrontFunction knows files by the form of their paths: a function of
// CloudFront has 10 KB at most, which is too little for a list.
func cloudfrontFunction(t Table, s Site) []byte {
	var b bytes.Buffer
	b.WriteString(head("//", "s3",
		"use: a function of CloudFront (cloudfront-js-2.0) for viewer requests and viewer responses"+
			" of the behaviour that serves the bucket,",
		"with the response headers policy of cloudfront-headers.json"))
	fmt.Fprintf(&b, "\nvar ours = new RegExp(%s);\nvar unserved = new RegExp(%s);\n",
		strconv.Quote(`/\.well-known/[^/]+(?:/[^/]+)*/?$`), strconv.Quote(hidden(s.Entries)))
	b.WriteString("\nvar preflight = {\n")
	preflight := "preflight"
	for _, h := range t.Preflight {
		if h.Value == RequestOrigin {
			preflight = "allowed(request)"
			continue
		}
		fmt.Fprintf(&b, "  %s: { value: %s },\n", strconv.Quote(strings.ToLower(h.Name)), strconv.Quote(h.Value))
	}
	b.WriteString("};\n\n// headers of the legacy path, beside Link\nvar legacy = {\n")
	if i := slices.IndexFunc(s.Entries, func(e Entry) bool { return successor(e.Path) != "" }); i >= 0 {
		for _, name := range []string{"Deprecation", "Sunset"} {
			if v := value(s.Entries[i].Headers, name); v != "" {
				fmt.Fprintf(&b, "  %s: { value: %s },\n", strconv.Quote(strings.ToLower(name)), strconv.Quote(v))
			}
		}
	}
	b.WriteString("};\n\n// Link of pages that announce catalogs\nvar links = {\n")
	for _, e := range s.Entries {
		if link := value(e.Headers, "Link"); link != "" && successor(e.Path) == "" {
			fmt.Fprintf(&b, "  %s: %s,\n", strconv.Quote(e.Path), strconv.Quote(link))
		}
	}
	b.WriteString("};\n")
	if preflight != "preflight" {
		fmt.Fprintf(&b, "\n"+script("cloudfront-origins.js"), schema.WriteCompact(array(t.Origins, source.NewText)))
	}
	fmt.Fprintf(&b, "\n"+script("cloudfront-handler.js"), preflight, Methods)
	return b.Bytes()
}

// cloudfrontOrigins answers a preflight for one of several origins.
func s3Limits(Table) diag.List {
	return cannot("s3 cannot send Deprecation, Link and Sunset with the legacy path, and answers OPTIONS to browsers only",
		"put CloudFront in front, with the function and the response headers policy that are written beside the upload")
}
