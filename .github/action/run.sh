#!/usr/bin/env bash
# Runs the program once and hands its findings to GitHub: the log, annotations,
# the job summary, outputs, SARIF. It ends with the exit code of the program.
set -euo pipefail
source "$GITHUB_ACTION_PATH/.github/action/lib.sh"
source "$GITHUB_ACTION_PATH/.github/action/base.sh"

top=$(cd "$GITHUB_WORKSPACE" && pwd)
command=$CARDWRIGHT_COMMAND gitdir=$top/.git objects=''
reports=$(mktemp -d "$RUNNER_TEMP/cardwright/reports.XXXXXX")
summary=$reports/summary.md
sarif=${CARDWRIGHT_SARIF_FILE:+$GITHUB_WORKSPACE/$CARDWRIGHT_SARIF_FILE}

main() {
  local code=0
  compose
  run || code=$?
  verdicts "$code"
  if [[ -e $reports/json ]]; then
    cat "$reports/github"
    name_project
    { cat "$summary" && echo; } >>"$GITHUB_STEP_SUMMARY"
    outputs
  else
    tell error "cardwright $command ended with exit code $code before it reported anything; its log says why"
  fi
  exit "$code"
}

# compose makes the command line. A line of args is one argument, never more.
compose() {
  local line names=0
  case $command in
    generate | lint | diff) words=("$command") ;;
    check) words=(generate --check) ;;
    *) die "the command is none of generate, check, lint and diff" ;;
  esac
  [[ $CARDWRIGHT_COMMENT != true || $command == diff ]] || die "only the command diff has something to comment"
  words+=("--report=json=$reports/json" "--report=github=$reports/github" "--report=markdown=$summary")
  [[ -z $sarif ]] || words+=("--report=sarif=$sarif")
  [[ -z $CARDWRIGHT_CONFIG ]] || words+=("--config=$CARDWRIGHT_CONFIG")
  [[ -z $CARDWRIGHT_FAIL_ON ]] || words+=("--fail-on=$CARDWRIGHT_FAIL_ON")
  while IFS= read -r line; do
    line=${line%$'\r'}
    [[ -z $line ]] || words+=("$line")
    [[ -z $line || $line == -* ]] || names=$((names + 1))
  done <<<"$CARDWRIGHT_ARGS"
  [[ $command != diff || $names -ge 2 ]] || compare
}

# compare lets diff compare the project here with that of the base, at the same place.
compare() {
  [[ $PWD/ == "$top"/* ]] || die "the working directory is outside of the workspace"
  checkout_base
  mkdir -p "$base${PWD#"$top"}"
  words+=(-- "$base${PWD#"$top"}" .)
}

# run gives the program what the input env names, and nothing else of the environment: a
# configuration of a pull request may name any variable. No line of the log is a workflow
# command. Standard error goes the same way, or it might overtake the switch.
run() {
  local name code=0 token given=()
  while IFS= read -r name; do
    name=${name//[[:space:]]/}
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ || -z $name ]] || die "env lists names of environment variables, one per line, without values"
    [[ -z $name || -z ${!name+set} ]] || given+=("$name=${!name}")
  done <<<"$CARDWRIGHT_ENV"
  token=$(random)
  echo "::stop-commands::$token"
  MSYS2_ARG_CONV_EXCL='*' MSYS2_ENV_CONV_EXCL='*' env -i ${given[@]+"${given[@]}"} \
    "$RUNNER_TEMP/cardwright/bin/cardwright" "${words[@]}" 2>&1 || code=$?
  echo "::$token::"
  return "$code"
}

# name_project writes below the heading which project of the repository it is about, as the
# comments and summaries of several look alike.
name_project() {
  local project=${PWD#"$top"}/$CARDWRIGHT_CONFIG
  project=${project#/} project=${project%/}
  [[ -n $project ]] || return 0
  { head -n 1 "$summary" && printf '\nProject: `%s`\n' "${project//\`/\'}" && tail -n +2 "$summary"; } >"$summary.named"
  mv "$summary.named" "$summary"
}

# verdicts says what the run found out of drift and breaking differences: true,
# false, or error where it failed before it knew. Silence is no false.
verdicts() {
  local drift=error breaking=error drifted=0
  if [[ -e $reports/json && $1 -le 1 ]]; then
    drifted=$(grep -cxF '      "rule": "output-drift",' "$reports/json" || true)
    case $command:$1 in
      generate:0) drift=$(whether '      "changed": true') ;;
      check:*) ! grep -qxF "    \"errors\": $drifted," "$reports/json" || drift=$(whether '      "rule": "output-drift",') ;;
    esac
    [[ $command == check && $drift == error ]] || breaking=$(whether '      "class": "breaking",')
  fi
  if [[ $command == generate || $command == check ]]; then output drift "$drift"; fi
  if [[ $command == check || $command == diff ]]; then output breaking "$breaking"; fi
  output cards "$(cards)"
}

# outputs reads the JSON by its lines: the program always writes one member a
# line, and no text can hold a line break.
outputs() {
  output findings "$(grep -c '' "$reports/github" || true)" # one annotation each
  output summary-file "$summary"
  [[ -z $sarif ]] || output sarif-file "$sarif"
  if [[ $CARDWRIGHT_COMMENT == true ]]; then
    output comment-file "$summary"
    output comment-new "$(whether '      "class": "'{breaking,additive,cosmetic}'",')"
    output comment-key "$(printf '%s\n' "${GITHUB_JOB:-}" "${PWD#"$top"}" "$CARDWRIGHT_CONFIG" | cksum | tr -cd 0-9)"
  fi
}

# cards is the list of cards that the run made: JSON, and an empty list where it made none.
cards() {
  local text=''
  [[ ! -e $reports/json ]] || text=$(sed -n '/^  "cards": \[$/,/^  \]/{ s/^ *//; p; }' "$reports/json" | tr -d '\r\n')
  text=${text#'"cards": '}
  text=${text%,}
  echo "${text:-[]}"
}

# whether prints true where the JSON has one of some lines, else false.
whether() { if grep -qxF "${@/#/-e}" "$reports/json"; then echo true; else echo false; fi; }

die() {
  tell error "$*"
  verdicts 2
  exit 2
}

main
