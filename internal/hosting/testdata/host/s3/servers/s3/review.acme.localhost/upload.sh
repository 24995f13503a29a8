#!/bin/sh
# cardwright:generated - written by cardwright generate --server s3; changes are overwritten
# use: sh upload.sh [--delete] dist/review.acme.localhost BUCKET, once per deploy; needs the AWS command line, and reads its environment
# once per bucket: aws s3api put-bucket-cors --bucket BUCKET --cors-configuration file://cors.json

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
  aws s3api list-objects-v2 --bucket "$bucket" --output text --query 'Contents[].[Key,ETag]'
}
# copy DIR TYPE CACHE-CONTROL
copy() {
  aws s3 cp "$1" "s3://$bucket" --recursive --content-type "$2" --cache-control "$3" \
    --checksum-algorithm SHA256 --only-show-errors
}
# put KEY FILE TYPE CACHE-CONTROL
put() {
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$2" --content-type "$3" --cache-control "$4" \
    --checksum-algorithm SHA256 --output text --query ETag >/dev/null
}
fetch() { aws s3api get-object --bucket "$bucket" --key "$1" "$2" >/dev/null; }
drop() {
  (cd "$work" && awk '
    NR % 1000 == 1 { if (f) { print "]}" >f; close(f) } f = "drop." NR; s = "{\"Quiet\":true,\"Objects\":[" }
    { gsub(/[\\"]/, "\\\\&"); printf "%s{\"Key\":\"%s\"}", s, $0 >f; s = "," }
    END { if (f) print "]}" >f }') <"$1"
  for batch in "$work"/drop.*; do
    aws s3api delete-objects --bucket "$bucket" --delete "file://$batch" >/dev/null
  done
}

# group TYPE CACHE-CONTROL [KEY]: of the objects that follow, or of one large one
# object KEY HASH
objects() {
  :
  group 'application/json' 'public, max-age=3600, stale-while-revalidate=86400'
  object '.well-known/agent-card.json' '"f66069ef98124fbe13d4e5588e072b6a"'
  object '.well-known/agent.json' '"f66069ef98124fbe13d4e5588e072b6a"'
  group 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object '.well-known/jwks.json' '"deb74710ed0afac083708edace5e921d"'
  group 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400'
  object '.well-known/ai-catalog.json' '"45a4b476bf3327d142b4d1e557bf4d8f"'
  group 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400'
  object 'index.html' '"67ebc69c7708cfb6c163b418a03dff24"'
}
prefix=''
state_hash='"812eb14d95844d6804a72905bd044880"'
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
