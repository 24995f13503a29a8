#!/bin/sh
# agent.sh CARDWRIGHT OUT ID [ARGUMENT…] -- FILE… generates one agent as an action of a
# build system does: from the named files only, without network, home and git.
#
# Sandboxes show inputs as links to files elsewhere. cardwright reads nothing outside of
# the project through a link, so the files are copied first.
set -eu
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") out=$2 id=$3
shift 3
arguments=
while [ "$1" != -- ]; do
  arguments="$arguments $1"
  shift
done
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$@"; do
  mkdir -p "$work/$(dirname "$file")"
  cp -L "$file" "$work/$file"
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$work"
# shellcheck disable=SC2086 # the arguments are words
"$tool" generate --agent "$id" --out "$out" $arguments
