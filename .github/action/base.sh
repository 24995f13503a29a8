# shellcheck shell=bash
# The commit that a change is compared with, and its files beside the work tree. git runs
# at the top of the workspace only, whose .git is what actions/checkout made: nothing that
# the content of the repository names is run, read as a repository, or asked.

# checkout_base sets base to a directory with the files of the base commit.
checkout_base() {
  local commit
  [[ -d $top/.git && ! -L $top/.git ]] || die "there is no repository at the top of the workspace: add actions/checkout before this step, without path"
  commit=$(base_commit)
  [[ $commit =~ ^[0-9a-f]{40,64}$ ]] || die "${commit:-the base of this event is unknown}"
  base=$reports/base
  mkdir -p "$base/.git" # a project ends where a repository does
  GIT_INDEX_FILE=$reports/index repository --work-tree="$base" read-tree "$commit" &&
    GIT_INDEX_FILE=$reports/index repository --work-tree="$base" checkout-index --all --force ||
    die "the files of the base $commit cannot be written"
}

# base_commit prints the id of the commit, or why there is none.
base_commit() {
  local head
  head=$(repository rev-parse --verify --quiet 'HEAD^{commit}') ||
    { echo "no commit is checked out: add actions/checkout before this step" && return; }
  case ${GITHUB_EVENT_NAME:-} in
    merge_group | push) known "$CARDWRIGHT_BASE" ;;
    pull_request | pull_request_target) of_pull_request "$head" "$CARDWRIGHT_BASE" ;;
    *) echo "the event ${GITHUB_EVENT_NAME:-} has no base: name two directories in args, or run diff on pull requests" ;;
  esac
}

# known prints the id of a commit that the event names, once the checkout has it.
known() {
  [[ $1 =~ ^[0-9a-f]{40,64}$ && ! $1 =~ ^0+$ ]] || { echo "nothing was there before this event to compare with" && return; }
  has "$1" || fetch --depth=1 "$1"
  if has "$1"; then echo "$1"; else echo "the base $1 cannot be fetched: set fetch-depth: 0 of actions/checkout"; fi
}

# of_pull_request prints the first parent of the merge commit that GitHub makes, or for a
# checkout of the branch itself the last commit that it has in common with the base.
of_pull_request() {
  local commits
  if [[ ${GITHUB_EVENT_NAME} == pull_request && $1 == "${GITHUB_SHA:-}" ]]; then
    has "$1^1" || fetch --depth=2 "$1"
    read -r -a commits < <(repository rev-list --parents --max-count=1 "$1")
    [[ ${#commits[@]} != 3 ]] || { echo "${commits[1]}" && return; }
  fi
  if [[ $(repository rev-parse --is-shallow-repository) == true ]]; then fetch --unshallow "$2"; fi
  has "$2" || fetch "$2"
  repository merge-base "$2" "$1" || echo "the last commit in common with the base ${2:-} is not in the checkout: set fetch-depth: 0 of actions/checkout"
}

has() { repository cat-file -e "$1^{commit}" 2>/dev/null; }

# fetch gets what the checkout leaves out. Where that fails, the caller finds it missing.
fetch() { repository fetch --quiet --no-tags --no-recurse-submodules --no-auto-maintenance --no-write-fetch-head "${@:1:$#-1}" origin "${@: -1}" || true; }

# repository runs git with nothing of the environment but what it needs.
repository() {
  local name needed=(GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0)
  needed+=(GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1 GIT_ALLOW_PROTOCOL=https:ssh:file LC_ALL=C)
  for name in PATH TMPDIR SYSTEMROOT GIT_INDEX_FILE https_proxy HTTPS_PROXY no_proxy NO_PROXY SSL_CERT_FILE SSL_CERT_DIR; do
    [[ -z ${!name:-} ]] || needed+=("$name=${!name}")
  done
  env -i "${needed[@]}" git --git-dir="$top/.git" -c safe.bareRepository=explicit -c 'safe.directory=*' \
    -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.attributesFile=/dev/null -c protocol.ext.allow=never "$@"
}
