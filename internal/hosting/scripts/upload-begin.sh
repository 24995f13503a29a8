set -eu
remove=
if [ "${1-}" = --delete ]; then
  remove=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh [--delete] DIR %s" >&2
  exit 2
fi
out=$1
bucket=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')
