#!/usr/bin/env bash
# Runs the program once and hands its findings to GitHub: the log, annotations,
# the job summary, outputs, SARIF. It ends with the exit code of the program.
#
#   CARDWRIGHT_COMMAND     generate, check, lint, diff, contract or capture-check
#   CARDWRIGHT_ARGS        more arguments, one a line
#   CARDWRIGHT_CONFIG      configuration file, may be empty
#   CARDWRIGHT_ENV         names of environment variables that the program gets
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
  withhold
  run || code=$?
  verdicts "$code"
  if [[ -e $reports/json ]]; then
    cat "$reports/github"
    { cat "$summary" && echo; } >>"$GITHUB_STEP_SUMMARY"
    outputs
  fi
  output cards "$(cards)"
  exit "$code"
}

# compose makes the command line. A line of args is one argument, never more.
compose() {
  local line given=0
  case $command in
    generate | lint | diff | contract) words=("$command") ;;
    check) words=(generate --check) ;;
    capture-check) words=(capture --check) ;;
    *) die "the command is none of generate, check, lint, diff, contract and capture-check" ;;
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
    words+=("--git=refs/remotes/origin/$GITHUB_BASE_REF")
  fi
}

# withhold lists what the program does not get of the environment: all but what
# it needs to run git and find its files, and what the input env names. A
# configuration of a pull request may name any variable.
withhold() {
  local name named=' '
  while IFS= read -r name; do
    name=${name//[[:space:]]/}
    [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ || -z $name ]] || die "env lists names of environment variables, one per line, without values"
    named+="$name "
  done <<<"$CARDWRIGHT_ENV"
  withheld=()
  while IFS= read -r name; do
    case $name in
      PATH | HOME | USERPROFILE | SYSTEMROOT | SystemRoot | TMPDIR | TEMP | TMP | XDG_CONFIG_HOME | MSYS2_ARG_CONV_EXCL) ;;
      *) [[ $named == *" $name "* ]] || withheld+=("-u" "$name") ;;
    esac
  done < <(awk 'BEGIN { for (name in ENVIRON) print name }')
}

# run lets no line of the log be a workflow command, whatever the program or a
# file says. Standard error goes the same way, or it might overtake the switch.
run() {
  local code=0 token
  token=$(random)
  echo "::stop-commands::$token"
  MSYS2_ARG_CONV_EXCL='*' env "${withheld[@]}" "$RUNNER_TEMP/cardwright/bin/cardwright" "${words[@]}" 2>&1 || code=$?
  echo "::$token::"
  return "$code"
}

# verdicts says what the run found out of drift and breaking differences: true,
# false, or error where it failed before it knew. Silence is no false.
verdicts() {
  local code=$1 drift=error breaking=error
  if [[ -e $reports/json && $code -le 1 ]]; then
    case $command in
      generate)
        if [[ $code == 0 ]]; then
          drift=$(whether '      "changed": true')
        fi
        ;;
      check) # with errors other than drift, some of it is not known
        if [[ $code == 0 || $(total errors) == "$(grep -cxF '      "rule": "output-drift",' "$reports/json")" ]]; then
          drift=$(whether '      "rule": "output-drift",')
          breaking=$(whether '      "class": "breaking",')
        fi
        ;;
      diff)
        breaking=$(whether '      "class": "breaking",')
        ;;
      capture-check)
        drift=false
        if [[ $code == 1 ]]; then
          drift=true
        fi
        breaking=$(whether '      "class": "breaking",')
        ;;
    esac
  fi
  case $command in generate | check | capture-check) output drift "$drift" ;; esac
  case $command in check | diff | capture-check) output breaking "$breaking" ;; esac
}

# outputs reads the JSON by its lines: the program always writes one member a
# line, and no text can hold a line break.
outputs() {
  local changes=true
  output findings "$(grep -c '' "$reports/github" || true)" # one annotation each
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

# cards is the list of cards that the run made: JSON, and an empty list where it
# made none.
cards() {
  local text=
  if [[ -e $reports/json ]]; then
    text=$(awk '
      /^  "cards": / { inside = 1 }
      inside { line = $0; sub(/^ */, "", line); text = text line }
      inside && /^  (\]|"cards": \[\])/ { exit }
      END { sub(/^"cards": /, "", text); sub(/,$/, "", text); print text }' "$reports/json")
  fi
  echo "${text:-[]}"
}

# total adds up members of the summary.
total() { awk -v members="^    \"($1)\": " '$0 ~ members { n += $2 } END { print n + 0 }' "$reports/json"; }

# whether prints true where the JSON has a line, else false.
whether() {
  if has "$1"; then echo true; else echo false; fi
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
