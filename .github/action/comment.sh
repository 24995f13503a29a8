#!/usr/bin/env bash
# Writes Markdown as a comment of the pull request, in the place of the one that
# an earlier run wrote.
#
#   CARDWRIGHT_COMMENT_FILE  the Markdown
#   CARDWRIGHT_COMMENT_KEY   digits that tell the comments of several steps apart
#   CARDWRIGHT_COMMENT_NEW   true when there is something to say; else an earlier
#                            comment is brought up to date, and none is begun
#   GH_TOKEN                 may write to pull requests
set -euo pipefail

marker="<!-- cardwright $CARDWRIGHT_COMMENT_KEY -->"
body=$RUNNER_TEMP/cardwright/comment.md
issues=repos/$GITHUB_REPOSITORY/issues

main() {
  [[ $GITHUB_REF =~ ^refs/pull/([0-9]+)/ ]] || {
    echo "no pull request, no comment"
    exit 0
  }
  number=${BASH_REMATCH[1]}
  write
  comment || echo "::warning title=cardwright::cannot comment on the pull request: the job needs the permission pull-requests: write, which a pull request from a fork never gets"
}

# write puts the marker in front. GitHub takes 65,536 characters.
write() {
  echo "$marker"
  echo
  awk '{ n += length($0) + 1 } n > 60000 { print "\n…"; exit } { print }' "$CARDWRIGHT_COMMENT_FILE"
} >"$body"

comment() {
  local id
  # Anybody can write a comment with the marker; what a bot wrote is ours.
  id=$(gh api --paginate "$issues/$number/comments?per_page=100" \
    --jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || return
  id=${id%%$'\n'*}
  if [[ -n $id ]]; then
    gh api --silent --method PATCH "$issues/comments/$id" --field "body=@$body" || return
    echo "updated the comment on pull request $number"
  elif [[ $CARDWRIGHT_COMMENT_NEW == true ]]; then
    gh api --silent --method POST "$issues/$number/comments" --field "body=@$body" || return
    echo "commented on pull request $number"
  fi
}

main
