#!/usr/bin/env bash
# Makes what goes into packages beside the program, in .extras/: manual pages and
# completions, the same bytes each time.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS="-trimpath -tags=urfave_cli_no_docs" # as the release, so that all is compiled once
rm -rf .extras
mkdir -p .extras/completions
go run ./.ci/man .extras/man
gzip -n9 .extras/man/*.1
for shell in bash zsh fish powershell; do
  case $shell in
    zsh) name=_cardwright ;;
    powershell) name=cardwright.ps1 ;;
    *) name=cardwright.$shell ;;
  esac
  go run . completion "$shell" >".extras/completions/$name"
done
chmod 0644 .extras/man/* .extras/completions/*
