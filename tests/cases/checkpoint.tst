# SPDX-License-Identifier: GPL-3.0-or-later
# Checkpoints from the shell: begin, be interrupted, go on; what is refused, and what a full disk does.

case goes-on-csv
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; for n in 700 1 633 200; do nssim ball.xml -q -o out.csv --resume auto --max-steps $n; echo $?; done; nssim ball.xml -q -o out.csv --resume auto; echo $?
stdout <<
75
75
75
75
0
>>
stderr-match ^nssim: warning: stopped after 700 steps, by --max-steps: t = 3.5 s of 10 s; checkpoint in out.csv.ckpt: run again with --resume to continue$
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv
verify grep '"status"' out.json | grep -q complete
absent out.csv.ckpt.new

case goes-on-hdf5
skip-unless command -v h5diff && command -v h5ls
copy cli/ball.xml
run nssim ball.xml -q -o whole.h5; for n in 700 1 633 200; do nssim ball.xml -q -o out.h5 --resume auto --max-steps $n; echo $?; done; nssim ball.xml -q -o out.h5 --resume auto; echo $?
stdout <<
75
75
75
75
0
>>
verify h5ls -r whole.h5 >a && h5ls -r out.h5 >b && diff a b && h5diff --exclude-path /provenance whole.h5 out.h5
verify nssim compare whole.h5 out.h5

case rows-of-every-third-step
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv --every 3; for n in 700 1 1 633; do nssim ball.xml -q -o out.csv --every 3 --resume auto --max-steps $n; done; nssim ball.xml -q -o out.csv --every 3 --resume auto
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv

case says-where-it-goes-on
copy cli/ball.xml
run nssim ball.xml -o out.csv --resume auto --max-steps 100 >/dev/null; nssim ball.xml -o out.csv --resume auto >/dev/null
stderr-match ^nssim: note: out.csv.ckpt: no checkpoint yet, the run starts from the beginning$
stderr-match ^nssim: note: resuming from the checkpoint at t = 0.5 s, step 100$

case nothing-left-to-do
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --resume auto && cp out.csv before.csv && nssim ball.xml -o out.csv --resume auto && nssim ball.xml -q --json -o out.csv --resume auto | grep '"status"'
stdout-match "status": "complete"
stderr <<
nssim: note: the run is already complete (t = 10 s, step 2000): nothing to do
>>
verify cmp out.csv before.csv

# The end may be moved, and the file is that of a run to the new end.
case a-later-end
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv --every 7 --t-end 4; nssim ball.xml -q -o out.csv --every 7 --t-end 1.9 --resume auto && nssim ball.xml -q -o out.csv --every 7 --t-end 4 --resume auto
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv

case an-earlier-end
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --resume auto --max-steps 1000; nssim ball.xml -q -o out.csv --t-end 2 --resume auto
exit 2
stderr-match out.csv.ckpt is at t = 5 s, after the requested end T = 2 s; expected a later end

case named-and-resumed-by-name
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv --checkpoint a.ckpt --max-steps 900; mkdir there; mv out.* there; nssim ball.xml -q -o there/out.csv --resume a.ckpt
verify cmp whole.csv there/out.csv
exists a.ckpt

case without-an-output
copy cli/ball.xml
run nssim ball.xml --json -q >a.json; nssim ball.xml -q --checkpoint c --max-steps 900; nssim ball.xml -q --json --resume c >b.json
verify grep -v 'seconds\|ns_per_step\|"steps"\|message' a.json >a; grep -v 'seconds\|ns_per_step\|"steps"\|message' b.json >b; diff a b

case by-simulated-time
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv --checkpoint c --checkpoint-every 0.7 --max-steps 1999; mv c.prev c; nssim ball.xml -o out.csv --resume c >/dev/null
stderr-match resuming from the checkpoint at t = 9.8 s, step 1960$
verify cmp whole.csv out.csv

