#!/bin/sh
# cardwright:generated - written by cardwright generate --server s3; changes are overwritten
# use: sh upload.sh [--delete] dist BUCKET, once per deploy; needs the AWS command line, and reads its environment
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
# put KEY FILE TYPE CACHE-CONTROL [HASH CHECKSUM]
put() {
  aws s3api put-object --bucket "$bucket" --key "$1" --body "$2" --content-type "$3" --cache-control "$4" \
    ${6:+--checksum-sha256 "$6"} --output text --query ETag >/dev/null
}
fetch() { aws s3api get-object --bucket "$bucket" --key "$1" "$2" >/dev/null; }
drop() { aws s3api delete-object --bucket "$bucket" --key "$1" >/dev/null; }

# object KEY FILE TYPE CACHE-CONTROL HASH CHECKSUM
objects() {
  :
  object 'billing/.well-known/agent-card.json' 'billing/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '"765455fbd8e9d5b9102ba01ce220bc6f"' KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
  object 'billing/.well-known/agent.json' 'billing/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '"765455fbd8e9d5b9102ba01ce220bc6f"' KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
  object 'billing/.well-known/ai-catalog.json' 'billing/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' '"45a4b476bf3327d142b4d1e557bf4d8f"' id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
  object 'billing/.well-known/jwks.json' 'billing/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' '"deb74710ed0afac083708edace5e921d"' MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
  object 'billing/index.html' 'billing/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' '"67ebc69c7708cfb6c163b418a03dff24"' X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
  object 'stored/.well-known/agent-card.json' 'stored/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '"ddf5d04a4fd1bd1035db7de95e33b04f"' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/agent.json' 'stored/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '"ddf5d04a4fd1bd1035db7de95e33b04f"' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/ai-catalog.json' 'stored/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' '"45a4b476bf3327d142b4d1e557bf4d8f"' id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
  object 'stored/.well-known/cards/e7216e48c77132321d046269697100ae8602c1e398bbbe067868ada77b508c5b.json' 'stored/.well-known/cards/e7216e48c77132321d046269697100ae8602c1e398bbbe067868ada77b508c5b.json' 'application/json' 'public, max-age=31536000, immutable' '"ddf5d04a4fd1bd1035db7de95e33b04f"' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/jwks.json' 'stored/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' '"deb74710ed0afac083708edace5e921d"' MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
  object 'stored/index.html' 'stored/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' '"67ebc69c7708cfb6c163b418a03dff24"' X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
}
state='cardwright.state.txt'
state_hash='"c231d653f65703b575028aa14c7051e2"'
keys='cardwright.keys.txt'

# there KEY HASH tells whether an object has these bytes, known KEY whether it is there
there() { grep -qxF "$1$tab$2" "$work/there"; }
known() { cut -f 1 "$work/there" | grep -qxF "$1"; }

object() { printf '%s\t%s\t%s\n' "$1" "$3" "$4"; }
objects >"$work/state"
cut -f 1 "$work/state" >"$work/keys"
list >"$work/there"
same=
if there "$state" "$state_hash"; then
  same=yes
fi
: >"$work/before"
if [ -z "$same" ] || [ -n "$remove" ]; then
  if known "$keys"; then
    fetch "$keys" "$work/before"
  fi
fi
if [ -z "$same" ]; then
  LC_ALL=C sort -u "$work/before" "$work/keys" >"$work/all"
  put "$keys" "$work/all" text/plain no-store
fi

# what is not there like that, in order
object() {
  if [ -n "$same" ] && there "$1" "$5"; then
    return
  fi
  put "$1" "$out/$2" "$3" "$4" "$5" "$6"
  printf 'uploaded %s\n' "$1"
}
objects

# what earlier uploads left behind
grep -vxF -f "$work/keys" "$work/before" >"$work/departed" || true
if [ -n "$remove" ] && [ -s "$work/departed" ]; then
  while IFS= read -r key; do
    if known "$key"; then
      drop "$key" </dev/null
      printf 'deleted %s\n' "$key"
    fi
  done <"$work/departed"
  put "$keys" "$work/keys" text/plain no-store
fi
if [ -z "$same" ]; then
  put "$state" "$work/state" text/plain no-store
fi
