package hosting

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"cardwright/internal/diag"
	"cardwright/internal/tree"
)

// S3 has no sidecars of its own and makes its tag from the bytes, so what
// counts is the upload: type, cache policy and checksum of each file, a card
// before its sidecars, and nothing that is there already. The script knows that
// by the state it left in the metadata: sync compares size and time, and would
// skip a card that changed without changing its size.
func s3(t Table) []Output {
	var outputs []Output
	for _, s := range t.Sites {
		outputs = append(outputs, Output{Path: at("s3", s, "upload.sh"), Data: s3Script(t, s)})
		if t.CORS {
			outputs = append(outputs, Output{Path: at("s3", s, "cors.json"), Data: s3CORS(t)})
		}
	}
	return outputs
}

func s3Script(t Table, s Site) []byte {
	once := "put-bucket-cors --bucket BUCKET --cors-configuration file://cors.json"
	if !t.CORS {
		once = "delete-bucket-cors --bucket BUCKET, where it had rules"
	}
	var b bytes.Buffer
	b.WriteString("#!/bin/sh\n")
	b.WriteString(head("#", "s3",
		"use: sh upload.sh "+root(t, s)+" BUCKET, once per deploy; needs the AWS command line, and reads its environment",
		"once per bucket: aws s3api "+once))
	b.WriteString(s3Functions)
	for _, e := range s.Entries {
		if e.directory() {
			continue
		}
		cache := value(e.Headers, "Cache-Control")
		s3File(&b, e.Path, e.ContentType, cache, e.Digest)
		if !e.Sidecars {
			continue
		}
		for _, suffix := range []string{tree.ETagSuffix, tree.ChecksumSuffix} {
			s3File(&b, e.Path+suffix, "text/plain", cache, tree.DigestOf([]byte(tree.SidecarText(e.Path, suffix, e.Digest))))
		}
	}
	return b.Bytes()
}

const s3Functions = `
set -eu
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh DIR BUCKET" >&2
  exit 2
fi
out=$1
bucket=$2

# put KEY TYPE CACHE-CONTROL STATE CHECKSUM, unless that state is there already
put() {
  there=$(aws s3api head-object --bucket "$bucket" --key "$1" --output text \
    --query 'Metadata.cardwright || Metadata.Cardwright' 2>/dev/null || true)
  if [ "$there" = "$4" ]; then
    return
  fi
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$out/$1" \
    --content-type "$2" --cache-control "$3" --metadata "cardwright=$4" \
    --checksum-sha256 "$5" --output text --query ETag >/dev/null
  printf 'uploaded %s\n' "$1"
}

`

// s3File writes the upload of one file. Its state stands for all that is
// uploaded: the bytes, their type and the cache policy.
func s3File(b *bytes.Buffer, p, contentType, cache string, digest tree.Digest) {
	state := tree.DigestOf(fmt.Appendf(nil, "%s\n%s\n%s\n", contentType, cache, digest))
	fmt.Fprintf(b, "put %s %s %s %s %s\n", shQuote(strings.TrimPrefix(p, "/")), shQuote(contentType), shQuote(cache),
		state, base64.StdEncoding.EncodeToString(digest[:]))
}

type s3Config struct {
	CORSRules []s3Rule
}

type s3Rule struct {
	ID             string
	AllowedOrigins []string
	AllowedMethods []string
	AllowedHeaders []string
	ExposeHeaders  []string
	MaxAgeSeconds  int
}

func s3CORS(t Table) []byte {
	return encode(s3Config{CORSRules: []s3Rule{{
		ID:             Marker,
		AllowedOrigins: []string{"*"},
		AllowedMethods: []string{"GET", "HEAD"},
		AllowedHeaders: strings.Split(value(t.Preflight, "Access-Control-Allow-Headers"), ", "),
		ExposeHeaders:  []string{"ETag"},
		MaxAgeSeconds:  86400,
	}}})
}

// shQuote writes a word of the POSIX shell.
func shQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// yamlQuote writes a scalar of YAML in single quotes.
func yamlQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func s3Limits(Table) diag.List {
	return cannot("s3 cannot send Deprecation, Link and Sunset with the legacy path",
		"add them with a response headers policy of CloudFront")
}
