#!/bin/sh
# check-commit.sh checks the cards that the next commit will have. The work tree may hold more: cards that are
# not staged, or skills. Arguments go to cardwright generate --check. Run it at the root of the work tree, as hooks are.
set -eu
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
git checkout-index --all --prefix="$staged/"
cd "$staged"
cardwright generate --check "$@"
