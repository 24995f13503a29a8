#compdef cardwright
_cardwright() {
  local -a lines values
  local line kind
  lines=("${(@f)$("${(Q)${~words[1]}}" __complete "${(@Q)words[2,CURRENT-1]}" "=$PREFIX" 2>/dev/null)}")
  kind=$lines[1]
  for line in "${(@)lines[2,-1]}"; do
    if [[ $line == *$'\t' ]]; then
      values+=("${${line%%$'\t'*}//:/\\:}")
    else
      values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  (( $#values )) && _describe -V cardwright values
  [[ $kind == words ]] && return
  compset -P '--*='
  if [[ $kind == dirs ]]; then
    _files -/
  else
    _files
  fi
}
if [[ $funcstack[1] == _cardwright ]]; then
  _cardwright "$@"
else
  compdef _cardwright cardwright
fi
