#!/usr/bin/env bash
# Writes Markdown as a comment of the pull request, or updates that of an earlier run.
# CARDWRIGHT_COMMENT_KEY is that of the step. Unless CARDWRIGHT_COMMENT_NEW is true, it only updates.
set -euo pipefail
source "$GITHUB_ACTION_PATH/.github/action/lib.sh"

marker="<!-- cardwright $CARDWRIGHT_COMMENT_KEY -->"
body=$RUNNER_TEMP/cardwright/comment.md
issues=repos/$GITHUB_REPOSITORY/issues

comment() {
  local id
  # Anybody can write a comment with the marker; what a bot wrote is ours.
  id=$(gh api --paginate "$issues/$CARDWRIGHT_PULL_REQUEST/comments?per_page=100" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || return
  id=${id%%$'\n'*}
  if [[ -n $id ]]; then
    gh api --silent --method PATCH "$issues/comments/$id" --field "body=@$body" || return
  elif [[ $CARDWRIGHT_COMMENT_NEW == true ]]; then
    gh api --silent --method POST "$issues/$CARDWRIGHT_PULL_REQUEST/comments" --field "body=@$body" || return
  fi
}

[[ $CARDWRIGHT_PULL_REQUEST =~ ^[0-9]+$ ]] || { echo "no pull request, no comment" && exit 0; }
{ # GitHub takes 65,536 characters
  printf '%s\n\n' "$marker"
  awk '{ n += length($0) + 1 } n > 60000 { print "\n…"; exit } { print }' "$CARDWRIGHT_COMMENT_FILE"
} >"$body"
error=$(comment 2>&1) || tell warning "cannot comment on the pull request (${error%%$'\n'*}): the job needs the permission pull-requests: write, which a pull request from a fork never gets"
