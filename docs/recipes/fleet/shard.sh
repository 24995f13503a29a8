#!/bin/sh
# shard.sh INDEX COUNT OUT generates every COUNTth agent, beginning with the one at
# INDEX (from 0), into OUT. It needs cardwright and jq. Further arguments go to
# cardwright generate. It fails when anything in it fails.
set -euf
index=$1 count=$2 out=$3
shift 3
# In a variable each: the shell does not see that the first command of a pipeline fails.
config=$(cardwright config --format json)
ids=$(printf '%s\n' "$config" | jq -er '.agents[].id')
i=0
mine=0
for id in $ids; do
  if [ $((i % count)) = "$index" ]; then
    set -- "$@" --agent "$id"
    mine=$((mine + 1))
  fi
  i=$((i + 1))
done
if [ "$mine" = 0 ]; then
  echo "shard.sh: job $index of $count has none of the $i agents" >&2
  # more jobs than agents is no mistake, and anything else is one
  [ "$i" -gt 0 ] && [ "$index" -ge "$i" ] && [ "$index" -lt "$count" ]
  exit
fi
exec cardwright generate "$@" --out "$out"
