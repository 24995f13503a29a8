#!/usr/bin/env bash
# Runs a script of the GitHub Action as a runner would: step.sh SCRIPT [NAME=VALUE…].
# What the runner would read is left in summary.md and, as NAME=VALUE, in outputs.
set -eu
script=$1
shift
export RUNNER_TEMP="$WORK/temp" RUNNER_OS=Linux RUNNER_ARCH=X64
export GITHUB_ACTIONS=true GITHUB_WORKSPACE="$WORK/repo" GITHUB_REPOSITORY=acme/agents
export GITHUB_STEP_SUMMARY="$WORK/summary.md" GITHUB_OUTPUT="$WORK/output" GITHUB_ACTION_PATH="$ROOT"
export CARDWRIGHT_COMMAND=check CARDWRIGHT_ARGS='' CARDWRIGHT_CONFIG='' CARDWRIGHT_ENV='' CARDWRIGHT_SARIF_FILE='' CARDWRIGHT_COMMENT=false CARDWRIGHT_FAIL_ON="" CARDWRIGHT_BASE="" CARDWRIGHT_DEFAULT_BRANCH=main CARDWRIGHT_PULL_REQUEST=""
for assignment in "$@"; do
  export "${assignment?}"
done

if [[ ! -e $RUNNER_TEMP/cardwright/bin ]]; then
  mkdir -p "$RUNNER_TEMP/cardwright/bin"
  ln -s "$(command -v cardwright)" "$RUNNER_TEMP/cardwright/bin/cardwright"
fi
: >"$GITHUB_OUTPUT"
: >"$GITHUB_STEP_SUMMARY"
code=0
bash --noprofile --norc -eo pipefail "$ROOT/.github/action/$script.sh" || code=$?
while IFS= read -r line; do
  if [[ -z ${end:-} ]]; then
    name=${line%%<<*} end=${line#*<<} text=
  elif [[ $line == "$end" ]]; then
    echo "$name=$text"
    end=
  else
    text+=$line
  fi
done <"$GITHUB_OUTPUT" >"$WORK/outputs"
exit "$code"
