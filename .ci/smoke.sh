#!/usr/bin/env bash
# Runs a built program on every example, as a stranger would, and compares each tree
# with golden/ byte for byte; then tries each command, interrupts runs, holds files
# open, and works in awkward places. It takes bash, what comes with git, and Go for
# the keys of the example with signatures.
#
#   .ci/smoke.sh PROGRAM [WORD...]
#
# PROGRAM and the words after it are the command, such as: wine64 cardwright.exe.
# SMOKE_CMD is how the cmd.exe of the same Windows is called, where it is no Windows
# that this script runs on.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=("$@")
[[ ${#program[@]} -gt 0 ]] || { echo "usage: .ci/smoke.sh PROGRAM" >&2; exit 2; }
work=$(mktemp -d)
started=()
trap 'for job in ${started[@]+"${started[@]}"}; do kill -KILL "$job" 2>/dev/null || true; done; rm -rf "$work"' EXIT
windows= shell=()
case "$(uname -s) ${program[*]}" in
  MINGW* | MSYS*) windows=yes shell=(cmd.exe) ;;
  *.exe*) windows=yes && read -ra shell <<<"${SMOKE_CMD:-}" ;;
esac
export MSYS2_ARG_CONV_EXCL='*' # arguments are what they are here

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

# same TREE [DIR] wants a directory, or else dist here, to be a tree of golden/.
same() {
  diff -r "$root/golden/$1" "${2:-dist}" >"$work/diff" || fail "the tree is not golden/$1: $(head -c 2000 "$work/diff")"
}

# background ARGS… starts the program, with its output in $work/background.
background() {
  set -m # with the signals that a program at a terminal gets
  "${program[@]}" "$@" >"$work/background" 2>&1 </dev/null &
  set +m
  started+=("$!")
}

# until_true WORDS… waits until a command succeeds, a minute at most.
until_true() {
  local n
  for ((n = 0; n < 600; n++)); do
    ! "$@" 2>/dev/null || return 0
    sleep 0.1
  done
  fail "this does not come true: $*: $(cat "$work/background")"
}

# native PATH spells an absolute path as the system does.
native() {
  if [[ -z $windows ]]; then
    printf '%s' "$1"
  elif command -v cygpath >/dev/null; then
    cygpath -w "$1"
  else
    printf 'Z:%s' "${1//\//\\}"
  fi
}

# crlf FILE gives a file the line ends of Windows, as git does there.
crlf() {
  awk '{ printf "%s\r\n", $0 }' "$1" >"$work/crlf"
  cp "$work/crlf" "$1"
}

step "every example"
keys=$(cd "$root" && go run ./.ci/keys)
eval "$keys"
cp -R "$root/testdata/workspaces" "$work/w"
for example in "$work"/w/*/cardwright.yaml; do
  cd "$(dirname "$example")"
  example=$(basename "$PWD")
  status 0 generate -q --out dist --private-out private
  same "$example"
  [[ ! -d $root/golden/$example.private ]] || same "$example.private" private
  status 0 generate -q --out dist --private-out private
  status 0 generate --check --out dist --private-out private
  printf ' ' >>"$(find dist -name agent-card.json | head -n 1)"
  status 1 generate --check --out dist --private-out private
  rm -rf dist private
done
for variant in acme-agents.staging forge-project.gateway; do
  cd "$work/w/${variant%.*}"
  status 0 generate -q --env "${variant#*.}" --out dist --private-out private
  same "$variant"
  rm -rf dist private
done

step "every command"
cd "$work/w/code-review"
status 0 --version
status 0 --help
status 0 --version
status 0 generate -q --out dist
card=dist/.well-known/agent-card.json
status 0 lint
status 0 lint "$card"
status 0 diff "$card" "$card"
status 0 convert --to 0.3 "$card" -o converted.json
status 0 config
status 0 verify dist
status 0 schema config
status 0 rules skill-tags-missing
status 0 completion bash
status 0 gen --generate-bash-completion
status 0 key new --out key.pem
status 0 convert --to 1.0 "$card" -o signed.json
status 0 sign signed.json --key file:key.pem
status 2 generate --no-such-flag
mkdir "$work/new"
cp -R skills "$work/new/"
(cd "$work/new" && status 0 init)
cd "$work/w/acme-agents"
for agent in code-review billing support; do
  status 0 generate -q --agent "$agent" --out "shards/$agent" --private-out "private/$agent"
done
status 0 merge shards/code-review shards/billing shards/support --out dist
same acme-agents
rm -rf dist shards private

step "commands that use the network"
cd "$work/w/code-review"
background serve --addr 127.0.0.1:0 dist
server=$!
until_true grep -q 'press Ctrl-C' "$work/background"
url=$(tr -d '\r' <"$work/background" | sed -n 's#^\(http://[^/]*\).*#\1#p' | head -n 1)
status 0 probe "$url"

# interrupted WANT JOB SIGNAL sends a signal, and wants an exit code.
# Windows knows no signals from outside: what matters there is what is left behind.
interrupted() {
  local code=0
  kill "-$3" "$2"
  wait "$2" || code=$?
  [[ -n $windows || $code == "$1" ]] || fail "SIG$3 gives exit code $code, want $1: $(cat "$work/background")"
}

step "interrupts"
interrupted 0 "$server" INT # which is how it ends
for signal in INT TERM; do
  rm -rf dist
  background generate --watch --out dist
  until_true test -s dist/cardwright.manifest.json
  interrupted 0 "$!" "$signal"
  status 0 generate -q --out dist
  same code-review
done
# A run that ends at any time leaves nothing that the next one does not put right.
# (What sends SIGINT to Windows must not do so while a program is being started.)
for signal in ${windows:-INT TERM} KILL; do
  [[ $signal != yes ]] || continue
  for delay in 0.01 0.03 0.1 0.3; do
    rm -rf dist
    background generate -q --out dist
    sleep "$delay"
    code=0
    kill "-$signal" "$!" 2>/dev/null || true
    wait "$!" 2>/dev/null || code=$?
    case $signal-$code in
      *-0 | INT-130 | TERM-130 | TERM-143 | KILL-*) ;; # 143 before it listens
      *) fail "SIG$signal after $delay s gives exit code $code: $(cat "$work/background")" ;;
    esac
    status 0 generate -q --out dist
    same code-review
  done
done

step "two at a time"
for round in 1 2 3; do
  run generate -q --out dist --set version="1.0.$round" >/dev/null 2>&1 </dev/null &
  first=$!
  run generate -q --out dist >/dev/null 2>&1 </dev/null &
  wait "$first" || fail "the first of two runs fails"
  wait "$!" || fail "the second of two runs fails"
  status 0 verify dist
done

step "files that are read-only, or that another program has open"
status 0 generate -q --out dist --set version=9.9.9
chmod -R a-w dist/.well-known/agent-card.json
status 0 generate -q --out dist
same code-review
if [[ ${#shell[@]} != 0 ]]; then
  status 0 generate -q --out dist --set version=9.9.9
  "${shell[@]}" /c 'ping -n 2 127.0.0.1 <dist\.well-known\agent-card.json >nul' >/dev/null 2>&1 &
  status 0 generate -q --out dist # waits, two seconds at most, until the other has done
  same code-review
  wait "$!" || fail "nothing had the file open"
fi

step "awkward places"
long=$work/$(printf 'a-long-name-%.0s' 1 2 3 4 5 6 7 8)
mkdir -p "$long/$(basename "$long")/it's here"
cp -R "$work/w/code-review" "$long/$(basename "$long")/it's here/ä"
rm -rf "$long/$(basename "$long")/it's here/ä/dist"
(
  cd "$long/$(basename "$long")/it's here/ä"
  status 0 generate -q --out dist
  same code-review
)
# A path of more than 260 characters, which Windows once did not know.
cd "$work/w/code-review"
status 0 generate -q --out "$(native "$long/$(basename "$long")/$(basename "$long")/dist")"
same code-review "$long/$(basename "$long")/$(basename "$long")/dist"

step "paths as the system spells them"
status 0 generate -q -C "$(native "$PWD")" --config "$(native "$PWD/cardwright.yaml")" --out "$(native "$PWD/made/here")"
same code-review made/here
if [[ -n $windows ]]; then
  status 0 generate -q --config '.\cardwright.yaml' --out 'made\too'
  same code-review made/too
  status 0 lint 'made\too\.well-known\agent-card.json'
fi

step "a checkout with CRLF"
cd "$work/w/code-review"
rm -rf dist
status 0 generate -q --out dist
crlf "$card"
status 1 generate --check --out dist
grep -q 'line endings' "$work/out" || fail "a checkout with CRLF is not named: $(cat "$work/out")"
rm -rf dist
find . -type f \( -name '*.yaml' -o -name SKILL.md \) | while IFS= read -r file; do
  crlf "$file"
done
status 0 generate -q --out dist
same code-review

step "passed with ${program[*]}"
