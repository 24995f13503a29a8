#!/usr/bin/env bash
# Runs a built program on every example, as a stranger would, and compares each tree
# with golden/ byte for byte. It needs nothing but bash and what comes with git.
#
#   .ci/smoke.sh PROGRAM [WORD…]
#
# PROGRAM and the words after it are the command, such as: wine64 cardwright.exe.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=("$@")
[[ ${#program[@]} -gt 0 ]] || { echo "usage: .ci/smoke.sh PROGRAM" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
windows=
case "$(uname -s) ${program[*]}" in MINGW* | MSYS* | *.exe*) windows=yes ;; esac

run() { "${program[@]}" "$@"; }

step() { printf '%s\n' "smoke: $*"; }

fail() {
  echo "smoke: $*" >&2
  exit 1
}

# status WANT ARGS… wants an exit code.
status() {
  local want=$1 code=0
  shift
  run "$@" >"$work/out" 2>&1 </dev/null || code=$?
  [[ $code == "$want" ]] || fail "cardwright $*: exit code $code, want $want: $(cat "$work/out")"
}

# same TREE wants the directory dist here to be a tree of golden/.
same() {
  diff -r "$root/golden/$1" dist >"$work/diff" || fail "the tree is not golden/$1: $(head -c 2000 "$work/diff")"
}

step "every example"
cp -R "$root/testdata/workspaces" "$work/w"
for example in acme-agents capability-packs code-review fast-agents forge-project mcp-tools mixed-sources; do
  cd "$work/w/$example"
  status 0 generate -q --out dist
  same "$example"
  status 0 generate -q --out dist
  status 0 generate --check --out dist
  printf ' ' >>"$(find dist -name agent-card.json | head -n 1)"
  status 1 generate --check --out dist
  rm -rf dist
done
cd "$work/w/acme-agents"
status 0 generate -q --env staging --out dist
same acme-agents.staging
rm -rf dist

step "every command"
cd "$work/w/code-review"
status 0 --version
status 0 --help
status 0 generate -q --out dist
card=dist/.well-known/agent-card.json
status 0 lint
status 0 lint "$card"
status 0 diff "$card" "$card"
status 0 convert --to 0.3 "$card" -o converted.json
status 0 verify dist
status 0 schema config
status 0 rules skill-tags-missing
status 0 completion bash
status 0 key new --out key.pem
status 0 convert --to 1.0 "$card" -o signed.json
status 0 sign signed.json --key file:key.pem
status 2 generate --no-such-flag
mkdir "$work/new"
cp -R skills "$work/new/"
(cd "$work/new" && status 0 init)

step "awkward places"
long=$work/$(printf 'a-long-name-%.0s' 1 2 3 4 5 6 7 8)
mkdir -p "$long/$(basename "$long")/it's here"
cp -R "$work/w/code-review" "$long/$(basename "$long")/it's here/ä"
cd "$long/$(basename "$long")/it's here/ä"
rm -rf dist
status 0 generate -q --out dist
same code-review

if [[ -n $windows ]]; then
  step "paths as Windows spells them"
  cd "$work/w/code-review"
  rm -rf dist
  status 0 generate -q --config '.\cardwright.yaml' --out 'made\dist'
  diff -r "$root/golden/code-review" made/dist || fail "backslashes lead elsewhere"
fi

step "a checkout with CRLF"
cd "$work/w/code-review"
rm -rf dist
status 0 generate -q --out dist
sed 's/$/\r/' "$card" >"$work/crlf" && cp "$work/crlf" "$card"
status 1 generate --check --out dist
grep -q 'line endings' "$work/out" || fail "a checkout with CRLF is not named: $(cat "$work/out")"

step "two at a time"
rm -rf dist
for round in 1 2 3; do
  run generate -q --out dist --set version="1.0.$round" >/dev/null 2>&1 </dev/null &
  run generate -q --out dist >/dev/null 2>&1 </dev/null &
  wait
  status 0 verify dist
done

step "passed with ${program[*]}"
