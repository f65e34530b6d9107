# SPDX-License-Identifier: GPL-3.0-or-later
# Help, version, lists, examples; and that they agree with each other and with the man page.

case help
run nssim --help
stdout-match ^Examples:$
stdout-match ^  check +validate a model
stderr <<
>>
verify nssim --help | head -n 3 | grep -q '^Examples:$'
verify test "$(nssim -h)" = "$(nssim --help)"
verify test "$(nssim help)" = "$(nssim --help)"

case help-of-commands
run for c in $(nssim list commands | awk '{ print $1 }'); do nssim $c --help; nssim help $c; done
stderr <<
>>
verify for c in $(nssim list commands | awk '{ print $1 }'); do test "$(nssim $c -h)" = "$(nssim help $c)" || exit 1; nssim $c --help | grep -q '^Examples:$' || exit 1; done

case version
run nssim --version
stdout-match ^nssim \$VERSION$
stdout-match ^Libraries: libxml2 [0-9.]+, jansson [0-9.]+, nettle [0-9.]+, LAPACK .+, SuiteSparse [0-9.]+, SUNDIALS [0-9.]+, GSL [0-9.]+, Qhull [0-9.]+$
stdout-match ^HDF5 module: (.*/nssim-hdf5.so|not installed .*)$
stdout-match ^Plug-in ABI: [0-9]+$
stdout-match GPL-3.0-or-later
verify test "$(nssim -V)" = "$(nssim --version)" -a "$(nssim run --version)" = "$(nssim --version)"

# The version that is said needs no HDF5.
case version-loads-no-hdf5
skip-unless command -v strace
run strace -f -e trace=openat nssim --version 2>&1 | grep -c 'libhdf5' || true
stdout <<
0
>>

