#!/bin/sh
# Moves the project to its home: module path, imports, commands that install, the
# Action, the ids of JSON Schemas, and the constant that URLs are made from. Run
# once, then commit.
#
#   make home NAME=github.com/OWNER/cardwright
#
# What users have stored stays what it is: rules, the key of fingerprints, and the
# URI of the extension in their cards.
set -eu
home=${1-}
cd "$(dirname "$0")/.."
case $home in
*[!A-Za-z0-9./_-]* | */ | /* | *//* | *..* | "" ) bad=yes ;;
*.*/*/*) bad= ;;
*) bad=yes ;;
esac
if [ "$bad" ]; then
  echo "usage: make home NAME=github.com/OWNER/cardwright" >&2
  exit 2
fi
if [ "$(sed -n 's/^module //p' go.mod)" != cardwright ]; then
  echo "the project has a home already: $(sed -n 's/^module //p' go.mod)" >&2
  exit 1
fi
repository=${home#*/}
export home repository

own='(?:conformance|generate|golden|internal|mapping|schema|tools)\b'
edit() { # EXPRESSION PATTERN…
  expression=$1
  shift
  git ls-files -z -- "$@" | xargs -0 perl -pi -e "$expression"
}
edit "s#(?<![\\w./-])cardwright/(?=$own)#\$ENV{home}/#g; s#\"cardwright/\"#\"\$ENV{home}/\"#g" '*.go' .golangci.yml '*go.mod'
edit 's#^(module|replace) cardwright(?=\s)#$1 $ENV{home}#; s#^(\s+)cardwright v#$1$ENV{home} v#' '*go.mod'
edit 's#(?<=[\[ ])cardwright(?=[,\]])#$ENV{home}#g; s#(?<=module-path: )cardwright\b#$ENV{home}#' .golangci.yml
edit 's#^const home = ""#const home = "https://$ENV{home}"#' internal/cli/result.go
edit 's#^  "\$id": "(?=[a-z])#  "\$id": "https://$ENV{home}/raw/HEAD/schema/#' 'schema/*.schema.json'
# In regular expressions the dots of a host are quoted.
owner=${repository%%/*}
export owner
git grep -lzE 'OWNER[/.]' -- . ':!.ci' ':!Makefile' | xargs -0 perl -pi -e '($dotted = $ENV{home}) =~ s#\.#\\.#g;
  s#github\\\.com/OWNER/cardwright#$dotted#g; s#github\.com/OWNER/cardwright#$ENV{home}#g;
  s#OWNER/cardwright#$ENV{repository}#g; s#OWNER\.github\.io#$ENV{owner}.github.io#g; s#\bOWNER/(?=[a-z])#$ENV{owner}/#g'
git ls-files -z -- '*.go' | xargs -0 gofmt -w
if git grep -nE '"cardwright/(generate|internal|mapping|schema)|\bOWNER[/.][a-z]' -- . ':!.ci' ':!Makefile'; then
  echo "these lines still name no home" >&2
  exit 1
fi
go build ./...
echo "the home is https://$home; look at the differences, run the tests, and commit"
