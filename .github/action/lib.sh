# shellcheck shell=bash
# What the scripts of the Action share: reporting to GitHub.

# tell shows a message as an annotation, and in the job summary as well: some read only that.
tell() {
  local text=${2//$'\r'/ }
  text=${text//$'\n'/ }
  echo "::$1 title=cardwright::${text//%/%25}"
  printf '%s\n\n' '### cardwright' "\`${text//\`/\'}\`" >>"$GITHUB_STEP_SUMMARY"
}

# output sets an output of the step to any text. Nothing prints where that ends.
output() {
  : "${delimiter:=$(random)}"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

random() { od -An -N16 -tx1 /dev/urandom | tr -d '[:space:]'; }
