package hosting

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/source"
	"cardwright/schema"
)

// S3 gets the upload, rules for scripts of other origins, and what CloudFront needs
// in front of it to send what S3 cannot.
func s3(t Table) []Output {
	var outputs []Output
	cors, headers := s3CORS(t), cloudfrontHeaders(t)
	for _, s := range t.Sites {
		if len(s.Entries) > 0 {
			outputs = append(outputs, Output{Path: at("s3", s, "upload.sh"), Data: fill("upload.sh", s3Store(t).upload(t, s))})
		}
		if t.CORS && len(s.Entries) > 0 {
			outputs = append(outputs, Output{Path: at("s3", s, "cors.json"), Data: cors})
		}
		outputs = append(outputs,
			Output{Path: at("s3", s, "cloudfront-headers.json"), Data: headers},
			Output{Path: at("s3", s, cloudfrontName), Data: cloudfrontFunction(t, s)})
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
func cloudfrontFunction(t Table, s WebRoot) []byte {
	data := struct {
		Table
		WebRoot
		OriginList    string   // as JSON
		Legacy, Links []Header // of the legacy path, and Link by the path of a page
		Redirected    []Header // the same for all that has moved
	}{Table: t, WebRoot: s, OriginList: schema.WriteCompact(source.NewTexts(t.Origins))}
	if i := slices.IndexFunc(s.Entries, func(e Entry) bool { return successor(e.Path) != "" }); i >= 0 {
		for _, name := range []string{"Deprecation", "Sunset"} {
			if v := Value(s.Entries[i].Headers, name); v != "" {
				data.Legacy = append(data.Legacy, Header{name, v})
			}
		}
	}
	for _, e := range s.Entries {
		if link := Value(e.Headers, "Link"); link != "" && successor(e.Path) == "" {
			data.Links = append(data.Links, Header{e.Path, link})
		}
	}
	if len(s.Moved) > 0 {
		data.Redirected = s.Moved[0].Headers
	}
	return fill(cloudfrontName, data)
}

// cloudfrontName is the file of the function.
const cloudfrontName = "cloudfront-function.js"

// cloudfrontBytes is how large a function of CloudFront may be.
const cloudfrontBytes = 10 << 10

func s3Limits(_ Table, made []Output) diag.List {
	found := cannot(
		"s3 cannot redirect, send Deprecation, Link and Sunset with the legacy path, or answer OPTIONS to all clients",
		"put CloudFront in front, with the function and the response headers policy that are written beside the upload")
	for _, o := range made {
		if n := len(o.Data); path.Base(o.Path) == cloudfrontName && n > cloudfrontBytes {
			found = append(found, tooMuch(fmt.Sprintf("CloudFront takes a function of at most %d bytes, and %s has %d",
				cloudfrontBytes, o.Path, n), "remove former directories from moved")...)
		}
	}
	return found
}
