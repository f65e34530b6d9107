# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong command lines: one sentence that says what was found and what was expected, status 2.

case no-words
run nssim
exit 2
stdout <<
>>
stderr-match ^Examples:$

case unknown-command
run nssim rnu model
exit 2
stdout <<
>>
stderr <<
nssim: error: unknown command 'rnu'; did you mean 'run'?
Try 'nssim --help'.
>>

case unknown-command-far
run nssim frobnicate
exit 2
stderr <<
nssim: error: 'frobnicate' is neither a command nor a file
Try 'nssim --help'.
>>

case help-of-unknown-command
run nssim help chek
exit 2
stderr <<
nssim: error: unknown command 'chek'; did you mean 'check'?
Try 'nssim --help'.
>>

case unknown-option-of-nssim
run nssim --verson
exit 2
stderr <<
nssim: error: unknown option '--verson'; did you mean '--version'?
Try 'nssim run --help'.
>>

case unknown-long-option
run nssim run --ouput x.csv m.xml
exit 2
stderr <<
nssim: error: unknown option '--ouput'; did you mean '--output'?
Try 'nssim run --help'.
>>

case unknown-long-option-with-value
run nssim m.xml --recrod=ball.q
exit 2
stderr <<
nssim: error: unknown option '--recrod'; did you mean '--record'?
Try 'nssim run --help'.
>>

case unknown-long-option-far
run nssim check m.xml --frobnicate
exit 2
stderr <<
nssim: error: unknown option '--frobnicate'
Try 'nssim check --help'.
>>

# The word after an option that takes a value is its value, whatever it looks like.
case value-like-an-option
run nssim run -o --verson m.xml
exit 2
stderr-not unknown option
stderr-match "--verson"

case unknown-short-option
run nssim run -x m.xml
exit 2
stderr <<
nssim: error: unknown option '-x'; parameters, T and h are set by -p, as in -p T=2
Try 'nssim run --help'.
>>

case attribute-as-an-option
run nssim run m.xml --T 3
exit 2
stderr-match unknown option '--T'; parameters, T and h are set by -p

case ambiguous-option
run nssim run --p m.xml
exit 2
stderr-match option '--p' is ambiguous

case option-without-value-long
run nssim run m.xml --record
exit 2
stderr <<
nssim: error: option '--record' needs an argument, PATTERNS
Try 'nssim run --help'.
>>

case option-without-value-short
run nssim run m.xml -o
exit 2
stderr <<
nssim: error: option '-o' needs an argument, PATH
Try 'nssim run --help'.
>>

case value-where-none-is-taken
run nssim run --quiet=yes m.xml
exit 2
stderr-match ^nssim: error: option '--quiet' takes no argument$

case no-model
run nssim run
exit 2
stderr <<
nssim: error: no model given: expected a file such as model.xml, or - for standard input
Try 'nssim run --help'.
>>

case no-model-but-options
run nssim -q
exit 2
stderr-match no model given

case no-model-check
run nssim check
exit 2
stderr-match ^nssim: error: no model given: expected a file such as model.xml, or - for standard input$

case two-models
run nssim a.xml b.xml
exit 2
stderr <<
nssim: error: two models, 'a.xml' and 'b.xml': expected one; run them one after the other
Try 'nssim run --help'.
>>

case output-without-o
run nssim a.xml out.h5
exit 2
stderr <<
nssim: error: 'out.h5' is a second file after the model, expected one; to write results there: -o out.h5
Try 'nssim run --help'.
>>

case model-without-suffix
file ball.xml <<
<model/>
>>
run nssim ball
exit 2
stderr <<
nssim: error: 'ball' is neither a command nor a file; did you mean 'ball.xml'?
Try 'nssim --help'.
>>

case output-for-a-model
run printf '\211HDF\r\n\032\nxxxx' >out.h5; nssim out.h5
exit 65
stderr <<
nssim: error: out.h5: the file is HDF5, an output rather than a model; `nssim info out.h5` shows its contents
>>

