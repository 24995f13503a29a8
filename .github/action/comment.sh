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
source "$GITHUB_ACTION_PATH/.github/action/lib.sh"

marker="<!-- cardwright $CARDWRIGHT_COMMENT_KEY -->"
body=$RUNNER_TEMP/cardwright/comment.md
errors=$RUNNER_TEMP/cardwright/comment.errors
issues=repos/$GITHUB_REPOSITORY/issues

main() {
  number=$(event pull_request.number)
  if [[ $GITHUB_REF =~ ^refs/pull/([0-9]+)/ ]]; then
    number=${BASH_REMATCH[1]}
  fi
  [[ $number =~ ^[0-9]+$ ]] || {
    echo "no pull request, no comment"
    exit 0
  }
  command -v gh >/dev/null || {
    tell warning "cannot comment on the pull request: gh, the GitHub CLI, is missing on this runner"
    exit 0
  }
  write
  comment 2>"$errors" || tell warning "cannot comment on the pull request: $(why)"
}

# why explains a refusal of GitHub.
why() {
  if grep -qE 'HTTP 40[134]' "$errors"; then
    echo "the job needs the permission pull-requests: write, which a pull request from a fork never gets"
  else
    head -n 1 "$errors"
  fi
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