case event-driven
run nssim $MODELS/bouncing-ball/bouncing-ball-events.xml -q -o whole.csv; for n in 50 1 120 100; do nssim $MODELS/bouncing-ball/bouncing-ball-events.xml -q -o out.csv --resume auto --max-steps $n; done; nssim $MODELS/bouncing-ball/bouncing-ball-events.xml -q -o out.csv --resume auto
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv

case measures
skip-unless command -v h5diff
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="b" coordinates="x"><q0>1</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.7"/></interaction></interactions>
  <measures><measure id="top" kind="max" from="0.5">b.x</measure><measure id="hits" kind="count" event="impact"/><measure id="area" kind="integral">b.x</measure></measures>
  <simulation T="3"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o whole.h5; nssim m.xml -q -o out.h5 --resume auto --max-steps 1234; nssim m.xml -q -o out.h5 --resume auto
verify h5diff --exclude-path /provenance whole.h5 out.h5

# What a plug-in keeps in a variable goes through its hooks: numbers of a generator, which go on where they were.
case state-of-a-plug-in
skip-unless command -v cc
file ball.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianDS id="b" coordinates="x"><q0>1</q0><fExt plugin="Wind:force"/></LagrangianDS></systems>
  <interactions><interaction id="g" systems="b"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="0.7"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Wind.c <<
#include <nssim/plugin.h>
#include <string.h>
static _Thread_local unsigned long s;
static int begin(void) { s = 1; return 0; }
static void save(void *b) { memcpy(b, &s, sizeof s); }
static int restore(const void *b) { memcpy(&s, b, sizeof s); return 0; }
NSSIM_PLUGIN("Wind", NSSIM_PLUGIN_ABI, sizeof s, begin, save, restore);
NSSIM_EXPORT nssim_fext force;
void force(double t, unsigned int n, double *f, unsigned int nz, double *z)
{
  (void)t, (void)n, (void)nz, (void)z;
  s = s * 6364136223846793005ul + 1442695040888963407ul;
  f[0] = -9.81 + (double)(s >> 40) / 1e7;
}
>>
run nssim ball.xml -q -o whole.csv; for n in 333 1 200; do nssim ball.xml -q -o out.csv --resume auto --max-steps $n; done; nssim ball.xml -q -o out.csv --resume auto
verify cmp whole.csv out.csv

case a-plug-in-that-changed
skip-unless command -v cc
file ball.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianDS id="b" coordinates="x"><q0>1</q0><fExt plugin="F:force"/></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file F.c <<
void force(double t, unsigned int n, double *f, unsigned int nz, double *z) { (void)t, (void)n, (void)nz, (void)z; f[0] = 1; }
>>
run nssim ball.xml -q -o out.csv --resume auto --max-steps 5; sed -i 's/= 1;/= 2;/' F.c; nssim ball.xml -q -o out.csv --resume auto
exit 66
stderr-match out.csv.ckpt: a checkpoint of another plug-in: its file has changed since \(it was written by nssim \S+ at t = 0.005 s\); start again without --resume

# ---- what is refused ------------------------------------------------------------------------------------------

case another-model
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --resume auto --max-steps 5; cp out.csv before; nssim ball.xml -q -p e=0.5 -o out.csv --resume auto
exit 66
stderr-match out.csv.ckpt: a checkpoint of another model
verify cmp out.csv before

case other-options
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --resume auto --max-steps 5; nssim ball.xml -q --every 2 -o out.csv --resume auto; echo $?; nssim ball.xml -q --record ball.q -o out.csv --resume auto; echo $?; nssim ball.xml -q -o out.h5 --resume out.csv.ckpt; echo $?
stdout <<
66
66
66
>>
stderr-match a checkpoint of other options
stderr-not another model

case no-such-checkpoint
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --resume c
exit 66
stderr-match ^nssim: error: c: no such checkpoint; --resume auto starts from the beginning if there is none
absent out.csv

