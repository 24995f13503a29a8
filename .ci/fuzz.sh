#!/usr/bin/env bash
# Runs every fuzz target for a while: .ci/fuzz.sh [TIME [PACKAGE…]], by default 1m
# and all packages. What a run finds it keeps in testdata/fuzz beside the target:
# commit it with the repair, go test tries it from then on.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:-1m}
shift || true

for package in $(go list "${@:-./...}"); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "== $package $target"
    # without a bound, making one finding smaller takes the minute of the target
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x "$package"
  done
done