case model-for-an-output
file ball.xml <<
<?xml version="1.0"?>
<model/>
>>
run nssim info ball.xml
exit 66
stderr <<
nssim: error: ball.xml: is an XML file, expected an output (HDF5 or CSV); a model is run with nssim ball.xml -o out.h5
>>

case two-outputs
run nssim a.xml -o a.csv -o b.csv
exit 2
stderr-match ^nssim: error: two outputs, 'a.csv' and 'b.csv': expected one$
absent a.csv
absent b.csv

case empty-output
run nssim a.xml -o ''
exit 2
stderr-match ^nssim: error: -o '': expected a path, such as out.h5, or - for standard output$

case parameter-without-value
run nssim a.xml -p e
exit 2
stderr <<
nssim: error: -p 'e': expected NAME=VALUE, such as -p e=0.8
Try 'nssim run --help'.
>>

case parameter-without-name
run nssim a.xml -p =0.8
exit 2
stderr-match ^nssim: error: -p '=0.8': expected NAME=VALUE, such as -p e=0.8$

case parameter-with-empty-value
run nssim check a.xml -p e=
exit 2
stderr-match ^nssim: error: -p 'e=': expected NAME=VALUE, such as -p e=0.8$

case every-zero
run nssim a.xml --every 0
exit 2
stderr-match ^nssim: error: --every '0': expected a whole number from 1 to 2147483647$

case every-negative
run nssim a.xml --every=-1
exit 2
stderr-match ^nssim: error: --every '-1': expected a whole number from 1

case every-fraction
run nssim a.xml --every=1.5
exit 2
stderr-match ^nssim: error: --every '1.5': expected a whole number from 1

case every-too-large
run nssim a.xml --every=99999999999999999999
exit 2
stderr-match expected a whole number from 1

case every-word
run nssim a.xml --every=all
exit 2
stderr-match ^nssim: error: --every 'all': expected a whole number from 1

case max-steps-zero
run nssim a.xml --max-steps 0
exit 2
stderr-match ^nssim: error: --max-steps '0': expected a whole number from 1$

case t-end-word
run nssim a.xml --t-end soon
exit 2
stderr-match ^nssim: error: --t-end 'soon': expected a time in s, such as 2.5$

case t-end-infinite
run nssim a.xml --t-end inf
exit 2
stderr-match ^nssim: error: --t-end 'inf': expected a time in s

case t-end-comma
run nssim a.xml --t-end 2,5
exit 2
stderr-match ^nssim: error: --t-end '2,5': expected a time in s

case progress-unknown
run nssim a.xml --progress=dots
exit 2
stderr-match ^nssim: error: --progress 'dots': expected auto, none, bar, lines or json$

case timing-unknown
run nssim a.xml --timing=csv
exit 2
stderr-match ^nssim: error: --timing 'csv': expected json$

case record-empty
run nssim a.xml --record ''
exit 2
stderr-match ^nssim: error: --record '': an empty pattern; expected id.quantity, such as 'ball.q'$

case record-empty-part
run nssim a.xml --record 'ball.q,,ball.v'
exit 2
stderr-match an empty pattern

case json-and-stdout
run nssim a.xml --json -o -
exit 2
stdout <<
>>
stderr-match ^nssim: error: --json and -o - both write to standard output; write the results to a file$

case option-of-another-command
run nssim check a.xml --quiet
exit 2
stderr-match ^nssim: error: unknown option '--quiet'

case plugin-path-missing
run nssim a.xml --plugin-path nowhere
exit 2
stderr <<
nssim: error: --plugin-path 'nowhere': No such file or directory
>>

case plugin-path-a-file
file a.txt <<
>>
run nssim a.xml --plugin-path a.txt
exit 2
stderr <<
nssim: error: --plugin-path 'a.txt': not a folder
>>

case allow-include-missing
run nssim check a.xml --allow-include nowhere
exit 2
stderr <<
nssim: error: --allow-include 'nowhere': No such file or directory
>>

# A misspelt suffix is told before the model is read.
case output-suffix
run nssim a.xml -o out.txt
exit 2
stderr-match "out.txt": cannot determine the format

