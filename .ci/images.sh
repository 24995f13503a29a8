#!/usr/bin/env bash
# Makes the container images of release 1.2.3 twice, into a registry of its own on this
# machine, and looks into them: for both processors, the program, its user, its
# certificates, git where it is promised, and the list of what is inside (SBOM).
#
#   .ci/images.sh GORELEASER
#
# It runs in a clone with the tag v1.2.3. Where the registries of the base images cannot
# be reached, the certificates and the git of this machine stand for them.
set -euo pipefail
goreleaser=$1
cd "$(dirname "$0")/.."
version=v0.22.1
bin=${XDG_CACHE_HOME:-$HOME/.cache}/cardwright/crane-$version-$(go env GOVERSION)
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

die() {
  echo "images: $*" >&2
  exit 1
}

command -v jq >/dev/null || { echo "skipped: the images, for jq is not installed"; exit 0; }
if [[ ! -x $bin/crane ]]; then
  GOBIN=$bin GOFLAGS=-mod=mod go install "github.com/google/go-containerregistry/cmd/crane@$version"
fi
crane() { "$bin/crane" "$@"; }

"$bin/crane" registry serve --address 127.0.0.1:0 >"$work/registry" 2>&1 &
server=$!
until port=$(sed -n 's/.*serving on port //p' "$work/registry") && [[ -n $port ]]; do
  kill -0 "$server" || die "the registry does not start: $(cat "$work/registry")"
  sleep 0.1
done
registry=localhost:$port


# base NAME FILE… makes a stand-in for a base image from files of this machine: an
# image for each processor, run by the user of distroless that has no rights.
base() {
  local name=$1 arch
  shift
  tar --dereference -cf "$work/layer.tar" -C / "${@#/}"
  for arch in amd64 arm64; do
    crane append --oci-empty-base -f "$work/layer.tar" -t "$registry/$name:$arch"
    crane mutate --set-platform "linux/$arch" --user 65532 -t "$registry/$name:$arch" "$registry/$name:$arch"
  done
  crane index append -m "$registry/$name:amd64" -m "$registry/$name:arm64" -t "$registry/$name:latest"
} >>"$work/log" 2>&1

# The part of the release that makes images, with bases that are at hand.
{
  awk '/^[a-z]/ { keep = /^(version|project_name|builds|kos):/ } keep' .goreleaser.yaml
  echo 'changelog: { disable: true }'
  echo 'release: { disable: true }'
} >"$work/goreleaser.yaml"
for image in $(sed -n 's/^ *base_image: //p' .goreleaser.yaml); do
  crane digest "$image" >/dev/null 2>&1 && continue
  name=base/$(tr -c 'a-z0-9\n' - <<<"${image%@*}")
  echo "stand-in for $image"
  files=(/etc/ssl/certs/ca-certificates.crt)
  [[ $image != *git* ]] || mapfile -t -O 1 files < <(command -v git && ldd "$(command -v git)" | grep -o '/[^ ]*')
  base "$name" "${files[@]}" || { cat "$work/log" >&2; die "no stand-in"; }
  sed -i "s#base_image: $image#base_image: $registry/$name:latest#" "$work/goreleaser.yaml"
done

release() {
  KO_DOCKER_REPO=$registry/cardwright "$goreleaser" release --clean -f "$work/goreleaser.yaml" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; die "goreleaser fails"; }
}
release
for tag in 1.2.3 1.2.3-git latest git; do
  crane digest "$registry/cardwright:$tag"
done >"$work/first"
release
for tag in 1.2.3 1.2.3-git latest git; do
  crane digest "$registry/cardwright:$tag"
done | diff "$work/first" - || die "two builds of one commit differ"
sort -u "$work/first" | sed "s#^sha256:\(.*\)#\1  $registry/cardwright#" | diff - <(.ci/digests.sh | sort) ||
  die "the release attests other images than it pushes"

# run ROOT PROGRAM… runs a program of an image as the user of the image, without the
# files of this machine.
run() {
  local root=$1
  shift
  chroot --userspec=65532:65532 "$root" "$@"
}

for image in 1.2.3 1.2.3-git; do
  ref=$registry/cardwright:$image
  for arch in amd64 arm64; do
    root=$work/$image-$arch
    mkdir -p "$root"
    crane export --platform "linux/$arch" "$ref" "$work/image.tar"
    tar -xf "$work/image.tar" -C "$root" 2>/dev/null # its paths are absolute
    crane config --platform "linux/$arch" "$ref" >"$work/config"
    grep -q '"User":"65532' "$work/config" || die "$image for $arch runs as $(grep -o '"User":"[^"]*"' "$work/config")"
    grep -q '"Entrypoint":\["/ko-app/cardwright"\]' "$work/config" || die "$image for $arch does not start cardwright"
    grep -q '"org.opencontainers.image.licenses":"Apache-2.0"' "$work/config" || die "$image for $arch does not name its licence"
    [[ -s $root/etc/ssl/certs/ca-certificates.crt ]] || die "$image for $arch has no certificates"
    [[ $image != *-git || -x $root/usr/bin/git ]] || die "$image for $arch has no git"
    ! ldd "$root/ko-app/cardwright" >/dev/null 2>&1 || die "the program of $image for $arch is not static"
    digest=$(crane digest --platform "linux/$arch" "$ref")
    crane export "$registry/cardwright:${digest/:/-}.sbom" "$work/sbom"
    grep -q '"spdxVersion"' "$work/sbom" || die "$image for $arch has no SBOM"
  done
done

# The program of the image for this machine makes the tree of golden/, and finds a
# commit with the git of the image.
[[ $(uname -m) == x86_64 && $(id -u) == 0 ]] || { echo "skipped: running the images takes root on amd64"; exit 0; }
for image in 1.2.3 1.2.3-git; do
  root=$work/$image-amd64
  mkdir -p "$root/site" "$root/dev"
  mknod -m 0666 "$root/dev/null" c 1 3
  cp -R testdata/workspaces/code-review "$root/site/"
  chown -R 65532:65532 "$root/site"
  run "$root" /ko-app/cardwright -C /site/code-review generate -q --out dist
  diff -r golden/code-review "$root/site/code-review/dist" || die "the image $image makes another tree than golden/code-review"
done
chown -R 0:0 "$root/site"
(cd "$root/site/code-review" && git init -q && git add . && git -c user.name=ci -c user.email=ci@localhost commit -qm "Add cards")
chown -R 65532:65532 "$root/site"
run "$root" /ko-app/cardwright -C /site/code-review diff --git HEAD >"$work/log" 2>&1 || die "diff --git fails in the image: $(cat "$work/log")"
echo "images: passed"
