#!/bin/sh
# cardwright:generated - written by cardwright generate --server gcs; changes are overwritten
# use: sh cors.sh BUCKET, once per bucket: which origins may read it from scripts
# needs gcloud storage, logged in

set -eu
rules=$(mktemp)
trap 'rm -f "$rules"' EXIT
cat >"$rules" <<'END'
[
  {
    "origin": [
      "*"
    ],
    "method": [
      "GET",
      "HEAD"
    ],
    "responseHeader": [
      "ETag",
      "A2A-Version",
      "A2A-Extensions",
      "Content-Type",
      "If-None-Match",
      "Authorization",
      "Cache-Control",
      "traceparent",
      "tracestate"
    ],
    "maxAgeSeconds": 86400
  }
]
END
gcloud storage buckets update "gs://$1" --cors-file="$rules"