case unknown-topic
run nssim list sytems
exit 2
stderr <<
nssim: error: unknown topic 'sytems'; did you mean 'systems'?
Try 'nssim list --help'.
>>

case two-topics
run nssim list systems laws
exit 2
stderr-match ^nssim: error: two topics, 'systems' and 'laws': expected one$

case example-too-many-words
run nssim example a b c
exit 2
stderr-match ^nssim: error: 'c': expected a name and at most one folder$

# every heading of the help has the options that belong to it
case help-groups
run nssim run --help | awk '/^ [A-Z].*:$/ { h = $0 } /^  +(-., )?--/ { sub(/^ +(-., )?/, ""); sub(/[= ].*/, ""); if (h) print h, $0 }' | sed -n 's/^ \(.*\): --/\1: /p' | grep -E ': (json|quiet|plugin-path|dump-when|plugin-abi|z|record|resume|threads)$'
stdout <<
Changes to the model: threads
Results: record
Limits and checkpoints: resume
Messages: json
Messages: quiet
Search paths: plugin-path
Files of one-step problems: dump-when
Import of SiconosModel files: plugin-abi
Import of SiconosModel files: z
>>

# one style, whoever finds the error: every command, options without a meaning, without an argument, ambiguous ones
case usage-errors-have-one-style
run for c in run check explain schema info plot view compare sweep export import solve list example; do for w in -Z --zzzzzzzz --help=3; do nssim $c $w 2>&1 >/dev/null | sed -n 1p | grep -qE '^nssim: error: ' || echo "$c $w"; done; nssim $c -Z 2>&1 >/dev/null | sed -n 2p | grep -qx "Try 'nssim $c --help'." || echo "$c: where to read"; done
stdout <<
>>

case help-shows-h
run for c in run check explain schema info plot view compare sweep export import solve list example; do nssim $c -h | grep -qE '^  -h, --help  +Show this help$' || echo "$c"; nssim $c --help | cmp -s - /dev/null && echo "$c is silent"; done; nssim run -h >h; nssim run -? | cmp - h
stdout <<
>>

# earlier outputs are overwritten unless --backup is given; those of a run that resumes stay
case backup-of-outputs
setup cp $MODELS/bouncing-ball/bouncing-ball.xml .
run m="bouncing-ball.xml -q -p T=0.1"; nssim $m -o a.csv && cp a.csv first.csv && nssim $m -p R=0.2 -o a.csv --backup && cmp a.csv~ first.csv && ls a.*~; nssim $m -o b.h5 --backup && ls b.h5~ 2>/dev/null; nssim $m -o b.h5 && ls b.h5~ 2>/dev/null; nssim $m -o b.h5 --backup && ls b.h5~; nssim $m -o c.h5 --resume auto --max-steps 5 --backup; nssim $m -o c.h5 --resume auto --backup && ls c.h5~ 2>/dev/null; nssim $m -o - --backup | head -n 1 | cut -c 1-4
stdout <<
a.csv~
a.events.csv~
a.json~
b.h5~
time
>>

case backup-that-is-refused
setup cp $MODELS/bouncing-ball/bouncing-ball.xml m.xml; mkdir out.h5~
run nssim m.xml -q -p T=0.1 -o out.h5 && nssim m.xml -q -p T=0.1 -o out.h5 --backup
exit 73
stderr-match ^nssim: error: out.h5: cannot keep it as .*out.h5~: 

# colour is for terminals alone, and NO_COLOR takes it away
case colour-on-terminals-alone
setup printf '%s\n' 'import os, pty, subprocess' 'os.environ.pop("NO_COLOR", None)' 'for more in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}):' '    m, s = pty.openpty()' '    subprocess.run(["nssim", "run", "-Z"], stderr=s, env={**os.environ, "TERM": "xterm", **more})' '    os.close(s)' '    print(b"\033" in os.read(m, 4096))' >colour.py
run nssim run -Z 2>&1 | grep -c "$(printf '\033')"; python3 colour.py
stdout <<
0
True
False
False
>>
