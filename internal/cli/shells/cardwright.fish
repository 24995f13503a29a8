function __cardwright_complete
  set -l words (commandline -opc)
  set -l word (commandline -ct; or echo)
  set -l program (string replace -r '^~' $HOME -- $words[1])
  set -l lines ($program __complete $words[2..-1] "=$word" 2>/dev/null)
  test (count $lines) -gt 1; and printf '%s\n' $lines[2..-1]
  test "$lines[1]" = words; and return
  set -l flag (string match -r -- '^--[^=]*=' $word)
  set -l path (string replace -- "$flag" '' $word)
  if test "$lines[1]" = dirs
    printf "$flag%s\n" (__fish_complete_directories $path '')
  else
    printf "$flag%s\n" (__fish_complete_path $path)
  end
end
complete -c cardwright -f -a '(__cardwright_complete)'
