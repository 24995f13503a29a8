# shellcheck shell=bash
# The commit that a change is compared with, and its files beside the work tree. git reads only the .git at the top of
# the workspace, which actions/checkout made: it runs, reads and asks nothing that the content of the repository names.

# checkout_base sets base to a directory with the files of the base commit, byte for byte.
checkout_base() {
  local commit
  [[ -d $top/.git && ! -L $top/.git ]] || die "there is no repository at the top of the workspace: add actions/checkout before this step, without path"
  commit=$(base_commit)
  [[ $commit =~ ^[0-9a-f]{40,64}$ ]] || die "${commit:-the base of this event is unknown}"
  # Of a checkout with filter or sparse-checkout, files of the base are not here.
  [[ $(repository config --get remote.origin.promisor) != true ]] || fetch --refetch --no-filter --depth=1 "$commit"
  base=$reports/base objects=$top/.git/objects gitdir=$reports/git
  mkdir -p "$base/.git" # a project ends where a repository does
  # A repository of its own has no filter, and its attributes override committed ones.
  repository init --quiet --bare --template= && mkdir "$gitdir/info" &&
    echo '* -filter -text -ident -working-tree-encoding' >"$gitdir/info/attributes" &&
    repository --work-tree="$base" read-tree "$commit" && repository --work-tree="$base" checkout-index --all --force ||
    die "the files of the base $commit cannot be written: remove filter and sparse-checkout of actions/checkout"
}

# base_commit prints the id of the commit, or why there is none.
base_commit() {
  local head
  head=$(repository rev-parse --verify --quiet 'HEAD^{commit}') ||
    { echo "no commit is checked out: add actions/checkout before this step" && return; }
  [[ $CARDWRIGHT_BASE =~ ^[0-9a-f]{40,64}$ ]] ||
    { echo "the event ${GITHUB_EVENT_NAME:-} has no base: name two directories in args, or run diff on pull requests" && return; }
  case $GITHUB_EVENT_NAME:$CARDWRIGHT_BASE in
    push:0000000000000000000000000000000000000000*) of_new_branch "$head" "refs/heads/$CARDWRIGHT_DEFAULT_BRANCH" ;;
    push:* | merge_group:*)
      has "$CARDWRIGHT_BASE" || fetch --depth=1 "$CARDWRIGHT_BASE"
      if has "$CARDWRIGHT_BASE"; then echo "$CARDWRIGHT_BASE"; else echo "the base $CARDWRIGHT_BASE cannot be fetched: set fetch-depth: 0 of actions/checkout"; fi ;;
    *) of_pull_request "$head" "$CARDWRIGHT_BASE" ;;
  esac
}

# of_new_branch prints the last commit that a branch has in common with the default one.
of_new_branch() {
  local tip
  [[ ${GITHUB_REF:-} == refs/heads/* && $GITHUB_REF != "$2" ]] || { echo "nothing was there before this event to compare with" && return; }
  read -r tip _ < <(repository ls-remote origin "$2") || true
  in_common "${tip:-$CARDWRIGHT_BASE}" "$1"
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
  in_common "$2" "$1"
}

# in_common prints the last commit that two have in common.
in_common() {
  if [[ $(repository rev-parse --is-shallow-repository) == true ]]; then fetch --unshallow "$1"; fi
  has "$1" || fetch "$1"
  repository merge-base "$1" "$2" || echo "the last commit in common with the base $1 is not in the checkout: set fetch-depth: 0 of actions/checkout"
}

has() { repository cat-file -e "$1^{commit}" 2>/dev/null; }

# fetch gets what the checkout leaves out. Where that fails, the caller finds it missing.
fetch() { repository fetch --quiet --no-tags --no-recurse-submodules --no-auto-maintenance --no-write-fetch-head "${@:1:$#-1}" origin "${@: -1}" || true; }

# repository runs git with nothing of the environment but what it needs.
repository() {
  local name needed=(GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0)
  needed+=(GIT_NO_LAZY_FETCH=1 GIT_NO_REPLACE_OBJECTS=1 GIT_ALLOW_PROTOCOL=https:ssh:file LC_ALL=C)
  for name in PATH TMPDIR SYSTEMROOT https_proxy HTTPS_PROXY no_proxy NO_PROXY SSL_CERT_FILE SSL_CERT_DIR; do
    [[ -z ${!name:-} ]] || needed+=("$name=${!name}")
  done
  [[ -z $objects ]] || needed+=("GIT_OBJECT_DIRECTORY=$objects")
  env -i "${needed[@]}" git --git-dir="$gitdir" -c safe.bareRepository=explicit -c 'safe.directory=*' \
    -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.attributesFile=/dev/null -c protocol.ext.allow=never "$@"
}
