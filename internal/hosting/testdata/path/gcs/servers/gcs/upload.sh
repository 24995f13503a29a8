#!/bin/sh
# cardwright:generated - written by cardwright generate --server gcs; changes are overwritten
# use: sh upload.sh [--delete] dist BUCKET, once per deploy; needs gcloud storage, logged in
# once per bucket: sh cors.sh BUCKET

set -eu
remove=
if [ "${1-}" = --delete ]; then
  remove=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh [--delete] DIR BUCKET" >&2
  exit 2
fi
out=$1
bucket=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

# list: key, tab and hash of each object
list() {
  gcloud storage objects list "gs://$bucket/**" --format='value(name,md5_hash)' || true # there may be none yet
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  find "$1" -mindepth 1 -maxdepth 1 -exec sh -c 'to=$1 type=$2 cache=$3; shift 3
    gcloud storage cp --recursive "$@" "$to" --content-type="$type" --cache-control="$cache" --quiet
  ' sh "gs://$bucket/" "$2" "$3" {} +
}
# put KEY FILE TYPE CACHE-CONTROL
put() { gcloud storage cp "$2" "gs://$bucket/$1" --content-type="$3" --cache-control="$4" --quiet; }
fetch() { gcloud storage cp "gs://$bucket/$1" "$2" --quiet; }
drop() { sed "s|^|gs://$bucket/|" "$1" | gcloud storage rm --read-paths-from-stdin --quiet; }

# group TYPE CACHE-CONTROL [KEY]: of the objects that follow, or of one large one
# object KEY HASH
objects() {
  :
  group 'application/json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent-card.json' 'hOniLXtYM6VSxijy4zjE2A=='
  object 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/agent.json' 'hOniLXtYM6VSxijy4zjE2A=='
  object 'billing/.well-known/agent-card.json' 'dlRV+9jp1bkQK6Ac4iC8bw=='
  object 'billing/.well-known/agent.json' 'dlRV+9jp1bkQK6Ac4iC8bw=='
  object 'code-review/.well-known/agent-card.json' 'wp5ZWoW7yz2Ty7JQkGblrA=='
  object 'code-review/.well-known/agent.json' 'wp5ZWoW7yz2Ty7JQkGblrA=='
  group 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/jwks.json' '3rdHEO0K+sCDcI7azl6SHQ=='
  object 'billing/.well-known/jwks.json' '3rdHEO0K+sCDcI7azl6SHQ=='
  object 'code-review/.well-known/jwks.json' '3rdHEO0K+sCDcI7azl6SHQ=='
  group 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/.well-known/ai-catalog.json' 'RaS0dr8zJ9FCtNHlV79Njw=='
  object 'billing/.well-known/ai-catalog.json' 'RaS0dr8zJ9FCtNHlV79Njw=='
  object 'code-review/.well-known/ai-catalog.json' 'RaS0dr8zJ9FCtNHlV79Njw=='
  group 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'Team.x_1-a-rather-long-agent-name-that-no-hash-bucket-of-64-bytes-holds/index.html' 'Z+vGnHcIz7bBY7QYoD3/JA=='
  object 'billing/index.html' 'Z+vGnHcIz7bBY7QYoD3/JA=='
  object 'code-review/index.html' 'Z+vGnHcIz7bBY7QYoD3/JA=='
}
prefix=''
state_hash='NExbjrizE6J7CpafAsYnZw=='
state='cardwright.state.txt'
keys='cardwright.keys.txt'

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
