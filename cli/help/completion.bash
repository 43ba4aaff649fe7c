# bash completion for hsel, written by `hsel help --completion`
_hsel() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= names=
  if [ "$word" = = ]; then word=
  elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then words="@COMMANDS@"; COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
  case "${COMP_WORDS[1]}:$before" in
@CHOICES@    *:--format|*:--*-format|*:--to|*:--*-to) words="@FORMATS@" ;;
    *:--select) words="@SELECTORS@" ;;
    *:--classify) words="@CLASSIFIERS@" ;;
    rank:--by) words="@RANKERS@" ;;
    *:--metric|*:--metrics) words="@METRICS@" ;;
  esac
  if [ -n "$words" ]; then # of a list the last one
    COMPREPLY=($(compgen -P "${word%"${word##*,}"}" -W "$words" -- "${word##*,}")); return; fi
  case "${COMP_WORDS[1]}" in
@OPTIONS@    *) return ;;
  esac
  case "${COMP_WORDS[1]}:$COMP_CWORD" in
    help:*) names="@COMMANDS@@METHODS@" ;;
    generate:2) names="@GENERATORS@" ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) if [ -n "$names" ]; then COMPREPLY=($(compgen -W "$names" -- "$word"))
       else COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o filenames -F _hsel hsel
