#!/usr/bin/env bash
# Puts the program where run.sh finds it: built from the source of the action,
# or a release with the checksum that it lists and an attestation that our
# workflow built it. Whoever can replace a file of a release can replace its
# checksums too, and cannot attest.
#
#   CARDWRIGHT_VERSION     the release, such as v1.2.3; empty builds
#   CARDWRIGHT_REF         what the action was pinned to; empty in its own repository
#   CARDWRIGHT_REPOSITORY  owner/name of the repository with the releases
#   GITHUB_SERVER_URL      where that repository is
#   GH_TOKEN               may read attestations
set -euo pipefail

version=${CARDWRIGHT_VERSION:-}
bin=$RUNNER_TEMP/cardwright/bin
exe=
[[ $RUNNER_OS != Windows ]] || exe=.exe

main() {
  mkdir -p "$bin"
  if [[ -z $version ]]; then
    build
  else
    download
  fi
  "$bin/cardwright$exe" --version
}

# The Go on the runner fetches the release of Go that go.mod asks for. It stays
# what it is for the steps that follow.
build() {
  command -v go >/dev/null || die "building cardwright takes Go: add actions/setup-go before this step, or give a version to download"
  GOTOOLCHAIN=auto GOFLAGS='' GOWORK=off CGO_ENABLED=0 \
    go build -C "$GITHUB_ACTION_PATH" -buildvcs=false -trimpath -tags=urfave_cli_no_docs \
    -ldflags="-s -w -X main.version=$(built)" -o "$bin/cardwright$exe" .
}

# built is the version of a build: the release that was pinned, or 0.0.0, and behind
# it the commit, as far as anybody knows it. The source of an action is no repository,
# so the one on the server says which commit a tag is.
built() {
  local ref=${CARDWRIGHT_REF:-} commit
  if [[ -z $ref ]]; then
    ref=$(git -C "$GITHUB_ACTION_PATH" rev-parse HEAD 2>/dev/null) || ref=
  fi
  if [[ $ref =~ ^v([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)$ ]]; then
    commit=$(GIT_TERMINAL_PROMPT=0 git ls-remote "$GITHUB_SERVER_URL/$CARDWRIGHT_REPOSITORY" "refs/tags/$ref" "refs/tags/$ref^{}" 2>/dev/null |
      awk '{ commit = $1 } END { print commit }') || commit=
    echo "${BASH_REMATCH[1]}${commit:++$commit}"
  elif [[ $ref =~ ^[0-9A-Za-z.-]+$ ]]; then
    echo "0.0.0+$ref"
  fi
}

download() {
  local os arch ending=tar.gz
  [[ $version =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || die "version is no release: give one such as v1.2.3, or leave it empty"
  case $RUNNER_OS in
    Linux) os=linux ;;
    macOS) os=darwin ;;
    Windows) os=windows ending=zip ;;
    *) die "there is no release for $RUNNER_OS" ;;
  esac
  case $RUNNER_ARCH in
    X64) arch=amd64 ;;
    ARM64) arch=arm64 ;;
    *) die "there is no release for $RUNNER_ARCH" ;;
  esac
  command -v gh >/dev/null || die "a release is verified with gh, the GitHub CLI, which is missing: install it, or leave version empty to build from source"
  cd "$RUNNER_TEMP/cardwright"
  local archive=cardwright_${version#v}_${os}_$arch.$ending
  fetch checksums.txt
  fetch "$archive"
  verify "$archive"
  attested "$archive"
  if [[ $ending == zip ]]; then
    unzip -q -o "$archive" cardwright.exe -d "$bin"
  else
    tar -xzf "$archive" -C "$bin" cardwright
  fi
}

fetch() {
  curl -fsSL --proto =https --tlsv1.2 --retry 3 -o "$1" \
    "$GITHUB_SERVER_URL/$CARDWRIGHT_REPOSITORY/releases/download/$version/$1" ||
    die "cannot download $1 of the release $version"
}

# verify compares the checksum of a file with the one that the release lists.
verify() {
  local want got
  want=$(awk -v name="$1" '$2 == name { print $1 }' checksums.txt)
  if command -v sha256sum >/dev/null; then
    got=$(sha256sum <"$1")
  else
    got=$(shasum -a 256 <"$1")
  fi
  [[ -n $want && ${got%% *} == "$want" ]] || die "the checksum of $1 is not the one that the release lists"
}

# attested demands that the release workflow of the repository built the file,
# for the tag of the release, on a runner of GitHub.
attested() {
  GH_HOST=${GITHUB_SERVER_URL#https://} gh attestation verify "$1" \
    --repo="$CARDWRIGHT_REPOSITORY" \
    --signer-workflow="$CARDWRIGHT_REPOSITORY/.github/workflows/release.yml" \
    --source-ref="refs/tags/$version" \
    --deny-self-hosted-runners >/dev/null ||
    die "nothing attests that the release workflow of $CARDWRIGHT_REPOSITORY built $1 for $version"
}

die() {
  echo "::error title=cardwright::$*"
  exit 1
}

main
