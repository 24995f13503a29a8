#!/usr/bin/env bash
# Rewrites the schemas, expected trees, lists and pages that follow from tables. Each
# round reads what those before it wrote; one that fails does not stop the others.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=()
update() {
  echo "go test $*"
  go test "$@" -update || failed+=("$*")
}

if [[ -n ${1-} ]]; then
  [[ -d testdata/workspaces/$1 ]] || { echo "there is no testdata/workspaces/$1" >&2; exit 1; }
  update ./golden -run '^TestGolden$/^'"$1"'(\.|$)'
else
  (cd internal/diag && go generate .) || failed+=('go generate ./internal/diag')
  update ./internal/config -run '^TestGenerated$'
  update ./schema -run '^TestSchemasFollowTheTable$'
  update ./docs -run '^(TestServersAreListed|TestSourcesFollowTheirTable)$'
  update ./schema
  update ./golden ./internal/lint
  update ./internal/cli -run '^TestScripts$/^rules$'
  update ./docs
fi
for round in "${failed[@]}"; do
  echo "failed: $round" >&2
done
[[ ${#failed[@]} == 0 ]]
