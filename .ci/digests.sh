#!/usr/bin/env bash
# Prints the digest and the name of each container image that a release has made, as
# actions/attest-build-provenance takes them. The digests.txt of goreleaser is written
# before its images with ko are.
set -euo pipefail
jq -r '.[] | select(.type == "Docker Manifest") | "\(.extra.Digest | ltrimstr("sha256:"))  \(.name | split("@")[0])"' \
  "$(dirname "$0")/../dist/artifacts.json"
