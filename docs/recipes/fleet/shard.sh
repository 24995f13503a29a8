#!/bin/sh
# shard.sh INDEX COUNT OUT generates every COUNTth agent, beginning with the one at
# INDEX (from 0), into OUT. It needs cardwright and jq. Further arguments go to
# cardwright generate.
set -eu
index=$1 count=$2 out=$3
shift 3
i=0
none=true
for id in $(cardwright config --format json | jq -r '.agents[].id'); do
  if [ $((i % count)) -eq "$index" ]; then
    set -- "$@" --agent "$id"
    none=false
  fi
  i=$((i + 1))
done
if $none; then
  echo "more jobs than agents: nothing to do in job $index"
  exit 0
fi
cardwright generate "$@" --out "$out"
