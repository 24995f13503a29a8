#!/usr/bin/env bash
# Runs the program once and hands its findings to GitHub: the log, annotations,
# the job summary, outputs, SARIF. It ends with the exit code of the program.
#
#   CARDWRIGHT_COMMAND       generate, check, lint or diff
#   CARDWRIGHT_ARGS          more arguments, one a line
#   CARDWRIGHT_CONFIG        configuration file, may be empty
#   CARDWRIGHT_ENV           names of environment variables that the program gets
#   CARDWRIGHT_SARIF_FILE    where SARIF goes, relative to the workspace, may be empty
#   CARDWRIGHT_ONLY_CHANGED  whether only what the change concerns is checked
#   CARDWRIGHT_COMMENT       whether a comment is wanted
set -euo pipefail
source "$GITHUB_ACTION_PATH/.github/action/lib.sh"
source "$GITHUB_ACTION_PATH/.github/action/base.sh"

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
  else
    tell error "cardwright $command ended with exit code $code before it reported anything; its log says why"
  fi
  output cards "$(cards)"
  exit "$code"
}

# compose makes the command line. A line of args is one argument, never more.
compose() {
  local line given=()
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
      given+=("$line")
    fi
  done <<<"$CARDWRIGHT_ARGS"
  if [[ $CARDWRIGHT_ONLY_CHANGED == true ]]; then
    narrow
  elif [[ $command == diff ]] && ! compared ${given[@]+"${given[@]}"}; then
    compare
  fi
  words+=(${given[@]+"${given[@]}"})
}

# compared reports whether arguments of diff say what to compare: --git, or two names,
# which are neither flags nor values of flags.
compared() {
  local names=0
  while (($#)); do
    case $1 in
      --git | --git=*) return 0 ;;
      --) names=$((names + $# - 1)) && break ;;
      --require-bump | --quiet | -q | -h | --help | --*=*) ;;
      -?*) shift ;;
      *) names=$((names + 1)) ;;
    esac
    shift || break
  done
  ((names >= 2))
}

# compare lets diff compare with the base of the event. Where that has none, there is
# nothing to do.
compare() {
  find_base
  if [[ -n $reason ]]; then
    tell notice "nothing was compared: $reason"
    output cards '[]'
    exit 0
  fi
  has "$base" || die "the checkout does not have the commit to compare with, ${base%..HEAD}: set fetch-depth: 0 of actions/checkout"
  words+=("--git=$base")
}

# narrow lets check and lint look at what the change concerns: at everything where nobody
# knows what that is.
narrow() {
  [[ $command == check || $command == lint ]] || die "only the commands check and lint have only-changed"
  find_base
  if has "$base"; then
    words+=("--changed-since=$base")
  else
    tell notice "everything was checked: ${reason:-the checkout does not have the commit before the change, for which fetch-depth: 0 of actions/checkout is needed}"
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
    esac
  fi
  case $command in generate | check) output drift "$drift" ;; esac
  case $command in check | diff) output breaking "$breaking" ;; esac
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
    ! reported '  "changes": [],' || changes=false
    output comment-file "$summary"
    output comment-new "$changes"
    output comment-key "$(printf '%s\n' "${GITHUB_JOB:-}" "$(configuration)" | cksum | tr -cd 0-9)"
  fi
}

# configuration prints the path of the configuration in its repository: the same on every
# runner, and another one for each project.
configuration() {
  local dir
  dir=$(repository rev-parse --show-prefix 2>/dev/null) || dir=${PWD#"$GITHUB_WORKSPACE"}/
  echo "${dir#/}${CARDWRIGHT_CONFIG:-cardwright.yaml}" | sed -e ':a' -e 's#^\./##;s#/\./#/#g;ta'
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
  if reported "$1"; then echo true; else echo false; fi
}

# reported reports whether the JSON has a line.
reported() { grep -qxF -e "$1" "$reports/json"; }

die() {
  tell error "$*"
  verdicts 2
  output cards '[]'
  exit 2
}

main
