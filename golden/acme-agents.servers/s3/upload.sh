#!/bin/sh
# cardwright:generated - written by cardwright generate --server s3; changes are overwritten
# use: sh upload.sh [--all] [--delete] DIR BUCKET [PREFIX]; uploads what changed, what lists other files last
# --all uploads every file, after a change of cacheControl; --delete removes what DIR no longer has; needs the AWS command line

set -eu
all='' delete=''
while :; do
  case ${1-} in
    --all) all=yes ;;
    --delete) delete=yes ;;
    *) break ;;
  esac
  shift
done
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  echo "usage: sh upload.sh [--all] [--delete] DIR BUCKET [PREFIX]" >&2
  exit 2
fi
dir=$1 bucket=$2 prefix=${3-}
prefix=${prefix#/} prefix=${prefix%/}
prefix=${prefix:+$prefix/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
tab=$(printf '\t')

# key, tab and tag of each object; the tag is the MD5 of its bytes in double quotes
aws s3api list-objects-v2 --bucket "$bucket" --prefix "$prefix" --output text --query 'Contents[].[Key,ETag]' |
  { grep "$tab" || :; } >"$work/there"
: >"$work/keys"

# upload TYPE PATTERN: what differs from the bucket
upload() {
  type=$1
  (cd "$dir" && find . -type f -path "$2") | sed 's|^\./||' | LC_ALL=C sort >"$work/files"
  sed "s|^|$prefix|" "$work/files" >>"$work/keys"
  [ -s "$work/files" ] || return 0
  (cd "$dir" && tr '\n' '\0' <"$work/files" | xargs -0 sh -c '
    if command -v md5sum >/dev/null; then md5sum "$@"; else md5 -r "$@"; fi' hash) >"$work/sums"
  awk -v all="$all" -v prefix="$prefix" -v there="$work/there" '
    BEGIN { while ((getline line < there) > 0) known[line] = 1 }
    {
      sum = $1; file = $0; sub(/^[^ ]+ [ *]?/, "", file)
      if (all != "" || !((prefix file "\t\"" sum "\"") in known)) print file
    }' "$work/sums" >"$work/changed"
  [ -s "$work/changed" ] || return 0
  mkdir "$work/put"
  (cd "$dir" && tar -cf - -T "$work/changed") | (cd "$work/put" && tar -xf -)
  aws s3 cp "$work/put" "s3://$bucket/$prefix" --recursive --content-type "$type" \
    --cache-control 'public, max-age=300' --only-show-errors
  sed "s|^|uploaded $prefix|" "$work/changed"
  rm -rf "$work/put"
}

upload 'application/json' '*/.well-known/agent-card.json'
upload 'application/json' '*/.well-known/agent.json'
upload 'application/jwk-set+json' '*/.well-known/jwks.json'
upload 'text/markdown; charset=utf-8' '*/.well-known/agent-skills/*/SKILL.md'
upload 'application/gzip' '*/.well-known/agent-skills/*.tar.gz'
upload 'application/json' '*/.well-known/agent-skills/index.json'
upload 'application/json' '*/.well-known/ai-catalog.json'
upload 'text/html; charset=utf-8' './index.html'

# files of our names that are in the bucket and no longer in DIR
cut -f 1 "$work/there" | grep -E '^(.*/)?(\.well-known/agent-card\.json|\.well-known/agent\.json|\.well-known/jwks\.json|\.well-known/agent-skills/[^/]+/SKILL\.md|\.well-known/agent-skills/[^/]+\.tar\.gz|\.well-known/agent-skills/index\.json|\.well-known/ai-catalog\.json)$' | LC_ALL=C sort >"$work/ours" || :
LC_ALL=C sort -u "$work/keys" | LC_ALL=C comm -13 - "$work/ours" >"$work/gone"
[ -s "$work/gone" ] || exit 0
if [ -z "$delete" ]; then
  sed 's/^/no longer in DIR, --delete removes it: /' "$work/gone"
  exit 0
fi
(cd "$work" && split -l 1000 gone gone.)
for batch in "$work"/gone.*; do
  awk 'BEGIN { printf "{\"Quiet\":true,\"Objects\":[" }
    { gsub(/[\\"]/, "\\\\&"); printf "%s{\"Key\":\"%s\"}", s, $0; s = "," }
    END { print "]}" }' "$batch" >"$work/drop.json"
  aws s3api delete-objects --bucket "$bucket" --delete "file://$work/drop.json" >/dev/null
  sed 's/^/deleted /' "$batch"
done