case list
run nssim list
stdout-match ^systems \(
stdout-match ^  LagrangianLinearTIDS +
stdout-match ^  MoreauJeanOSI +
stdout-match ^  lemke +
stdout-match ^  atan2 +
stderr <<
>>

case list-json
run nssim list --json >l.json
verify $CASES/cli/json l.json 'list(d) == "systems relations laws controls measures schemes solvers families sinks functions events statuses results commands".split() and all(d.values())'
verify $CASES/cli/json l.json 'all(r["name"] and r["help"] for t in d.values() for r in t)'

case list-to-full-device
skip-unless test -e /dev/full
run nssim list >/dev/full
exit 74
stderr <<
nssim: error: standard output: cannot write: No space left on device
>>

case reader-of-list-gone
run { nssim list; } | head -n 1
stdout-match ^systems
stderr <<
>>

# ---- the man page ---------------------------------------------------------------------------------

# One table of exit statuses: header, program, man page.
case statuses-agree
run nssim list statuses | sed 's/^ *\([0-9]*\) */\1|/' >program; sed -n '/^\.SH EXIT STATUS/,/^\.TE/p' $TOP/man/nssim.1 | awk '/^[0-9]+\|T\{$/ { n = $0; sub(/T\{$/, "", n); getline; t = $0; while (getline > 0 && $0 != "T}") t = t " " $0; print n t }' >man
verify test $(wc -l <man) -gt 8
verify diff man program
verify sed -e ':a' -e 'N;$!ba' -e 's/" *\\\n *"//g;s/, *\\\n */, /g' $TOP/src/base/status.h | sed -n 's/^ *X(\([A-Z]*\), -*[0-9]*, \([0-9]*\), "\(.*\)").*/\1|\2|\3/p' | grep -v ^RETRY | cut -d'|' -f2- | diff - program

# Every option of every command, every command and every topic of list is in the man page.
case man-page-names-all
run man=$(sed 's/\\-/-/g; s/\\f[BIR]//g' $TOP/man/nssim.1 | tr -d '"'); for c in $(nssim list commands | awk '{ print $1 }'); do echo "$man" | grep -q "nssim.* $c\b\|^.B $c$" || echo "no command $c"; nssim $c --help | grep -o -e '^ *-[a-zA-Z?], --[a-z-]*' -e '^ *--[a-z-]*' | grep -o -e '--[a-z-]*' | while read o; do echo "$man" | grep -q -e "$o\b" || echo "no option $o of $c"; done; done; nssim list | sed -n 's/^\([a-z]*\) (.*/\1/p' | while read t; do echo "$man" | grep -q "\b$t\b" || echo "no topic $t"; done
stdout <<
>>
stderr <<
>>

case man-page-renders
skip-unless command -v groff
run groff -t -man -ww -Tascii -P-cbou -rLL=100n $TOP/man/nssim.1 >page
stderr <<
>>
verify grep -q 'EXIT STATUS' page && grep -q '65 .*invalid model' page

# ---- examples -------------------------------------------------------------------------------------

case example-list
run nssim example
stdout-match ^bouncing-ball +[A-Z]
stdout-match ^Copy one here: nssim example NAME$
stderr <<
>>

case example-copy
run nssim example bouncing-ball
stdout <<
Copied to bouncing-ball. Next:
  cd bouncing-ball && nssim bouncing-ball.xml -o out.h5
The comment at the head of bouncing-ball.xml describes the model.
>>
verify diff -r bouncing-ball $MODELS/bouncing-ball
verify cd bouncing-ball && nssim -q bouncing-ball.xml -o out.h5

case example-copy-elsewhere
run nssim example bouncing-ball my-ball
stdout-match ^  cd my-ball && nssim bouncing-ball.xml -o out.h5$
exists my-ball/bouncing-ball.xml
absent bouncing-ball

case example-overwrites-nothing
file bouncing-ball/mine.txt <<
mine
>>
run nssim example bouncing-ball
exit 73
stderr <<
nssim: error: bouncing-ball: already exists, and nothing is overwritten; name another folder
>>
absent bouncing-ball/bouncing-ball.xml
content bouncing-ball/mine.txt <<
mine
>>

case example-unknown
run nssim example bouncing-bal
exit 66
stderr <<
nssim: error: no example 'bouncing-bal'; did you mean 'bouncing-ball'?
>>

case example-broken-off
run nssim example bounc
exit 66
stderr <<
nssim: error: no example 'bounc'; did you mean 'bouncing-ball'?
>>

case example-is-a-name
run nssim example ../models/bouncing-ball
exit 66
stderr-match no example

case example-data-dir
file data/models/mine/mine.xml <<
<model xmlns="urn:nssim:model:1" name="mine"><title> My own
 model</title></model>
>>
file data/models/mine/table/points.txt <<
1 2
>>
file data/models/not-a-model/readme.txt <<
>>
run NSSIM_DATA_DIR=data nssim example; NSSIM_DATA_DIR=$PWD/data nssim example mine copy
stdout-match ^mine +My own$
stdout-not not-a-model
exists copy/table/points.txt

case example-not-installed
run NSSIM_DATA_DIR=nowhere nssim example
exit 66
stderr-match ^nssim: error: the example models are not installed

# Every model that comes with nssim is good and runs.
case examples-are-good
timeout 60
run for m in $(nssim example | awk 'NF == 0 { exit } { print $1 }'); do case $m in *-study) nssim sweep $MODELS/$m/$m.xml --dry-run >/dev/null 2>err || cat err; continue ;; esac; nssim check $MODELS/$m/$m.xml >/dev/null 2>err || { echo $m; cat err; }; nssim -q $MODELS/$m/$m.xml --max-steps 50 -o $m.csv 2>err; s=$?; [ $s = 75 ] || [ $s = 0 ] || { echo $m $s; cat err; }; done
stdout <<
>>

# Each word that is printed as a status is explained, as info writes it too.
case words-of-results-are-explained
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="a"><mass>1</mass><q0>0</q0><fInt>if(t > 0.5, sqrt(-t), 0)</fInt></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o f.h5 2>/dev/null; nssim m.xml -q -o c.h5 -p T=0.3; for f in f c; do nssim explain $(nssim info $f.h5 | sed -n 's/^ *status *\([A-Za-z]*\).*/\1/p'); done | cut -c-70; W=$(sed -n 's/.*text\[NS_RUN_STATUSES\] = {\(.*\)};/\1/p; s/.*words\[\] = {\("complete".*\)};/\1/p' $TOP/src/io/results/run_table.c $TOP/src/study/journal.c | tr -d '",'); for w in $W INTERRUPTED RUNNING solved 'not solved'; do nssim explain "$w" | grep -c 'nssim list results'; done | sort | uniq -c
exit 0
stdout <<
failed, one of `nssim list results`: status of a run: an error, stated
complete, one of `nssim list results`: status of a run: it reached T o
     10 1
>>
