# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of nssim for fish (>= 3.1). Commands and options are asked from the program itself, so that they are
# those of the version that runs.

# NAME<tab>what it does, a line each
function __nssim_commands
    nssim --help 2>/dev/null | string replace -rf '^ {2,4}([a-z][a-z-]*) {2,}(.*)$' '$1\t$2' | string match -rv '^nssim'
end

# The command that has been typed; run where a model stands in its place.
function __nssim_command
    set -l names (__nssim_commands | string replace -r '\t.*' '')
    for word in (commandline -opc)[2..-1]
        contains -- $word $names; and echo $word; and return
        string match -qr '\.xml$' -- $word; and echo run; and return
    end
    return 1
end

# --NAME or --NAME=<tab>what it does, of the command that has been typed
function __nssim_options
    set -l command (__nssim_command)
    nssim $command --help 2>/dev/null | string replace -rf -- '^ {2,6}(?:-[^ ], )?--([a-z][a-z-]*)(=?)(?:[^ ]*) *(.*)$' '--$1$2\t$3'
end

# Files with one of these endings, and folders.
function __nssim_files
    for suffix in $argv
        __fish_complete_suffix $suffix
    end
end

# Labels of the columns of the result that has been typed.
function __nssim_quantities
    for word in (commandline -opc)
        if string match -qr '\.(h5|hdf5|csv)$' -- $word
            nssim info --json $word 2>/dev/null | string match -r '^ *"[^":]+",?$' | string replace -rf '^ *"([^"]+\.[^"]+)",?$' '$1'
            return
        end
    end
end

# Parameters of the model that has been typed.
function __nssim_parameters
    for word in (commandline -opc)
        string match -qr '\.xml$' -- $word
        and string replace -rf '.*<parameter [^>]*name="([A-Za-z_]\w*)".*' '$1=' <$word
    end
end

# Headings of `nssim list` are its topics.
function __nssim_topics
    nssim list 2>/dev/null | string replace -rf '^([a-z]+)(?: \((.*)\))?$' '$1\t$2'
end

function __nssim_is
    contains -- (__nssim_command) $argv
end

complete -c nssim -f
complete -c nssim -n 'not __nssim_command >/dev/null' -a '(__nssim_commands)'
complete -c nssim -n 'not __nssim_command >/dev/null' -k -a '(__nssim_files .xml)'
complete -c nssim -n 'string match -q -- "-*" (commandline -ct)' -a '(__nssim_options)'
complete -c nssim -n '__nssim_is run check import' -k -a '(__nssim_files .xml)'
complete -c nssim -n '__nssim_is info plot view compare export' -k -a '(__nssim_files .h5 .csv)'
complete -c nssim -n '__nssim_is plot export' -a '(__nssim_quantities)'
complete -c nssim -n '__nssim_is sweep' -k -a '(__nssim_files .xml .csv)'
complete -c nssim -n '__nssim_is sweep' -a 'status collect'
complete -c nssim -n '__nssim_is solve' -k -a '(__nssim_files .dat .txt)'
complete -c nssim -n '__nssim_is list' -a '(__nssim_topics)'
complete -c nssim -n '__nssim_is help' -a '(__nssim_commands)'
complete -c nssim -n '__nssim_is example explain' -a '(nssim (__nssim_command) 2>/dev/null | string replace -rf "^ *<?([A-Za-z][\w:-]*)>? {2,}(.*)" "\$1\t\$2")'
complete -c nssim -n '__nssim_is run check' -s p -x -a '(__nssim_parameters)'
complete -c nssim -n '__nssim_is run' -s o -r -a '(__nssim_files .h5 .csv)'
complete -c nssim -n '__nssim_is plot' -s o -r -a '(__nssim_files .svg .png .pdf .html .txt)'
complete -c nssim -n '__nssim_is view' -s o -r -a '(__nssim_files .html)'
complete -c nssim -n '__nssim_is sweep export import solve' -s o -r -F
