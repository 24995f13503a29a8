#!/bin/sh
# cardwright:generated - written by cardwright generate --server azure-blob; changes are overwritten
# use: sh upload.sh [--delete] dist CONTAINER, once per deploy; needs the Azure command line, and AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_AUTH_MODE=login, or their like, in the environment
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
  az storage blob list --container-name "$bucket" --num-results '*' --query '[].[name,properties.contentSettings.contentMd5]' --output tsv
}
# put KEY FILE TYPE CACHE-CONTROL [HASH CHECKSUM]
put() {
  az storage blob upload --container-name "$bucket" --name "$1" --file "$2" --content-type "$3" \
    --content-cache-control "$4" ${5:+--content-md5 "$5"} --overwrite --no-progress --output none
}
fetch() { az storage blob download --container-name "$bucket" --name "$1" --file "$2" --no-progress --output none; }
drop() { az storage blob delete --container-name "$bucket" --name "$1" --output none; }

# object KEY FILE TYPE CACHE-CONTROL HASH CHECKSUM
objects() {
  :
  object 'billing/.well-known/agent-card.json' 'billing/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' 'dlRV+9jp1bkQK6Ac4iC8bw==' KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
  object 'billing/.well-known/agent.json' 'billing/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' 'dlRV+9jp1bkQK6Ac4iC8bw==' KTOzwWingb2zYoYqhSdkJaXoiHN4JPG+fIomCDTTjo0=
  object 'billing/.well-known/ai-catalog.json' 'billing/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 'RaS0dr8zJ9FCtNHlV79Njw==' id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
  object 'billing/.well-known/jwks.json' 'billing/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' '3rdHEO0K+sCDcI7azl6SHQ==' MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
  object 'billing/index.html' 'billing/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 'Z+vGnHcIz7bBY7QYoD3/JA==' X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
  object 'stored/.well-known/agent-card.json' 'stored/.well-known/agent-card.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '3fXQSk/RvRA1233pXjOwTw==' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/agent.json' 'stored/.well-known/agent.json' 'application/json' 'public, max-age=3600, stale-while-revalidate=86400' '3fXQSk/RvRA1233pXjOwTw==' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/ai-catalog.json' 'stored/.well-known/ai-catalog.json' 'application/ai-catalog+json' 'public, max-age=3600, stale-while-revalidate=86400' 'RaS0dr8zJ9FCtNHlV79Njw==' id/y1cyIFlDGiiQtXkABjh2wQOwQw8oUlu2hD2+wx8w=
  object 'stored/.well-known/cards/e7216e48c77132321d046269697100ae8602c1e398bbbe067868ada77b508c5b.json' 'stored/.well-known/cards/e7216e48c77132321d046269697100ae8602c1e398bbbe067868ada77b508c5b.json' 'application/json' 'public, max-age=31536000, immutable' '3fXQSk/RvRA1233pXjOwTw==' 5yFuSMdxMjIdBGJpaXEAroYCweOYu74GeGitp3tQjFs=
  object 'stored/.well-known/jwks.json' 'stored/.well-known/jwks.json' 'application/jwk-set+json' 'public, max-age=3600, stale-while-revalidate=86400' '3rdHEO0K+sCDcI7azl6SHQ==' MmZs+K9cJmfJmdnoFUIMYhwmdGD441c2L6q+PoogCoI=
  object 'stored/index.html' 'stored/index.html' 'text/html; charset=utf-8' 'public, max-age=3600, stale-while-revalidate=86400' 'Z+vGnHcIz7bBY7QYoD3/JA==' X2Xrzx5KYHnXIddawcfPgUoZf3HHnStw/sUlogI8/RQ=
}
state='cardwright.state.txt'
state_hash='wjHWU/ZXA7V1AoqhTHBR4g=='
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