case the-newest-is-damaged
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv --resume auto --max-steps 500; nssim ball.xml -q -o out.csv --resume auto --max-steps 500; printf X | dd of=out.csv.ckpt bs=1 seek=700 conv=notrunc 2>/dev/null; nssim ball.xml -q -o out.csv --resume auto
stderr-match ^nssim: warning: out.csv.ckpt: damaged: .*; the previous checkpoint is used, out.csv.ckpt.prev of t = 2.5 s$
verify cmp whole.csv out.csv

case the-newest-is-missing
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv --resume auto --max-steps 500; nssim ball.xml -q -o out.csv --resume auto --max-steps 500; rm out.csv.ckpt; nssim ball.xml -q -o out.csv --resume auto
verify cmp whole.csv out.csv

case both-are-damaged
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; for n in 1 2; do nssim ball.xml -q -o out.csv --resume auto --max-steps 500; done; cp out.csv before; truncate -s -7 out.csv.ckpt; echo no >out.csv.ckpt.prev; nssim ball.xml -q -o out.csv --resume out.csv.ckpt; echo $?; cmp out.csv before; nssim ball.xml -q -o out.csv --resume auto; echo $?; ls *.unreadable
stdout <<
66
0
out.csv.ckpt.prev.unreadable
out.csv.ckpt.unreadable
>>
stderr-match error: out.csv.ckpt: truncated: .*; the previous checkpoint cannot be used either: out.csv.ckpt.prev: truncated: .*; start again without --resume$
stderr-match warning: out.csv.ckpt: truncated: .*; the previous checkpoint cannot be used either: out.csv.ckpt.prev: truncated: .*; kept as out.csv.ckpt.unreadable, and the run starts again from the beginning$
verify cmp out.csv whole.csv

case something-else
copy cli/ball.xml
run cp ball.xml c; nssim ball.xml -q -o out.csv --resume c
exit 66
stderr-match c: this is not a checkpoint of nssim; start again without --resume$

case standard-output
copy cli/ball.xml
run nssim ball.xml -o - --resume auto; echo $?; nssim ball.xml -o - --checkpoint c
exit 2
stdout <<
2
>>
stderr-match -o - and --checkpoint: a run that writes to standard output cannot return to a checkpoint; write the results to a file$

case an-output-that-changed
copy cli/ball.xml
run for f in csv h5; do nssim ball.xml -q -o out.$f --resume auto --max-steps 500; cp out.$f kept.$f; done; sed -i '100s/1/2/' out.csv; nssim ball.xml -q -o out.csv --resume out.csv.ckpt; echo $?; head -n 100 kept.csv >out.csv; nssim ball.xml -q -o out.csv --resume out.csv.ckpt; echo $?; rm out.csv; nssim ball.xml -q -o out.csv --resume out.csv.ckpt; echo $?; nssim ball.xml -q -p e=0.3 --t-end 2.5 -o out.h5; nssim ball.xml -q -o out.h5 --resume out.h5.ckpt; echo $?; nssim ball.xml -q --t-end 1 -o out.h5; nssim ball.xml -q -o out.h5 --resume out.h5.ckpt; echo $?; echo no >out.h5; nssim ball.xml -q -o out.h5 --resume out.h5.ckpt; echo $?
stdout <<
66
66
66
66
66
66
>>
stderr-match out.csv: its content differs from that at the checkpoint, expected the output that belongs to the checkpoint; put it back, or start again without --resume$
stderr-match out.csv: it is shorter than at the checkpoint
stderr-match out.csv: No such file or directory, expected the output
stderr-match out.h5: its content differs from that at the checkpoint
stderr-match out.h5: /time is shorter than at the checkpoint
stderr-match out.h5: it cannot be opened

