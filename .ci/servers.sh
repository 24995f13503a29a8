#!/usr/bin/env bash
# Installs the servers that the tests run: nginx and Apache from Debian, Caddy
# from the Go module proxy. What is there already is left alone. Prints the directory to
# put on the PATH, where caddy is.
set -euo pipefail

caddy_version=v2.11.9

# again runs a command that downloads, a second and a third time where it fails.
again() {
  "$@" || { sleep 10 && "$@"; } || { sleep 60 && "$@"; }
}

missing=()
for pair in nginx:nginx-light apache2:apache2-bin; do
  command -v "${pair%%:*}" >/dev/null || [[ -x /usr/sbin/${pair%%:*} ]] || missing+=("${pair##*:}")
done
[[ -e /etc/mime.types ]] || missing+=(media-types)
if [[ ${#missing[@]} != 0 ]]; then
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "install these first: ${missing[*]}" >&2
    exit 1
  fi
  {
    again apt-get update -qq
    # The servers are run by the tests only, never as services.
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive again apt-get install -qq --no-install-recommends "${missing[@]}"
  } >&2
fi

bin=${XDG_CACHE_HOME:-$HOME/.cache}/cardwright/caddy-$caddy_version
if [[ ! -x $bin/caddy ]]; then
  echo "installing caddy $caddy_version; the first time takes some minutes" >&2
  GOBIN=$bin again go install "github.com/caddyserver/caddy/v2/cmd/caddy@$caddy_version" >&2
fi
echo "$bin"
