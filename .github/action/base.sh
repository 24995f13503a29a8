# shellcheck shell=bash disable=SC2034 # the caller reads what find_base sets
# What a change is compared with. find_base sets
#   base    what --git and --changed-since take: a revision, or one and HEAD as REV..HEAD
#   reason  why there is no base, "" where there is one or should be
# It reads the checkout only, and fetches a commit that the checkout leaves out.
find_base() {
  base='' reason=''
  local outer here=$PWD
  outer=$(repository rev-parse --show-superproject-working-tree 2>/dev/null) || outer=
  if [[ -z $outer ]]; then
    find_here
    return
  fi
  # A submodule is compared with the commit that the outer repository had of it.
  local path=
  path=$(repository rev-parse --show-toplevel)
  path=${path#"$outer"/}
  cd "$outer" || return
  find_here
  if has "$base"; then
    base=$(repository rev-parse --verify --quiet "$(common "${base%..HEAD}"):$path") || reason="the submodule $path is new"
  fi
  cd "$here" || return
  if [[ -n $base ]] && ! has "$base"; then
    fetch origin "$base"
  fi
}

find_here() {
  local head
  head=$(repository rev-parse --verify --quiet HEAD) ||
    die "$PWD is not in a git repository with a commit: add actions/checkout before this step"
  case ${GITHUB_EVENT_NAME:-} in
    merge_group) since "$(event_commit merge_group.base_sha)" ;;
    push) since "$(event_commit before)" ;;
    *)
      if [[ -z ${GITHUB_BASE_REF:-} ]]; then
        reason="the event ${GITHUB_EVENT_NAME:-} has no base: to compare with a commit, branch or tag, add --git=REV to args"
      elif [[ $head != "${GITHUB_SHA:-}" ]]; then
        proposed
      elif [[ ${GITHUB_EVENT_NAME:-} == pull_request_target ]]; then
        reason="on pull_request_target, the checkout is the base and not the change"
      else
        merged "$head"
      fi
      ;;
  esac
}

# merged is for the merge commit that GitHub makes of a pull request: its first parent is
# the base, as it was when GitHub merged.
merged() {
  local parents
  parents=$(parents_of "$1")
  if [[ $parents != *' '* ]]; then # a clone of depth 1
    fetch --depth=2 origin "$1"
    parents=$(parents_of "$1")
  fi
  parents=${parents#* }
  if [[ $parents == *' '* ]]; then
    base=${parents%% *}
  else
    proposed
  fi
}

parents_of() { repository rev-list --parents --max-count=1 "$1" || true; }

# proposed is for a checkout of the branch itself. Of the base as the checkout has it and
# as the event has it, the one counts that has more in common with the branch.
proposed() {
  local known
  base=refs/remotes/origin/$GITHUB_BASE_REF
  known=$(event_commit pull_request.base.sha)
  if shallow; then
    fetch --unshallow origin "+refs/heads/$GITHUB_BASE_REF:$base"
  fi
  if ! has "$base" && ! has "$known"; then
    fetch origin "$known"
  fi
  if has "$known" && { ! has "$base" || repository merge-base --is-ancestor "$(common "$base")" "$(common "$known")"; }; then
    base=$known
  fi
}

# since is for an event that says what was there before it.
since() {
  if [[ $1 =~ ^0*$ ]]; then
    reason="the push creates the branch or tag, so nothing was there before"
    return
  fi
  if ! has "$1"; then
    if shallow; then fetch --depth=1 origin "$1"; else fetch origin "$1"; fi
  fi
  base=$1..HEAD
  if ! has "$1"; then
    shallow || reason="the commit before this event, ${1:0:12}, is not in the repository any more"
    return
  fi
  if repository merge-base --is-ancestor "$1" HEAD 2>/dev/null; then
    base=$1
  fi
}

# has reports whether the checkout has a commit, which may be the first of a range.
has() { [[ -n $1 ]] && repository cat-file -e "${1%..HEAD}^{commit}" 2>/dev/null; }

# common prints the last commit that a revision and HEAD have in common.
common() { repository merge-base "$1" HEAD || true; }

shallow() { [[ $(repository rev-parse --is-shallow-repository) == true ]]; }

# fetch gets what the checkout leaves out. Where that fails, the caller finds it missing.
fetch() { GIT_TERMINAL_PROMPT=0 git fetch --quiet --no-tags --no-recurse-submodules "$@" 2>/dev/null || true; }

# repository reads the repository, whoever owns it. This starts no program that the
# repository names.
repository() { GIT_NO_LAZY_FETCH=1 git -c 'safe.directory=*' -c core.fsmonitor=false "$@"; }
