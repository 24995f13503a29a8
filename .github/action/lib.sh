# shellcheck shell=bash
# What the scripts of the Action share: telling GitHub, and reading its event.

# tell shows a message as an annotation, and in the job summary as well: some read only that.
# It is one line of plain text.
tell() {
  local text=${2//$'\r'/ }
  text=${text//$'\n'/ }
  echo "::$1 title=cardwright::${text//%/%25}"
  text=$(tr '`' "'" <<<"$text")
  printf '%s\n\n' '### cardwright' "\`$text\`" >>"$GITHUB_STEP_SUMMARY"
}

# output sets an output of the step to any text. Nothing prints where that ends.
output() {
  : "${delimiter:=$(random)}"
  printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

random() {
  local bytes
  bytes=$(od -An -N16 -tx1 /dev/urandom)
  echo "${bytes//[[:space:]]/}"
}

# event prints a value of the event, by its path such as pull_request.base.sha, and
# nothing where there is none. Not every runner has jq.
event() {
  [[ -r ${GITHUB_EVENT_PATH:-} ]] || return 0
  awk -v want="$1" '
    function value(text) {
      if (kind[depth] == "[") return
      if (!keyed) { key[depth] = text; keyed = 1; return }
      path = key[1]
      for (i = 2; i <= depth; i++) path = path "." key[i]
      if (path == want) { print text; exit }
      keyed = 0
    }
    {
      while (match($0, /"([^"\\]|\\.)*"|[][{}:,]|[^][{}:," \t\r]+/)) {
        token = substr($0, RSTART, RLENGTH)
        $0 = substr($0, RSTART + RLENGTH)
        if (token == "{" || token == "[") { kind[++depth] = token; key[depth] = token == "[" ? "[]" : ""; keyed = 0 }
        else if (token == "}" || token == "]") { depth--; keyed = 0 }
        else if (token == ",") keyed = 0
        else if (token != ":") { gsub(/^"|"$/, "", token); value(token) }
      }
    }' <"$GITHUB_EVENT_PATH"
}

# event_commit prints the id of a commit in the event.
event_commit() { event "$1" | grep -xE '[0-9a-f]{40,64}' || true; }
