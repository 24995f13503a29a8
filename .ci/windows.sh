#!/usr/bin/env bash
# Runs the program and tests for Windows under wine, and the program for other
# processors under qemu. What is not installed and cannot be is skipped, and says so.
#
# wine 8, which Debian 12 has, lacks three things. Two are made up for here: the
# library that Go takes random numbers from, and a way to delete files for which Go
# has another one, that of file systems which do not know it either. It makes no
# links, so that the tests with links are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CGO_ENABLED=0

have() {
  command -v "$1" >/dev/null && return
  if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${@:2}" >/dev/null || true
  fi
  command -v "$1" >/dev/null && return
  echo "skipped: $1 is not installed, and cannot be"
  return 1
}

wine() {
  WINEPREFIX=$work/wine WINEDEBUG=-all command wine "$@"
}

windows() {
  local goroot at package
  goroot=$(go env GOROOT)
  at=$goroot/src/internal/syscall/windows/at_windows.go
  sed 's/^var TestDeleteatFallback bool/var TestDeleteatFallback = true/' "$at" >"$work/at_windows.go"
  printf '{"Replace": {"%s": "%s"}}' "$at" "$work/at_windows.go" >"$work/overlay.json"
  WINEPREFIX=$work/wine WINEDEBUG=-all wineboot -i >/dev/null 2>&1
  go run ./.ci/wine "$work/wine/drive_c/windows/system32/bcryptprimitives.dll"

  GOOS=windows go build -overlay "$work/overlay.json" -o "$work/cardwright.exe" .
  printf '#!/bin/sh\nWINEPREFIX=%s WINEDEBUG=-all exec wine %s "$@"\n' "$work/wine" "$work/cardwright.exe" >"$work/cardwright.exe.sh"
  printf '#!/bin/sh\nWINEPREFIX=%s WINEDEBUG=-all exec wine cmd "$@"\n' "$work/wine" >"$work/cmd.sh"
  chmod +x "$work/cardwright.exe.sh" "$work/cmd.sh"
  SMOKE_CMD=$work/cmd.sh .ci/smoke.sh "$work/cardwright.exe.sh"
  for package in client diag files hosting preview publish tree; do
    GOOS=windows go test -overlay "$work/overlay.json" -c -o "$work/$package.exe" "./internal/$package"
    [[ ! -e $work/$package.exe ]] || (cd "internal/$package" && wine "$work/$package.exe" -test.short -test.skip "$no_links") || failed+=("$package")
  done
}

# The tests that make links, or that look at modes, which Windows has not.
no_links='Link|^TestResolve$|Refuses|NamedPlaces|NamesEveryFault|WriteFile$|^TestCreate$'

# other ARCH QEMU runs the program of another processor.
other() {
  have "qemu-$2-static" qemu-user-static || return 0
  GOARCH=$1 go build -o "$work/cardwright-$1" .
  .ci/smoke.sh "qemu-$2-static" "$work/cardwright-$1"
}

go build -o "$work/cardwright" .
.ci/smoke.sh "$work/cardwright"
failed=()
if have wine wine wine64; then
  windows
fi
other arm64 aarch64
other arm arm
GOARCH=386 go build -o "$work/cardwright-386" .
.ci/smoke.sh "$work/cardwright-386"
[[ ${#failed[@]} == 0 ]] || { echo "failed under wine: ${failed[*]}" >&2; exit 1; }
