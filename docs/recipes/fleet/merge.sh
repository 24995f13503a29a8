#!/bin/sh
# merge.sh CARDWRIGHT OUT [ARGUMENT…] -- TREE… -- FILE… joins trees as an action of a
# build system does: from these trees and the files of the configuration only.
set -eu
here=$(pwd)
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") out=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arguments=
while [ "$1" != -- ]; do
  arguments="$arguments $1"
  shift
done
shift
trees=
n=0
while [ "$1" != -- ]; do
  n=$((n + 1))
  mkdir -p "$work/shards"
  cp -RL "$1" "$work/shards/$n"
  trees="$trees shards/$n"
  shift
done
shift
for file in "$@"; do
  mkdir -p "$work/$(dirname "$file")"
  cp -L "$file" "$work/$file"
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$work"
# shellcheck disable=SC2086 # arguments and trees are words
"$tool" merge $trees --out "$out" $arguments
cd "$here"
