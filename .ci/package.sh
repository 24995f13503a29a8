#!/usr/bin/env bash
# Makes release 1.2.3 of this commit and looks into the packages: what is in them, and
# whether the program in them makes the tree that golden/ has. Then makes the
# release again, which has to have the same checksums.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v2.14.3 # later ones do not install from the module proxy
bin=${XDG_CACHE_HOME:-$HOME/.cache}/cardwright/goreleaser-$version-$(go env GOVERSION)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  echo "$*" >&2
  exit 1
}

missing=()
command -v bsdtar >/dev/null || missing+=(libarchive-tools)
[[ ${#missing[@]} == 0 ]] || {
  [[ $(id -u) == 0 ]] && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends "${missing[@]}"
} >/dev/null 2>&1 || true

if [[ ! -x $bin/goreleaser ]]; then
  echo "installing goreleaser $version; the first time takes some minutes"
  GOBIN=$bin GOFLAGS=-mod=mod go install "github.com/goreleaser/goreleaser/v2@$version"
fi

# A clone, which has the commit and nothing else, at a remote that goreleaser can
# name. The tag is the version that docs/install.md has.
git clone -q . "$work/clone"
cd "$work/clone"
git remote set-url origin https://github.com/cardwright/cardwright
git tag v1.2.3
{ cat .goreleaser.yaml && echo 'snapshot: { version_template: "{{ .Version }}" }'; } >"$work/goreleaser.yaml"
snapshot() {
  GORELEASER_CURRENT_TAG=v1.2.3 "$bin/goreleaser" release --snapshot --clean --skip=sbom,sign -f "$work/goreleaser.yaml" \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; die "goreleaser fails"; }
}
"$bin/goreleaser" check
snapshot
sort dist/checksums.txt >"$work/first"
echo "built in $SECONDS s: $(wc -l <"$work/first") files"

# tree PROGRAM… makes an example, which has to be that of golden/.
tree() {
  rm -rf "$work/example"
  cp -R testdata/workspaces/code-review "$work/example"
  "$@" -C "$work/example" generate -q --out dist
  diff -r golden/code-review "$work/example/dist" || die "$* makes another tree than golden/code-review"
}

# holds DIR FILE… wants files to be there.
holds() {
  local dir=$1 file
  shift
  for file in "$@"; do
    [[ -s $dir/$file ]] || die "$dir lacks $file"
  done
}

# installed DIR wants what each package installs, and the program in it to work.
installed() {
  holds "$1/usr" bin/cardwright share/doc/cardwright/copyright share/bash-completion/completions/cardwright \
    share/zsh/vendor-completions/_cardwright share/fish/vendor_completions.d/cardwright.fish
  cmp -s LICENSE "$1/usr/share/doc/cardwright/copyright" || die "$1 has another licence"
  [[ $(find "$1" -type f -perm /022 | wc -l) == 0 ]] || die "$1 has files that others can write"
}

# unpacked DIR PROGRAM wants what each archive has.
unpacked() {
  holds "$1" "$2" README.md LICENSE completions/cardwright.bash completions/_cardwright completions/cardwright.fish completions/cardwright.ps1
  cmp -s LICENSE "$1/LICENSE" || die "$1 has another licence"
}

# emulator ARCH is how programs for a processor are run here, empty for directly.
# It fails where they cannot be.
emulator() {
  case $1-$(uname -m) in
    amd64-x86_64 | arm64-aarch64) ;;
    arm64-*) command -v qemu-aarch64-static ;;
    *) return 1 ;;
  esac
}

for arch in amd64 arm64; do
  machine=$([[ $arch == amd64 ]] && echo x86_64 || echo aarch64)
  mkdir -p "$work/$arch"/{deb,apk,rpm,tar,darwin,zip}
  dpkg-deb -x "dist/cardwright_1.2.3_$arch.deb" "$work/$arch/deb"
  tar -xzf "dist/cardwright_1.2.3_$machine.apk" -C "$work/$arch/apk" 2>/dev/null # it begins with its control
  if command -v bsdtar >/dev/null; then
    bsdtar -xf "dist/cardwright-1.2.3-1.$machine.rpm" -C "$work/$arch/rpm" 2>/dev/null # its paths are absolute
  else
    echo "skipped: bsdtar is not installed, so the rpm is not looked into"
    rm -r "$work/$arch/rpm"
  fi
  tar -xzf "dist/cardwright_1.2.3_linux_$arch.tar.gz" -C "$work/$arch/tar"
  tar -xzf "dist/cardwright_1.2.3_darwin_$arch.tar.gz" -C "$work/$arch/darwin"
  unzip -q "dist/cardwright_1.2.3_windows_$arch.zip" -d "$work/$arch/zip"
  unpacked "$work/$arch/tar" cardwright
  unpacked "$work/$arch/darwin" cardwright
  unpacked "$work/$arch/zip" cardwright.exe
  run=$(emulator $arch) || { echo "skipped: the programs for $arch, which nothing here can run"; run=no; }
  for kind in deb apk rpm; do
    [[ -d $work/$arch/$kind ]] || continue
    installed "$work/$arch/$kind"
    cmp "$work/$arch/$kind/usr/bin/cardwright" "$work/$arch/tar/cardwright" || die "the program of the $kind is another one"
  done
  # shellcheck disable=SC2086 # nothing, or one word
  [[ $run == no ]] || tree $run "$work/$arch/tar/cardwright"
done

program=$work/amd64/tar/cardwright
[[ $("$program" --version) == "cardwright 1.2.3"*"commit $(git rev-parse HEAD) of "* ]] || die "--version does not name the release and the commit"
! ldd "$program" >/dev/null 2>&1 || die "the program is not static"
echo "the program has $(stat -c %s "$program" 2>/dev/null || stat -f %z "$program") bytes"
holds dist homebrew/Casks/cardwright.rb
for file in cardwright_1.2.3_{linux,darwin}_{amd64,arm64}.tar.gz; do
  sum=$(awk -v name="$file" '$2 == name { print $1 }' dist/checksums.txt)
  grep -qi "$sum" dist/homebrew/Casks/cardwright.rb || die "the cask lacks the checksum of $file"
done
echo "packages: passed"

# What was compiled for the first build is in the cache of Go, so this one links and packs.
before=$SECONDS
snapshot
sort dist/checksums.txt | diff "$work/first" - || die "two builds of one commit differ"
echo "the same checksums twice, the second time in $((SECONDS - before)) s"
