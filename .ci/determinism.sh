#!/usr/bin/env bash
# Generates every example project under conditions that must not matter, and
# compares the trees byte for byte with one made under plain ones. Most conditions are
# tried at once; TestDeterminism in golden has those that one process can have, each by itself.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/cardwright" .
servers=
for target in $("$work/cardwright" generate --server --generate-bash-completion); do
  [[ $target == netlify ]] || servers+=" --server $target" # which writes a file of cloudflare's
done
CGO_ENABLED=1 go build -race -o "$work/cardwright-race" .

for alg in ES256 ES384 ES512 EdDSA RS256; do
  "$work/cardwright" key new --alg "$alg" -o "$work/$alg.pem" >/dev/null
  declare -x "CARD_KEY_$alg=$(<"$work/$alg.pem")"
done

# generate NAME DIR COMMAND… makes the trees of the project in DIR with the
# given command line up to the binary, into a new directory.
generate() {
  local out=$own/$1 project=$2
  shift 2
  mkdir "$out"
  # shellcheck disable=SC2086 # two arguments for each server
  "$@" generate -q -C "$project" --out "$out/public" --private-out "$out/private" $servers
}

# same NAME compares the trees made under that name with the plain ones.
same() {
  diff -r "$own/plain" "$own/$1" || { echo "$project: the tree differs: $1" >&2; exit 1; }
  made+=" $1"
  rm -rf "${own:?}/$1"
}

# copy_reversed FROM TO copies a project so that its files are created in
# reverse order.
copy_reversed() {
  (cd "$1" && find . -type f -o -type l) | LC_ALL=C sort -r | while IFS= read -r file; do
    mkdir -p "$2/$(dirname "$file")"
    cp -P "$1/$file" "$2/$file"
  done
}

# windows DIR gives every SKILL.md a byte order mark and CRLF line ends, where it
# has none.
windows() {
  find "$1" -type f -name SKILL.md | while IFS= read -r file; do
    LC_ALL=C awk 'BEGIN { printf "\357\273\277" } NR == 1 { sub(/^\357\273\277/, "") } { sub(/\r$/, ""); printf "%s\r\n", $0 }' "$file" >"$own/skill"
    cp "$own/skill" "$file"
  done
}

# compare PROJECT makes the trees of a project in a directory of its own.
compare() {
  local project=$1 own=$work/${1##*/} made=
  mkdir "$own"
  generate plain "$project" "$work/cardwright"
  [[ -n $(find "$own/plain/public" -name agent-card.json) ]] || { echo "$project: no card" >&2; exit 1; }

  copy_reversed "$project" "$own/copy"
  (cd / && umask 077 && generate otherwise "$own/copy" \
    env GOMAXPROCS=8 TZ=Pacific/Chatham LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 "$work/cardwright")
  same otherwise

  windows "$own/copy"
  generate crlf-and-bom "$own/copy" env GOMAXPROCS=1 "$work/cardwright"
  same crlf-and-bom

  generate race "$project" "$work/cardwright-race"
  same race

  rm -rf "$own"
  echo "$project:$made"
}

export work servers
export -f generate same copy_reversed windows compare
printf '%s\n' testdata/workspaces/*/cardwright.yaml | sed 's#/[^/]*$##' |
  xargs -P 2 -n 1 bash -euo pipefail -c 'compare "$0"'
