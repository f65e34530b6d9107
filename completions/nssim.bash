# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of nssim for bash (>= 4.2). Commands and options are asked from the program itself
# (`nssim --help`, `nssim COMMAND --help`), so that they are those of the version that runs.

_nssim_options() { # words before the options... -> `--name` or `--name=` lines
  "$@" --help 2>/dev/null |
    sed -n 's/^ \{2,6\}\(-[^ -], \)\{0,1\}\(--[a-z][a-z-]*\)\(=\{0,1\}\).*/\2\3/p'
}

_nssim_commands() {
  "$1" --help 2>/dev/null | sed -n '/^Commands/,/^$/s/^ \{2,4\}\([a-z][a-z-]*\) .*/\1/p'
}

_nssim_names() { # program, command -> what can be named after it
  case $2 in
    list) "$1" list | sed -n 's/^\([a-z][a-z]*\) (.*/\1/p' ;;
    example) "$1" example | sed -n '/^$/q; s/^\([A-Za-z0-9_-]*\)  .*/\1/p' ;;
    explain) "$1" explain | sed -n 's/^ \{0,4\}<\{0,1\}\([A-Za-z][A-Za-z0-9:-]*\).*/\1/p' ;;
  esac 2>/dev/null
}

_nssim_solvers() { # program -> names of solvers
  "$1" list solvers 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

_nssim_quantities() { # program, output -> labels of its columns
  "$1" info --json "$2" 2>/dev/null | sed -n '/"labels": *\[/,/\]/s/^ *"\([^"]*\)",\{0,1\}$/\1/p'
}

_nssim_files() { # what has been typed, suffixes...: such files and all folders
  local typed=$1 name suffix
  shift
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if [[ -d $name ]]; then
      COMPREPLY+=("$name")
    else
      for suffix; do [[ $name == *$suffix ]] && COMPREPLY+=("$name"); done
    fi
  done < <(compgen -f -- "$typed")
}

_nssim() {
  local program=${COMP_WORDS[0]} typed=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command="" word model="" result=""
  COMPREPLY=()
  # `--option=value` is three words here.
  if [[ $typed == = ]]; then
    typed=
  elif [[ $before == = && $COMP_CWORD -gt 1 ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  local commands
  commands=$(_nssim_commands "$program")
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      *.xml) model=$word ;;
      *.h5 | *.hdf5 | *.csv) result=${result:-$word} ;;
      -* | =) ;;
      *) [[ -z $command && " ${commands//$'\n'/ } " == *" $word "* ]] && command=$word ;;
    esac
  done
  [[ -z $command && -n $model ]] && command=run

  case $before in
    -o | --output)
      if [[ $command == plot ]]; then _nssim_files "$typed" .svg .png .pdf .html .txt
      elif [[ $command == solve ]]; then _nssim_files "$typed" .json .h5 .txt
      elif [[ $command == sweep ]]; then _nssim_files "$typed"
      elif [[ $command == import ]]; then _nssim_files "$typed" .xml
      elif [[ $command == export ]]; then _nssim_files "$typed" .csv .json .pvd .xmf
      elif [[ $command == view ]]; then _nssim_files "$typed" .html
      else _nssim_files "$typed" .h5 .csv; fi
      return ;;
    --checkpoint | --resume)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$typed")
      [[ $before == --resume ]] && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W auto -- "$typed")
      return ;;
    --junit | --map-file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$typed")
      return ;;
    --plugin-abi) mapfile -t COMPREPLY < <(compgen -W "A B0 B1 B2 C C2 D E F1 F" -- "$typed"); return ;;
    --plot) _nssim_files "$typed" .svg .png .pdf .html .txt; return ;;
    --video) _nssim_files "$typed" .mp4 .gif; return ;;
    -x | --x | --by | --curve | --colour | --print | --only | --ignore)
      [[ -n $result ]] && mapfile -t COMPREPLY < <(compgen -W "$(_nssim_quantities "$program" "$result")" -- "$typed")
      return ;;
    --theme) mapfile -t COMPREPLY < <(compgen -W "light dark print" -- "$typed"); return ;;
    --log) mapfile -t COMPREPLY < <(compgen -W "x y xy" -- "$typed"); return ;;
    --family) mapfile -t COMPREPLY < <(compgen -W "lcp mlcp relay avi" -- "$typed"); return ;;
    --solver)
      mapfile -t COMPREPLY < <(compgen -W "$(_nssim_solvers "$program")" -- "$typed")
      return ;;
    --dump-when) mapfile -t COMPREPLY < <(compgen -W "failed slow all" -- "$typed"); return ;;
    --plugin-path | --allow-include | --dump-problems)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$typed")
      return ;;
    --progress) mapfile -t COMPREPLY < <(compgen -W "auto none bar lines json" -- "$typed"); return ;;
    --log) mapfile -t COMPREPLY < <(compgen -W "x y xy" -- "$typed"); return ;;
    --trajectories) mapfile -t COMPREPLY < <(compgen -W "h5 csv" -- "$typed"); return ;;
    --slurm) mapfile -t COMPREPLY < <(compgen -W "submit" -- "$typed"); return ;;
    --model) _nssim_files "$typed" .xml; return ;;
    --three) _nssim_files "$typed" .js; return ;;
    --timing) mapfile -t COMPREPLY < <(compgen -W "json" -- "$typed"); return ;;
    -p | --parameter)
      compopt -o nospace 2>/dev/null
      [[ -n $model ]] && mapfile -t COMPREPLY < <(compgen -S = -W \
        "$(sed -n 's/.*<parameter [^>]*name="\([A-Za-z_][A-Za-z0-9_]*\)".*/\1/p' "$model" 2>/dev/null)" -- "$typed")
      return ;;
  esac

  if [[ $typed == -* ]]; then
    local words=("$program")
    [[ -n $command ]] && words+=("$command")
    mapfile -t COMPREPLY < <(compgen -W "$(_nssim_options "${words[@]}")" -- "$typed")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
  fi
  case $command in
    "")
      mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$typed")
      _nssim_files "$typed" .xml ;;
    import) _nssim_files "$typed" .xml .urdf .mjcf .cir ;;
    run | check) _nssim_files "$typed" .xml ;;
    plot | export)
      if [[ -z $result ]]; then _nssim_files "$typed" .h5 .csv
      else mapfile -t COMPREPLY < <(compgen -W "$(_nssim_quantities "$program" "$result")" -- "$typed"); fi ;;
    view) _nssim_files "$typed" .h5 .csv .xml ;;
    info | compare) _nssim_files "$typed" .h5 .csv ;;
    solve) _nssim_files "$typed" .dat .txt ;;
    sweep)
      if [[ $before == sweep ]]; then mapfile -t COMPREPLY < <(compgen -W "status collect" -- "$typed"); fi
      _nssim_files "$typed" .xml .csv ;;
    help) mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$typed") ;;
    list | example | explain)
      mapfile -t COMPREPLY < <(compgen -W "$(_nssim_names "$program" "$command")" -- "$typed") ;;
  esac
  return 0
}
complete -F _nssim nssim
