#!/usr/bin/env bash
# Follows docs/install.md in clean systems, from a package to an example whose tree has
# to be that of golden/: Debian, Alpine, and Windows under wine. With Docker the first
# two are its images. Without it, Debian is what mmdebstrap makes, and a directory with
# musl, busybox and nothing else stands for Alpine, where tar does what apk would.
#
#   .ci/containers.sh DIST
#
# No system has a network: what the page downloads comes from DIST. What a system
# needs here and cannot be had is said, and the system skipped.
set -euo pipefail
dist=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  echo "containers: $*" >&2
  exit 1
}

mkdir -p "$work/box/files" "$work/box/bin"
find "$dist" -maxdepth 1 -type f -exec cp {} "$work/box/files/" \;
git archive --prefix=cardwright-1.2.3/ -o "$work/box/files/v1.2.3.tar.gz" HEAD
git archive --prefix=cardwright-1.2.3/ -o "$work/box/files/v1.2.3.zip" HEAD
cat >"$work/box/bin/curl" <<'END'
#!/bin/sh
# curl -L URL prints a file, curl -LO URL... keeps them.
how=$1
shift
for url; do
  case $how in
    -LO) cp "/box/files/${url##*/}" . ;;
    *) cat "/box/files/${url##*/}" ;;
  esac
done
END
printf '#!/bin/sh\nexec "$@"\n' >"$work/box/bin/sudo"
chmod +x "$work"/box/bin/*

# follow SYSTEM runs the commands of the page in it.
follow() {
  local system=$1
  { echo 'set -eux; PATH=/box/bin:$PATH; cd /tmp' && .ci/documented.sh "$system"; } >"$work/box/commands"
  [[ $(grep -c 'diff -r .*golden/' "$work/box/commands") == 1 ]] || die "the page compares nothing on $system"
  if docker info >/dev/null 2>&1; then
    docker run --rm --network none -v "$work/box:/box:ro" "$2" sh /box/commands || die "the page is wrong about $system"
  else
    [[ $(id -u) == 0 ]] || { echo "skipped: $system, for there is neither Docker nor root"; return; }
    "$system" "$work/$system" || { echo "skipped: $system, which cannot be made here"; return; }
    cp -R "$work/box" "$work/$system/box"
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root unshare --net chroot "$work/$system" /bin/sh /box/commands || die "the page is wrong about $system"
  fi
  echo "$system: from the package to the tree of golden/"
}

# debian DIR makes a Debian that has only what is essential.
debian() {
  command -v mmdebstrap >/dev/null || need mmdebstrap || return 1
  mmdebstrap --quiet --variant=essential bookworm "$1" 2>"$work/log" || { cat "$work/log" >&2; return 1; }
}

# alpine DIR makes a directory with musl and busybox.
alpine() {
  command -v apt-get >/dev/null || return 1
  mkdir -p "$work/packages" "$1"/{bin,sbin,tmp,usr}
  (cd "$work/packages" && apt-get update -qq && apt-get download -qq musl busybox-static) >/dev/null 2>&1 || return 1
  for package in "$work"/packages/*.deb; do
    dpkg-deb -x "$package" "$1"
  done
  chroot "$1" /bin/busybox --install -s /bin
  printf '#!/bin/sh\nfor last; do :; done\nexec tar -xzf "$last" -C /\n' >"$1/sbin/apk"
  chmod +x "$1/sbin/apk"
}

need() {
  command -v apt-get >/dev/null && apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "$@" >/dev/null
}

# windows does what curl and tar do on the page, and leaves the rest to cmd.exe.
windows() {
  command -v wine >/dev/null || { echo "skipped: Windows, for wine is not installed"; return; }
  export WINEPREFIX=$work/wine WINEDEBUG=-all
  wineboot -i >/dev/null 2>&1
  go run ./.ci/wine "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" # which wine 8 lacks
  local line
  mkdir "$work/windows"
  .ci/documented.sh windows >"$work/box/commands"
  (
    cd "$work/windows"
    while IFS= read -r line <&3; do
      case $line in
        'curl -LO '*) cp "$work/box/files/${line##*/}" . ;;
        'tar -xf '*) unzip -qo "${line##* }" ;;
        *) wine cmd /c "$line" || die "the page is wrong about Windows: $line" ;;
      esac
    done 3<"$work/box/commands"
  )
  diff -r golden/code-review "$work/windows/cardwright-1.2.3/testdata/workspaces/code-review/dist" ||
    die "Windows makes another tree"
  echo "windows: from the package to the tree of golden/"
}

follow debian debian:12
follow alpine alpine:3
windows