# One of 10,000 runs is not to stand still for a file that cannot be read; nothing is destroyed.
case auto-starts-again
copy cli/ball.xml
run for f in csv h5; do nssim ball.xml -q -o whole.$f; nssim ball.xml -q -o out.$f --resume auto --max-steps 500; cp out.$f.ckpt kept.ckpt; echo no >out.$f; nssim ball.xml -q -o out.$f --resume auto; echo $?; cat out.$f.unreadable; cmp kept.ckpt out.$f.ckpt.unreadable; done; cmp whole.csv out.csv; cmp whole.events.csv out.events.csv; nssim compare whole.h5 out.h5 >/dev/null && ls *.unreadable; rm out.h5; nssim ball.xml -q -o out.h5 --resume auto --json | grep '"status"'; nssim ball.xml -q -o gone.h5 --resume auto --max-steps 500; rm gone.h5; nssim ball.xml -q -o gone.h5 --resume auto; echo $?
stdout <<
0
no
0
no
out.csv.ckpt.unreadable
out.csv.unreadable
out.events.csv.unreadable
out.h5.ckpt.unreadable
out.h5.unreadable
out.json.unreadable
  "status": "complete",
0
>>
stderr-match warning: out.csv: it is shorter than at the checkpoint, expected the output that belongs to the checkpoint; what is there is kept as out.csv.unreadable, and the run starts again from the beginning$
stderr-match warning: out.h5: it cannot be opened .*; what is there is kept as out.h5.unreadable, and the run starts again
stderr-match warning: gone.h5: No such file or directory, expected the output that belongs to the checkpoint; .* the run starts again

# What an earlier time has set aside stays: files of one time have one suffix, the first that none of them has.
case what-is-set-aside-is-never-replaced
copy cli/ball.xml
run for k in 1 2 3; do nssim ball.xml -q -o out.csv --resume auto --max-steps 500; echo "no $k" >out.csv; nssim ball.xml -q -o out.csv --resume auto; done; for n in 1 2; do nssim ball.xml -q -o b.csv --resume auto --max-steps 500; echo "ckpt $n" >b.csv.ckpt; rm -f b.csv.ckpt.prev; nssim ball.xml -q -o b.csv --resume auto; rm b.csv*.ckpt; done; for f in *.unreadable*; do echo $f $(head -c 6 $f | grep -o '^no .\|^ckpt .'); done
stdout <<
b.csv.ckpt.unreadable ckpt 1
b.csv.ckpt.unreadable.2 ckpt 2
out.csv.ckpt.unreadable
out.csv.ckpt.unreadable.2
out.csv.ckpt.unreadable.3
out.csv.unreadable no 1
out.csv.unreadable.2 no 2
out.csv.unreadable.3 no 3
out.events.csv.unreadable
out.events.csv.unreadable.2
out.events.csv.unreadable.3
out.json.unreadable
out.json.unreadable.2
out.json.unreadable.3
>>
stderr-match kept as out.csv.unreadable.3, and the run starts again from the beginning$
stderr-match kept as b.csv.ckpt.unreadable.2, and the run starts again from the beginning$

# A complete run is not repeated, but only where its output is there and whole.
case complete-without-its-output
copy cli/ball.xml
run for f in csv h5; do nssim ball.xml -q -o whole.$f; nssim ball.xml -q -o out.$f --resume auto; rm out.$f; nssim ball.xml -q -o out.$f --resume out.$f.ckpt; echo $?; nssim ball.xml -q -o out.$f --resume auto; echo $?; truncate -s -700 out.$f; nssim ball.xml -q -o out.$f --resume auto; echo $?; sleep 1.1; nssim ball.xml -q -o out.$f; nssim ball.xml -q -o out.$f --resume auto; echo $?; nssim ball.xml -o out.$f --resume auto; done
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv && nssim compare -q whole.h5 out.h5
stdout <<
66
0
0
0
66
0
0
0
>>
stderr-match error: out.csv: cannot read: No such file or directory; put it back, or start again without --resume$
stderr-match warning: out.csv: cannot read: No such file or directory; what is there is kept as out.csv.unreadable, and the run starts again from the beginning$
stderr-match warning: out.csv: it is not complete, expected the output of the run that is complete; what is there
stderr-match warning: out.csv: it is not the output of this run, expected the output of the run that is complete; what
stderr-match note: the run is already complete
stderr-match error: out.h5: cannot read: No such file or directory; put it back
stderr-match warning: out.h5: cannot open; .*truncated file.*; what is there
stderr-match warning: out.h5: it is not the output of this run

