#!/usr/bin/env bash
# Makes a snapshot release twice, wants the same checksums, and looks into the
# packages: what is in them, and whether the program in them makes the tree that
# golden/ has. Packages are unpacked, not installed.
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

if [[ ! -x $bin/goreleaser ]]; then
  echo "installing goreleaser $version; the first time takes some minutes"
  GOBIN=$bin GOFLAGS=-mod=mod go install "github.com/goreleaser/goreleaser/v2@$version"
fi

# A clone, which has the commit and nothing else, at a remote that goreleaser can name.
git clone -q . "$work/clone"
cd "$work/clone"
git remote set-url origin https://github.com/cardwright/cardwright
snapshot() {
  "$bin/goreleaser" release --snapshot --clean --skip=sbom,sign,ko >"$work/log" 2>&1 || { cat "$work/log" >&2; die "goreleaser fails"; }
}
"$bin/goreleaser" check
snapshot
sort dist/checksums.txt >"$work/first"
snapshot
sort dist/checksums.txt | diff "$work/first" - || die "two builds of one commit differ"

# tree PROGRAM makes an example, which has to be that of golden/.
tree() {
  rm -rf "$work/example"
  cp -R testdata/workspaces/code-review "$work/example"
  "$1" -C "$work/example" generate -q --out dist
  diff -r golden/code-review "$work/example/dist" || die "$1 makes another tree than golden/code-review"
}

# holds DIR FILE… wants files to be there.
holds() {
  local dir=$1 file
  shift
  for file in "$@"; do
    [[ -s $dir/$file ]] || die "$dir lacks $file"
  done
}

installed=(usr/bin/cardwright usr/share/man/man1/cardwright.1.gz usr/share/man/man1/cardwright-generate.1.gz
  usr/share/bash-completion/completions/cardwright usr/share/zsh/vendor-completions/_cardwright
  usr/share/fish/vendor_completions.d/cardwright.fish usr/share/doc/cardwright/copyright)
unpacked=(README.md LICENSE man/cardwright.1.gz completions/cardwright.bash completions/_cardwright completions/cardwright.fish completions/cardwright.ps1)

mkdir "$work"/{deb,apk,rpm,tar,zip}
dpkg-deb -x dist/*_amd64.deb "$work/deb"
holds "$work/deb" "${installed[@]}"
tree "$work/deb/usr/bin/cardwright"
tar -xzf dist/*x86_64.apk -C "$work/apk" 2>/dev/null # it begins with its signature and control
holds "$work/apk" "${installed[@]}"
tree "$work/apk/usr/bin/cardwright"
if command -v rpm2cpio >/dev/null && command -v cpio >/dev/null; then
  (cd "$work/rpm" && rpm2cpio "$work"/clone/dist/*x86_64.rpm | cpio -idm --quiet)
  holds "$work/rpm" "${installed[@]}"
  tree "$work/rpm/usr/bin/cardwright"
else
  echo "skipped: rpm2cpio and cpio are not installed, nobody looks into the rpm"
fi
tar -xzf dist/cardwright_*_linux_amd64.tar.gz -C "$work/tar"
holds "$work/tar" cardwright "${unpacked[@]}"
tree "$work/tar/cardwright"
if command -v unzip >/dev/null; then
  unzip -q dist/cardwright_*_windows_amd64.zip -d "$work/zip"
  holds "$work/zip" cardwright.exe "${unpacked[@]}"
fi
[[ $("$work/tar/cardwright" --version) == *"commit $(git rev-parse HEAD)"* ]] || die "--version does not name the commit"
size=$(stat -c %s "$work/tar/cardwright" 2>/dev/null || stat -f %z "$work/tar/cardwright")
echo "the program has $size bytes"
holds dist homebrew/Casks/cardwright.rb scoop/cardwright.json
[[ -n $(find dist/winget -name '*.installer.yaml') ]] || die "there is no manifest for winget"
# What is in the checksums is what docs/install.md tells to compare.
(cd dist && sha256sum --quiet --check --ignore-missing checksums.txt)
echo "packages: passed"
