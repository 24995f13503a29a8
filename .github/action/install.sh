#!/usr/bin/env bash
# Puts the program where run.sh finds it: a release with the checksum that it lists and
# an attestation that our workflow built it, or a build from the source of the action.
# Whoever can replace a file of a release can replace its checksums too, and cannot
# attest.
#
#   CARDWRIGHT_VERSION     such as 1.2.3; latest; source, which builds; a file of the
#                          workspace that names one; empty for what the action is pinned to
#   CARDWRIGHT_MODE        run, or install, which also puts the program into the PATH
#   CARDWRIGHT_REF         what the action is pinned to; empty in its own repository
#   CARDWRIGHT_REPOSITORY  owner/name of the repository with the releases
#   GITHUB_SERVER_URL      where that repository is
#   GH_TOKEN               may read attestations
set -euo pipefail
source "$GITHUB_ACTION_PATH/.github/action/lib.sh"

repository=$GITHUB_SERVER_URL/$CARDWRIGHT_REPOSITORY
bin=$RUNNER_TEMP/cardwright/bin
exe=
[[ $RUNNER_OS != Windows ]] || exe=.exe

main() {
  local said
  [[ $CARDWRIGHT_MODE == run || $CARDWRIGHT_MODE == install ]] || die "the mode is neither run nor install"
  mkdir -p "$bin"
  choose
  if [[ $tag == source ]]; then
    build
  else
    download
  fi
  said=$("$bin/cardwright$exe" --version) || die "the program does not run on this runner"
  echo "$said"
  said=${said%%$'\n'*}
  output version "${said#cardwright }"
  output path "$bin/cardwright$exe"
  if [[ $CARDWRIGHT_MODE == install ]]; then
    echo "$bin" >>"$GITHUB_PATH"
  fi
}

# choose sets tag: the release to download, or source.
choose() {
  local version=$CARDWRIGHT_VERSION
  local release='v?([0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?)'
  if [[ $version =~ ^$release$ ]]; then
    tag=v${BASH_REMATCH[1]}
  elif [[ $version == source ]]; then
    tag=source
  elif [[ $version == latest ]]; then
    tag=$(curl -fsS --proto =https --tlsv1.2 --retry 3 -o /dev/null -w '%{redirect_url}' "$repository/releases/latest") || tag=
    tag=${tag##*/}
    [[ $tag =~ ^$release$ ]] || die "cannot find the latest release of $CARDWRIGHT_REPOSITORY"
  elif [[ -z $version ]]; then
    tag=$(pinned)
    [[ -n $tag ]] || die "the action is pinned to ${CARDWRIGHT_REF:-no release}, which is no release of $CARDWRIGHT_REPOSITORY: pin a release or its commit, or set version (version: source builds the program, which takes Go)"
  elif [[ -f $GITHUB_WORKSPACE/$version ]]; then
    # 1.2.3 alone, or behind the name as in .tool-versions, mise.toml and go.mod
    tag=$(sed -nE "s/^([^#]*cardwright\"?[[:space:]]*=?[[:space:]]*)?\"?$release\"?[[:space:]]*(\/\/.*|#.*)?\$/v\2/p" "$GITHUB_WORKSPACE/$version" | head -n 1)
    [[ -n $tag ]] || die "$version names no release of cardwright: write 1.2.3 alone, or cardwright 1.2.3"
  else
    die "version is no release: give 1.2.3, latest, source, or a file of the workspace that has 1.2.3"
  fi
}

# pinned prints the release that the action is pinned to: by its tag, or by a commit or
# branch that is the commit of a tag.
pinned() {
  local ref=${CARDWRIGHT_REF:-}
  if [[ $ref =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
    echo "$ref"
  elif [[ $ref =~ ^[0-9A-Za-z./_-]+$ ]]; then
    GIT_TERMINAL_PROMPT=0 git ls-remote --heads --tags "$repository" 2>/dev/null | awk -v ref="$ref" '
      { name = $2; sub(/\^\{\}$/, "", name); tagged = sub(/^refs\/tags\//, "", name) }
      tagged { tags[name] = $1 }
      { sub(/^refs\/heads\//, "", name); id[name] = $1 }
      END {
        commit = ref in id ? id[ref] : ref
        for (name in tags) if (tags[name] == commit && name ~ /^v[0-9]+\.[0-9]+\.[0-9]+/) print name
      }' | sort | tail -n 1
  fi
}

# The Go on the runner fetches the release of Go that go.mod asks for. It stays
# what it is for the steps that follow.
build() {
  command -v go >/dev/null || die "building cardwright takes Go: add actions/setup-go before this step, or give a version to download"
  GOTOOLCHAIN=auto GOFLAGS='' GOWORK=off CGO_ENABLED=0 \
    go build -C "$GITHUB_ACTION_PATH" -buildvcs=false -trimpath -tags=urfave_cli_no_docs \
    -ldflags="-s -w -X main.version=$(built)" -o "$bin/cardwright$exe" . || die "cannot build cardwright from the source of the action"
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
    commit=$(GIT_TERMINAL_PROMPT=0 git ls-remote "$repository" "refs/tags/$ref" "refs/tags/$ref^{}" 2>/dev/null |
      awk '{ commit = $1 } END { print commit }') || commit=
    echo "${BASH_REMATCH[1]}${commit:++$commit}"
  elif [[ $ref =~ ^[0-9A-Za-z.-]+$ ]]; then
    echo "0.0.0+$ref"
  fi
}

download() {
  local os arch ending=tar.gz
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
  command -v gh >/dev/null || die "a release is verified with gh, the GitHub CLI, which is missing: install it, or set version: source to build with Go"
  cd "$RUNNER_TEMP/cardwright"
  local archive=cardwright_${tag#v}_${os}_$arch.$ending
  fetch checksums.txt
  fetch "$archive"
  verify "$archive"
  attested "$archive"
  if [[ $ending == zip ]]; then
    unzip -q -o "$archive" cardwright.exe -d "$bin" || die "cannot unpack $archive"
  else
    tar -xzf "$archive" -C "$bin" cardwright || die "cannot unpack $archive"
  fi
}

fetch() {
  curl -fsSL --proto =https --tlsv1.2 --retry 3 -o "$1" "$repository/releases/download/$tag/$1" ||
    die "cannot download $1 of the release $tag"
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
# for the tag of the release, on a runner of GitHub, and from the commit that the
# action is pinned to where that says which release it is.
attested() {
  local commit=()
  if [[ -z $CARDWRIGHT_VERSION && ${CARDWRIGHT_REF:-} =~ ^[0-9a-f]{40}$ ]]; then
    commit=("--source-digest=$CARDWRIGHT_REF")
  fi
  GH_HOST=${GITHUB_SERVER_URL#https://} gh attestation verify "$1" \
    --repo="$CARDWRIGHT_REPOSITORY" \
    --signer-workflow="$CARDWRIGHT_REPOSITORY/.github/workflows/release.yml" \
    --source-ref="refs/tags/$tag" \
    --deny-self-hosted-runners ${commit[@]+"${commit[@]}"} >/dev/null ||
    die "nothing attests that the release workflow of $CARDWRIGHT_REPOSITORY built $1 for $tag"
}

die() {
  tell error "$*"
  exit 1
}

main
