#!/usr/bin/env bash
# Takes the pictures in docs/images, or in the directory that is named, of the
# page that the monorepo example makes.
#
# It needs Node and Chromium. What the letters look like is up to the fonts of
# the machine; with Inter (fonts-inter in Debian) they look as they do now.
set -euo pipefail
images=${1:-docs/images}
cd "$(dirname "$0")/.."

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
go run . -C testdata/workspaces/acme-agents generate --quiet --out "$site"
npm --prefix conformance/browser/js ci --ignore-scripts --no-audit --no-fund --silent
node conformance/browser/js/screenshots.mjs "$site/index.html" "$images" "$chromium"
