#!/bin/sh
# cardwright:generated - written by cardwright generate --server azure-blob; changes are overwritten
# use: sh upload.sh [--delete] public/acme/cards.v1 CONTAINER, once per deploy; needs the Azure command line, and AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_AUTH_MODE=login, or their like, in the environment
# once per container: sh cors.sh

set -eu
remove=
if [ "${1-}" = --delete ]; then
  remove=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh [--delete] DIR CONTAINER" >&2
  exit 2
fi
out=$1
bucket=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

# list: key, tab and hash of each object
list() {
  az storage blob list --container-name "$bucket" --num-results '*' --prefix 'acme/cards.v1/' --query '[].[name,properties.contentSettings.contentMd5]' --output tsv
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  az storage blob upload-batch --destination "$bucket" --source "$1" --content-type "$2" \
    --content-cache-control "$3" --overwrite --no-progress --output none
}
# put KEY FILE TYPE CACHE-CONTROL
put() {
  az storage blob upload --container-name "$bucket" --name "$1" --file "$2" --content-type "$3" \
    --content-cache-control "$4" --overwrite --no-progress --output none
}
fetch() { az storage blob download --container-name "$bucket" --name "$1" --file "$2" --no-progress --output none; }
# the command line deletes one blob, or those of a pattern
drop() {
  while IFS= read -r key; do
    az storage blob delete --container-name "$bucket" --name "$key" --output none </dev/null
  done <"$1"
}

# group TYPE CACHE-CONTROL [KEY]: of the objects that follow, or of one large one
# object KEY HASH
objects() {
  :
  group 'application/json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'acme/cards.v1/.well-known/agent-card.json' 'YO+jED6w2vZCNrXCQMwp5A=='
  object 'acme/cards.v1/.well-known/agent.json' 'YO+jED6w2vZCNrXCQMwp5A=='
  object 'acme/cards.v1/billing/.well-known/agent-card.json' 'dlRV+9jp1bkQK6Ac4iC8bw=='
  object 'acme/cards.v1/billing/.well-known/agent.json' 'dlRV+9jp1bkQK6Ac4iC8bw=='
  group 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'acme/cards.v1/.well-known/jwks.json' '3rdHEO0K+sCDcI7azl6SHQ=='
  object 'acme/cards.v1/billing/.well-known/jwks.json' '3rdHEO0K+sCDcI7azl6SHQ=='
  group 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'acme/cards.v1/.well-known/ai-catalog.json' 'RaS0dr8zJ9FCtNHlV79Njw=='
  object 'acme/cards.v1/billing/.well-known/ai-catalog.json' 'RaS0dr8zJ9FCtNHlV79Njw=='
  group 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'acme/cards.v1/billing/index.html' 'Z+vGnHcIz7bBY7QYoD3/JA=='
  object 'acme/cards.v1/index.html' 'Z+vGnHcIz7bBY7QYoD3/JA=='
}
prefix='acme/cards.v1/'
state_hash='metB0L9ez6I1AYxu6Vuw6g=='
state='acme/cards.v1/cardwright.state.txt'
keys='acme/cards.v1/cardwright.keys.txt'

# key, hash, group, type and cache policy of each object
n=0
group() { n=$((n + 1)) type=$1 cache=$2; }
object() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$n" "$type" "$cache"; }
objects >"$work/wanted"
cut -f 1,4,5 "$work/wanted" >"$work/state"
cut -f 1 "$work/wanted" | LC_ALL=C sort >"$work/keys"
list >"$work/there"
cut -f 1 "$work/there" | LC_ALL=C sort >"$work/known"
same=
if grep -qxF -e "$state$tab$state_hash" "$work/there"; then
  same=yes
fi
: >"$work/before"
if [ -z "$same" ] || [ -n "$remove" ]; then
  if grep -qxF -e "$keys" "$work/known"; then
    fetch "$keys" "$work/before"
  fi
fi
LC_ALL=C sort -u "$work/before" "$work/keys" >"$work/all"
if [ -z "$same" ]; then
  put "$keys" "$work/all" text/plain no-store
fi

# what is not there like that, one call for each group
(cd "$work" && awk -F '\t' -v same="$same" -v skip="${#prefix}" '
  FILENAME == ARGV[1] { there[$0] = 1; next }
  same == "" || !(($1 FS $2) in there) { print "./" substr($1, skip + 1) >("changed." $3) }
' there wanted)
group() {
  n=$((n + 1))
  if [ ! -s "$work/changed.$n" ]; then
    return 0
  fi
  if [ $# -eq 3 ]; then
    put "$3" "$out/${3#"$prefix"}" "$1" "$2"
  else
    mkdir -p "$work/group/$prefix"
    (cd "$out" && tar -cf "$work/group.tar" -T "$work/changed.$n")
    (cd "$work/group/$prefix" && tar -xf "$work/group.tar")
    copy "$work/group" "$1" "$2"
    rm -rf "$work/group"
  fi
  while IFS= read -r file; do
    printf 'uploaded %s%s\n' "$prefix" "${file#./}"
  done <"$work/changed.$n"
}
object() { :; }
n=0
objects

# what earlier uploads left behind
LC_ALL=C comm -13 "$work/keys" "$work/all" | LC_ALL=C comm -12 - "$work/known" >"$work/departed"
if [ -n "$remove" ] && [ -s "$work/departed" ]; then
  drop "$work/departed"
  sed 's/^/deleted /' "$work/departed"
  put "$keys" "$work/keys" text/plain no-store
fi
if [ -z "$same" ]; then
  put "$state" "$work/state" text/plain no-store
fi
