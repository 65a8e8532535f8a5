# shellcheck shell=bash
# Completion of fargraph and fargraph-memory-node in bash. What can stand where is read from the commands' own help.

# The words after `fargraph`.
_fargraph_commands() { "$1" help 2>/dev/null | sed -nE 's/^  fargraph ([a-z]+) .*/\1/p'; }

# The flags of a help text; those with a value end in =.
_fargraph_flags() { sed -nE 's/^  (--[a-z0-9_]+)\[?(=?)(VALUE\]?)?$/\1\2/p'; }

# What a help text lists under "... is one of:", as the kernels.
_fargraph_choices() { sed -nE '/ is one of:$/,/^$/s/^  ([a-z_]+) .*/\1/p'; }

_fargraph() {
  local program=$1 command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} help words=
  if [[ $current == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "${current#=}")
    return
  fi
  if [[ ${program##*/} == fargraph-memory-node ]]; then
    words=$("$program" --help 2>/dev/null | _fargraph_flags)
  elif ((COMP_CWORD == 1)); then
    words="$(_fargraph_commands "$program") --version"
  elif [[ $command == help ]]; then
    words=$(_fargraph_commands "$program")
  else
    help=$("$program" help "$command" 2>/dev/null)
    if [[ $current == -* ]]; then
      words=$(_fargraph_flags <<<"$help")
    elif ((COMP_CWORD == 2)); then
      words=$(_fargraph_choices <<<"$help")
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ $words == '' ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif [[ ${COMPREPLY[*]} == *= ]]; then
    compopt -o nospace 2>/dev/null # a value follows
  fi
}
complete -o filenames -F _fargraph fargraph fargraph-memory-node
