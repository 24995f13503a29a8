#!/usr/bin/env bash
# Makes the completions that go into packages beside the program, in .extras/.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS="-trimpath -tags=urfave_cli_no_docs" # as the release, so that all is compiled once
rm -rf .extras
mkdir -p .extras/completions
for shell in bash zsh fish powershell; do
  case $shell in
    zsh) name=_cardwright ;;
    powershell) name=cardwright.ps1 ;;
    *) name=cardwright.$shell ;;
  esac
  go run . completion "$shell" >".extras/completions/$name"
done
chmod 0644 .extras/completions/*
