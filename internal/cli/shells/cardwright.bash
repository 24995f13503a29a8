_cardwright() {
  local IFS=$'\n' kind line word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  {
    read -r kind
    while read -r line; do COMPREPLY+=("${line%%$'\t'*}"); done
  } < <("${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" "=$word" 2>/dev/null)
  [[ $word == = ]] && word=
  case $kind in
  files) COMPREPLY+=($(compgen -f -- "$word")); compopt -o filenames 2>/dev/null ;;
  dirs) COMPREPLY+=($(compgen -d -- "$word")); compopt -o filenames 2>/dev/null ;;
  esac
}
complete -F _cardwright cardwright
