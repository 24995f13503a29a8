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
	return schema.Write(source.ObjectOf("CORSRules", source.ArrayOf(source.ObjectOf(
		"ID", Marker,
		"AllowedOrigins", t.origins(),
		"AllowedMethods", []string{"GET", "HEAD"},
		"AllowedHeaders", allowedHeaders(t),
		"ExposeHeaders", []string{"ETag"},
		"MaxAgeSeconds", maxAge,
	))))
}

// cloudfrontHeaders is a response headers policy of CloudFront. It is the same for
// all sites, so that one is enough.
func cloudfrontHeaders(t Table) []byte {
	var cors *source.Node
	if t.CORS {
		items := func(list ...string) *source.Node { return source.ObjectOf("Quantity", len(list), "Items", list) }
		cors = source.ObjectOf(
			"AccessControlAllowOrigins", items(t.origins()...),
			"AccessControlAllowHeaders", items(allowedHeaders(t)...),
			"AccessControlAllowMethods", items(strings.Split(Methods, ", ")...),
			"AccessControlAllowCredentials", false,
			"AccessControlExposeHeaders", items("ETag", "Link", "Deprecation"),
			"AccessControlMaxAgeSec", maxAge,
			"OriginOverride", true,
		)
	}
	return schema.Write(source.ObjectOf(
		"Comment", Marker,
		"Name", "cardwright",
		"CorsConfig", cors,
		"SecurityHeadersConfig", source.ObjectOf("ContentTypeOptions", source.ObjectOf("Override", true)),
	))
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
			if v := Value(s.Entries[i].Headers, name); v != "" {
				fmt.Fprintf(&b, "  %s: { value: %s },\n", strconv.Quote(strings.ToLower(name)), strconv.Quote(v))
			}
		}
	}
	b.WriteString("};\n\n// Link of pages that announce catalogs\nvar links = {\n")
	for _, e := range s.Entries {
		if link := Value(e.Headers, "Link"); link != "" && successor(e.Path) == "" {
			fmt.Fprintf(&b, "  %s: %s,\n", strconv.Quote(e.Path), strconv.Quote(link))
		}
	}
	b.WriteString("};\n")
	if preflight != "preflight" {
		fmt.Fprintf(&b, "\n"+script("cloudfront-origins.js"), schema.WriteCompact(source.NewTexts(t.Origins)))
	}
	fmt.Fprintf(&b, "\n"+script("cloudfront-handler.js"), preflight, Methods)
	return b.Bytes()
}

// cloudfrontOrigins answers a preflight for one of several origins.
func s3Limits(Table) diag.List {
	return cannot("s3 cannot send Deprecation, Link and Sunset with the legacy path, and answers OPTIONS to browsers only",
		"put CloudFront in front, with the function and the response headers policy that are written beside the upload")
}
