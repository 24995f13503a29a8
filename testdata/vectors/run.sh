#!/bin/sh
# Runs a verifier on every vector: run.sh raw|sdk|cardwright COMMAND [ARGUMENT...]
# COMMAND gets the card and the key set as its last arguments, and accepts with exit code 0.
set -u
dir=$(cd "$(dirname "$0")" && pwd) || exit 2
form=${1-}
case $form in
raw | sdk | cardwright) shift ;;
*) echo "usage: run.sh raw|sdk|cardwright COMMAND [ARGUMENT...]" >&2 && exit 2 ;;
esac
[ $# -gt 0 ] || { echo "run.sh: which command?" >&2 && exit 2; }

# Each vector as a line: card, whether the form accepts it, note.
awk -F'": ' -v form="$form" '
	{ gsub(/^ *"|",?$|,$/, ""); value = $2; sub(/^"/, "", value) }
	$1 == "card" { card = value }
	$1 == "note" { note = value }
	$1 == form { verdict = value }
	$1 == "cardwright" { print card "\t" (verdict == "true" || verdict == "good" ? "accepts" : "refuses") "\t" note }
' "$dir/vectors.json" >"${TMPDIR:-/tmp}/vectors.$$" || exit 2
trap 'rm -f "${TMPDIR:-/tmp}/vectors.$$"' EXIT

all=0 wrong=0
while IFS='	' read -r card want note; do
	all=$((all + 1)) got=refuses
	"$@" "$dir/$card" "$dir/jwks.json" >/dev/null 2>&1 </dev/null && got=accepts
	if [ "$got" != "$want" ]; then
		wrong=$((wrong + 1))
		echo "$card: the verifier $got it, the form $form $want it: $note"
	fi
done <"${TMPDIR:-/tmp}/vectors.$$"
echo "$all vectors, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$all" -gt 0 ]
