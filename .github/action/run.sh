#!/usr/bin/env bash
# Runs the program once and hands its findings to GitHub: the log, annotations,
# the job summary, outputs, SARIF. It ends with the exit code of the program.
#
#   CARDWRIGHT_COMMAND     generate, check, lint or diff
#   CARDWRIGHT_ARGS        more arguments, one a line
#   CARDWRIGHT_CONFIG      configuration file, may be empty
#   CARDWRIGHT_SARIF_FILE  where SARIF goes, relative to the workspace, may be empty
#   CARDWRIGHT_COMMENT     whether a comment is wanted
set -euo pipefail

command=$CARDWRIGHT_COMMAND
reports=$(mktemp -d "$RUNNER_TEMP/cardwright/reports.XXXXXX")
summary=$reports/summary.md
sarif=$CARDWRIGHT_SARIF_FILE
case $sarif in
  '' | /* | [A-Za-z]:*) ;;
  *) sarif=$GITHUB_WORKSPACE/$sarif ;;
esac

main() {
  local code=0
  compose
  run || code=$?
  if [[ -e $reports/json ]]; then
    cat "$reports/github"
    { echo "### cardwright $command" && echo && cat "$summary" && echo; } >>"$GITHUB_STEP_SUMMARY"
    outputs
  fi
  exit "$code"
}

# compose makes the command line. A line of args is one argument, never more.
compose() {
  local line given=0
  case $command in
    generate | lint | diff) words=("$command") ;;
    check) words=(generate --check) ;;
    *) die "the command is none of generate, check, lint and diff" ;;
  esac
  [[ $CARDWRIGHT_COMMENT != true || $command == diff ]] || die "only the command diff has something to comment"
  words+=("--report=json=$reports/json" "--report=github=$reports/github" "--report=markdown=$summary")
  if [[ -n $sarif ]]; then
    words+=("--report=sarif=$sarif")
  fi
  if [[ -n $CARDWRIGHT_CONFIG ]]; then
    words+=("--config=$CARDWRIGHT_CONFIG")
  fi
  while IFS= read -r line; do
    line=${line%$'\r'}
    if [[ -n $line ]]; then
      words+=("$line")
      given=1
    fi
  done <<<"$CARDWRIGHT_ARGS"
  if [[ $command == diff && $given == 0 ]]; then
    [[ -n ${GITHUB_BASE_REF:-} ]] || die "where there is no pull request, diff needs args, such as two files"
    words+=("--git=origin/$GITHUB_BASE_REF")
  fi
}

# run lets no line of the log be a workflow command, whatever the program or a
# file says. Standard error goes the same way, or it might overtake the switch.
run() {
  local code=0 token
  token=$(random)
  echo "::stop-commands::$token"
  MSYS2_ARG_CONV_EXCL='*' "$RUNNER_TEMP/cardwright/bin/cardwright" "${words[@]}" 2>&1 || code=$?
  echo "::$token::"
  return "$code"
}

# outputs reads the JSON by its lines: the program always writes one member a
# line, and no text can hold a line break.
outputs() {
  local drift=false breaking=false changes=true
  if has '      "rule": "output-drift",' || [[ $command == generate ]] && has '      "changed": true'; then
    drift=true
  fi
  if has '      "class": "breaking",'; then
    breaking=true
  fi
  output drift "$drift"
  output breaking "$breaking"
  output findings "$(awk '/^    "(errors|warnings|infos)": / { n += $2 } END { print n + 0 }' "$reports/json")"
  output cards "$(awk '
    /^  "cards": / { inside = 1 }
    inside { line = $0; sub(/^ */, "", line); text = text line }
    inside && /^  (\]|"cards": \[\])/ { exit }
    END { sub(/^"cards": /, "", text); sub(/,$/, "", text); print text }' "$reports/json")"
  output summary-file "$summary"
  if [[ -n $sarif ]]; then
    output sarif-file "$sarif"
  fi
  if [[ $CARDWRIGHT_COMMENT == true ]]; then
    ! has '  "changes": [],' || changes=false
    output comment-file "$summary"
    output comment-new "$changes"
    output comment-key "$(printf '%s\n' "$PWD" "$CARDWRIGHT_ARGS" | cksum | tr -cd 0-9)"
  fi
}

# has tells whether the JSON has a line.
has() { grep -qxF -e "$1" "$reports/json"; }

# output sets an output of the step to any text.
output() {
  local end
  end=$(random)
  printf '%s<<%s\n%s\n%s\n' "$1" "$end" "$2" "$end" >>"$GITHUB_OUTPUT"
}

random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

die() {
  echo "::error title=cardwright::$*"
  exit 2
}

main