# An older checkpoint and an earlier end: rows that the run would not write again are not removed.
case resumed-to-an-earlier-end
copy cli/ball.xml
run for f in csv h5; do nssim ball.xml -q -o out.$f --checkpoint k --max-steps 500; cp k old; nssim ball.xml -q -o out.$f --resume k; cp out.$f whole.$f; nssim ball.xml -q -o out.$f --resume old --t-end 5; echo $?; cmp out.$f whole.$f; done
stdout <<
2
2
>>
stderr-match error: out.csv has rows up to t = 10 s, and a run that continues from t = 2.5 s to 5 s would remove them, expected no earlier end; copy the output and the checkpoint and continue with the copies, or give --t-end=10$

# The last step reaches beyond T: whoever is killed behind it, or has an older checkpoint, goes on with the same line.
case resumed-behind-a-step-beyond-the-end
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --checkpoint k --max-steps 500 --t-end 9.998; cp k old; cp k older; nssim ball.xml -q -o out.csv --resume k --t-end 9.998; cp out.csv whole.csv; nssim ball.xml -q -o out.csv --resume old --t-end 9.998; echo $?; tail -1 out.csv | cut -d, -f1
run cmp out.csv whole.csv; nssim ball.xml -q -o out.csv --resume older --t-end 9.995; echo $?
stdout <<
0
10
2
>>
stderr-match error: out.csv has rows up to t = 10 s, and a run that continues from t = 2.5 s to 9.995 s would remove them

case a-table-that-was-cut
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv; truncate -s -700 out.csv; nssim info out.csv | grep status; nssim compare whole.csv out.csv | grep complete
stdout-match status       INCOMPLETE .exit 0.: the file ends at t = 9.985 s of 10 s$
stdout-match the run of B is not complete: INCOMPLETE
stderr-match warning: out.csv: 1998 rows, expected the 2001 rows that the run has written: the file was changed$

case a-table-without-its-events
copy cli/ball.xml
run nssim ball.xml -q -o whole.csv; nssim ball.xml -q -o out.csv --resume auto; for n in 1 2; do test $n = 1 && rm out.events.csv || sed -i 2d out.events.csv; nssim ball.xml -q -o out.csv --resume out.csv.ckpt; echo $?; nssim ball.xml -q -o out.csv --resume auto; done
verify cmp whole.events.csv out.events.csv
stdout <<
66
66
>>
stderr-match error: out.csv: it is without some of its events, expected the output of the run that is complete
stderr-match warning: out.csv: it is without some of its events, .*, and the run starts again from the beginning$

