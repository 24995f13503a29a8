{{/* Beside what it uploads, a script leaves two objects: one that lists type and
	cache policy of all others, so that the listing reports whether those are still the
	same, and one with the keys of this and earlier uploads, which are to be deleted
	some day. */}}
{{define "upload.sh" -}}
#!/bin/sh
{{head "#" .Name (print "use: sh upload.sh [--delete] " .Dir " " .Bucket ", once per deploy; needs " .Needs)
	(print "once per " (lower .Bucket) ": " .Once)}}

set -eu
remove=
if [ "${1-}" = --delete ]; then
  remove=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo "usage: sh upload.sh [--delete] DIR {{.Bucket}}" >&2
  exit 2
fi
out=$1
bucket=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tab=$(printf '\t')

{{include (print .Name ".sh") . -}}
# group TYPE CACHE-CONTROL [KEY]: of the objects that follow, or of one large one
# object KEY HASH
objects() {
  :
{{- .Objects}}
}
prefix={{shell .Prefix}}
state_hash={{shell .StateHash}}
state={{shell (print .Prefix "cardwright.state.txt")}}
keys={{shell (print .Prefix "cardwright.keys.txt")}}

# key, hash, group, type and cache policy of each object
n=0
group() { n=$((n + 1)) type=$1 cache=$2; }
object() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$n" "$type" "$cache"; }
objects >"$work/wanted"
cut -f 1,4,5 "$work/wanted" >"$work/state"
cut -f 1 "$work/wanted" | LC_ALL=C sort >"$work/keys"
list >"$work/there"
cut -f 1 "$work/there" | LC_ALL=C sort >"$work/known"
same=
if grep -qxF -e "$state$tab$state_hash" "$work/there"; then
  same=yes
fi
: >"$work/before"
if [ -z "$same" ] || [ -n "$remove" ]; then
  if grep -qxF -e "$keys" "$work/known"; then
    fetch "$keys" "$work/before"
  fi
fi
LC_ALL=C sort -u "$work/before" "$work/keys" >"$work/all"
if [ -z "$same" ]; then
  put "$keys" "$work/all" text/plain no-store
fi

# what is not there like that, one call for each group
(cd "$work" && awk -F '\t' -v same="$same" -v skip="${#prefix}" '
  FILENAME == ARGV[1] { there[$0] = 1; next }
  same == "" || !(($1 FS $2) in there) { print "./" substr($1, skip + 1) >("changed." $3) }
' there wanted)
group() {
  n=$((n + 1))
  if [ ! -s "$work/changed.$n" ]; then
    return 0
  fi
  if [ $# -eq 3 ]; then
    put "$3" "$out/${3#"$prefix"}" "$1" "$2"
  else
    mkdir -p "$work/group/$prefix"
    (cd "$out" && tar -cf "$work/group.tar" -T "$work/changed.$n")
    (cd "$work/group/$prefix" && tar -xf "$work/group.tar")
    copy "$work/group" "$1" "$2"
    rm -rf "$work/group"
  fi
  while IFS= read -r file; do
    printf 'uploaded %s%s\n' "$prefix" "${file#./}"
  done <"$work/changed.$n"
}
object() { :; }
n=0
objects

# what earlier uploads left behind
LC_ALL=C comm -13 "$work/keys" "$work/all" | LC_ALL=C comm -12 - "$work/known" >"$work/departed"
if [ -n "$remove" ] && [ -s "$work/departed" ]; then
  drop "$work/departed"
  sed 's/^/deleted /' "$work/departed"
  put "$keys" "$work/keys" text/plain no-store
fi
if [ -z "$same" ]; then
  put "$state" "$work/state" text/plain no-store
fi
{{end}}

{{define "cors.sh" -}}
#!/bin/sh
{{head "#" .Name (print "use: " .Once ", once per " (lower .Bucket) ": which origins may read it from scripts")
	(print "needs " .Needs)}}

set -eu
{{include (print .Name "-cors.sh") . -}}
{{end}}