# A link stays one, and what it leads to is kept beside the new file.
case set-aside-through-a-link
copy cli/ball.xml
run mkdir d; ln -s d/out.csv out.csv; for n in 1 2; do nssim ball.xml -q -o out.csv --backup; done; ls -d out.csv d/*; readlink out.csv
stdout <<
d/out.csv
d/out.csv~
out.csv
d/out.csv
>>

case one-file-for-both
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --checkpoint out.csv; echo $?; nssim ball.xml -q -o out.csv --checkpoint ball.xml
exit 73
stdout <<
2
>>
verify grep -q '<model' ball.xml

case wrong-words
copy cli/ball.xml
run for o in --checkpoint-every=0 --checkpoint-every=5parsec --max-wall=-1 --checkpoint= --resume= --checkpoint-every=5; do nssim ball.xml $o; echo $?; done
stdout <<
2
2
2
2
2
2
>>
stderr-match --checkpoint-every '5parsec': expected simulated seconds, such as 0.5, or wall clock, such as 5min
stderr-match --checkpoint-every without --checkpoint FILE or --resume auto

case auto-without-a-name
copy cli/ball.xml
run nssim ball.xml --resume auto
exit 2
stderr-match --resume auto without -o and --checkpoint: expected one of them

case no-folder-for-it
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --checkpoint none/c
exit 73
stderr-match none/c: cannot write a checkpoint there: No such file or directory; create its folder first$
absent out.csv

# ---- limits -------------------------------------------------------------------------------------------------

case a-limit-of-wall-clock
copy cli/ball.xml
run nssim ball.xml -q -o out.csv --every 1000 --t-end 1e9 --max-wall 0.3s --resume auto
exit 75
stderr-match ^nssim: warning: stopped after 0.3 s of wall clock, by --max-wall: t = \S+ s of 1e\+09 s; checkpoint in out.csv.ckpt

# The shell's limit stands for a full disk: a checkpoint is larger than it, the rows are not. The run goes on; where it was to stop
# with the checkpoint, it fails.
case a-full-disk-and-the-run-goes-on
run ulimit -f 40; nssim $MODELS/bead-column-1000/bead-column-1000.xml -o out.csv --record bead1.q --every 100 --t-end 0.05 --checkpoint c --checkpoint-every 0.02 | tail -n 1
stdout-match ^complete:
stderr-match ^nssim: warning: c: the checkpoint cannot be written: File too large; the run continues, there is none yet$
absent c
absent c.new

case a-full-disk-and-the-run-stops
run nssim $MODELS/bead-column-1000/bead-column-1000.xml -q -o out.csv --record bead1.q --every 100 --checkpoint c --max-steps 10; cp c before; ulimit -f 40; nssim $MODELS/bead-column-1000/bead-column-1000.xml -q -o out.csv --record bead1.q --every 100 --resume c --max-steps 10
exit 74
stderr-match ^nssim: error: c: the checkpoint cannot be written: File too large; the last one is that of t = \S+ s$
verify cmp c before

# friction of a ball joint by the length of its torque, event-driven: sliding that began, ended and began again
case resume-ball-joint-friction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <NewtonEulerDS id="a"><q0>0.5 0 0 1 0 0 0</q0><v0>0 0.5 -1 0 2 1</v0><mass>2</mass><inertia diag="0.2 0.3 0.25"/><fExt>0 0 -19.62</fExt></NewtonEulerDS>
    <NewtonEulerDS id="b"><q0>1.5 0 0 1 0 0 0</q0><v0>0 2.5 -2.5 0 1 3</v0><mass>1</mass><inertia diag="0.1 0.15 0.2"/><fExt>0 0 -9.81</fExt></NewtonEulerDS>
  </systems>
  <interactions>
    <interaction id="u" systems="a"><KneeJointR point="0 0 0"/><EqualityConditionNSL/></interaction>
    <interaction id="w" systems="a b"><KneeJointR point="1 0 0"/><EqualityConditionNSL/></interaction>
    <interaction id="fu"><JointFrictionR joint="u" coordinate="all"/><RelayNSL lb="-6" ub="6" norm="euclidean"/></interaction>
    <interaction id="fw"><JointFrictionR joint="w" coordinate="all"/><RelayNSL lb="-3" ub="3" norm="euclidean"/></interaction>
  </interactions>
  <simulation T="2"><EventDriven h="0.05"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim m.xml -q -o whole.csv; for n in 2 1 17; do nssim m.xml -q -o out.csv --resume auto --max-steps $n; done; nssim m.xml -q -o out.csv --resume auto
stderr-match ^nssim: warning: stopped after 2 steps, by --max-steps: t = 0.1 s of 2 s
verify cmp whole.csv out.csv && cmp whole.events.csv out.events.csv && [ $(grep -c stick out.events.csv) -ge 2 ]
