# SPDX-License-Identifier: GPL-3.0-or-later
# A run from the shell: what is written, what is said, what it ends with.

case summary-alone
copy cli/ball.xml
run nssim ball.xml
stdout-match ^A ball$
stdout-match ^complete: 2000 steps to t = 10 s in [0-9.]+ [mu]?s; residual <= [0-9.e+-]+, penetration <= [0-9.e+-]+ m, energy defect -?[0-9.e+-]+ J; nothing written$
stdout-match ^  impacts +[1-9][0-9]*; at most 1 of 1 contact rows active$
stdout-match ^  final state +ball: x = [-0-9.e]+, y = 0, velocities
stderr <<
nssim: note: no -o: no results are written
>>
verify test "$(ls)" = ball.xml

case the-word-run
copy cli/ball.xml
run nssim run ball.xml -q
stdout <<
>>
stderr <<
>>

case options-before-the-model
copy cli/ball.xml
run nssim -q -o out.csv ball.xml
exists out.csv
stdout <<
>>

case file-without-suffix
copy cli/ball.xml
setup mv ball.xml ball
run nssim ball -q
exit 0

case standard-input
copy cli/ball.xml
run nssim -q - -o out.csv <ball.xml
content-match out.csv ^10,

case csv
copy cli/ball.xml
run nssim ball.xml -o out.csv
stdout-match ^complete: 2000 steps .*; written to out.csv$
stdout-match ^  look at it +nssim plot out.csv ball.x$
stderr <<
>>
content-match out.csv ^time,ball.x,ball.y,
verify test $(wc -l <out.csv) -eq 2002

# The command line in the output is one that a shell takes again.
case command-in-the-output
copy cli/ball.xml
run nssim ball.xml -q -p 'e=1/2' -p g=9 -o "my 'out'.csv"
verify $CASES/cli/json "my 'out'.json" 'd["provenance"]["command"]' >first; mkdir again; mv ball.xml again; cd again; eval "$(cat ../first)"; cmp "my 'out'.csv" "../my 'out'.csv"

case csv-on-stdout
copy cli/ball.xml
run nssim ball.xml -o - --record ball.q --every 1000
stdout-match ^time,ball.x,ball.y$
stdout-match ^0,1,0$
stdout-match ^10,
stdout-not complete
stderr-match ^complete: 2000 steps .*; written to standard output$
verify test $(nssim ball.xml -q -o - --every 1000 | wc -l) -eq 4

case csv-on-stdout-is-the-file
copy cli/ball.xml
run nssim ball.xml -q -o out.csv; nssim ball.xml -q -o - | cmp - out.csv
stdout <<
>>

case hdf5
copy cli/ball.xml
run nssim ball.xml -o out.h5
stdout-match ^complete: 2000 steps .*; written to out.h5$
exists out.h5
verify head -c 4 out.h5 | grep -q HDF

# All that a summary certifies, from the program to a program.
case json
copy cli/ball.xml
run nssim ball.xml --json -o out.csv >s.json
stderr <<
>>
verify $CASES/cli/json s.json 'd["status"] == "complete" and d["exit"] == 0 and d["t"] == 10 and d["timing"]["steps"] == 2000 and d["output"] == "out.csv"'
verify $CASES/cli/json s.json 'd["certificate"]["residual_max"] <= 1e-10 and d["certificate"]["impacts"] > 10 and abs(d["certificate"]["energy_defect_max"]) < 1e-12'
verify $CASES/cli/json s.json 'len(d["systems"]["ball"]["q"]) == 2'

case quiet-json
copy cli/ball.xml
run nssim ball.xml -q --json
stdout-match "status": "complete"
stderr <<
>>

case timing
copy cli/ball.xml
run nssim ball.xml -q --timing=json
stdout <<
>>
stderr-match ^\{"steps":2000,"loop_seconds":[0-9.e-]+,"load_seconds":[0-9.e-]+,"setup_seconds":[0-9.e-]+,"total_seconds":[0-9.e-]+,"ns_per_step":[0-9.e]+\}$

case progress-json
copy cli/ball.xml
run nssim ball.xml --progress=json -o out.csv
stderr-match ^\{"t":10.0,"fraction":1.0,"steps":2000,"rate":[0-9.e]+,"eta":0.0\}$

case progress-json-quiet
copy cli/ball.xml
run nssim ball.xml --progress=json -q
stderr <<
>>

# A short run in a log shows no progress.
case progress-lines-short
copy cli/ball.xml
run nssim ball.xml --progress=lines -o out.csv
stderr <<
>>

case parameter
copy cli/ball.xml
run nssim ball.xml -q -p e=0 -p g=10 -o out.csv --every 2000
content-match out.csv ^10,-?[0-9.e-]+,0,

case parameter-is-used
copy cli/ball.xml
run nssim ball.xml -p g=0 --json
stdout-match "impacts": 0,

case t-end
copy cli/ball.xml
run nssim ball.xml --t-end 1
stdout-match ^complete: 200 steps to t = 1 s

case t-end-before-begin
copy cli/ball.xml
run nssim ball.xml --t-end -1
exit 2
stderr <<
nssim: error: --t-end -1: expected a time after the model's start, t0 = 0 s
>>

case every
copy cli/ball.xml
run nssim ball.xml -q --every 300 -o out.csv
verify test "$(cut -d, -f1 out.csv | tr '\n' ' ')" = "time 0 1.5 3 4.5 6 7.5 9 10 "

case record-list
copy cli/ball.xml
run nssim ball.xml -q --record ball.q,ground.lambda --record ball.v -o out.csv
content-match out.csv ^time,ball.x,ball.y,ball.v_x,ball.v_y,ground.lambda$

case record-unknown
copy cli/ball.xml
run nssim ball.xml --record bal.q -o out.csv
exit 2
stderr-match ^nssim: error: record "bal.q" matches no quantity; did you mean "ball.q"\?
absent out.csv

# Also where nothing is written.
case record-unknown-without-output
copy cli/ball.xml
run nssim ball.xml --record nothing.at.all
exit 2
stderr-match "nothing.at.all"

case parameter-unknown
copy cli/ball.xml
run nssim ball.xml -p ee=1 -o out.csv
exit 2
stderr-match \bee\b.*did you mean.*\be\b
absent out.csv

case parameter-not-a-number
copy cli/ball.xml
run nssim ball.xml -p 'e=fast'
exit 2
stderr <<
nssim: error: parameter e=fast: in "fast", column 1: unknown name "fast"; expected numbers and parameters of the model
>>

case parameter-with-a-comma
copy cli/ball.xml
run nssim ball.xml -p e=0,5
exit 2
stderr <<
nssim: error: parameter e=0,5: in "0,5", column 2: found ",", expected a decimal point
>>

case parameter-infinite
copy cli/ball.xml
run nssim ball.xml -p e=1/0
exit 65
stderr-match parameter e=1/0 is inf, expected a finite number

case parameter-out-of-range
copy cli/ball.xml
run nssim ball.xml -p e=1.5
exit 65
stderr-match ball.xml:[0-9]+: <

# ---- each exit status --------------------------------------------------------------------------

case no-such-model
run nssim nowhere.xml -o out.csv
exit 66
stderr-match ^nssim: error: .*nowhere.xml.*No such file or directory
absent out.csv

case model-is-a-folder
setup mkdir folder
run nssim ./folder
exit 66
stderr-match folder

# Root reads and writes everything unless it gives up the capability.
case model-without-rights
skip-unless test $(id -u) -ne 0 || setpriv --bounding-set=-dac_override,-dac_read_search true
copy cli/ball.xml
setup chmod 000 ball.xml
run test $(id -u) -ne 0 || drop="setpriv --bounding-set=-dac_override,-dac_read_search"; $drop nssim ball.xml
exit 66
stderr-match Permission denied

case bad-model
file m.xml <<
<model xmlns="urn:nssim:model:1" name="bad"><systems><LagrangianLinearTIDS id="a"/></systems></model>
>>
run nssim m.xml -o out.csv
exit 65
stderr-match ^nssim: error: m.xml:1: <
absent out.csv

case not-xml
file m.xml <<
hello
>>
run nssim m.xml
exit 65
stderr-match m.xml:1

case plugin-missing
copy cli/blow-up.xml
setup sed -i 's|<fInt>.*</fInt>|<fInt plugin="Nowhere:force"/>|' blow-up.xml
run nssim blow-up.xml
exit 69
stderr-match Nowhere

case out-of-memory
skip-unless ! grep -q fsanitize $BUILD/flags
run ulimit -v 300000; nssim check $MODELS/bead-column/bead-column.xml -p n=1000000
exit 71
stdout <<
>>
stderr-match ^nssim: error: out of memory

# The sentence on stderr, the rows up to there on disk, how far they go in the summary.
case numerical-failure
copy cli/blow-up.xml
run nssim blow-up.xml -o out.csv
exit 70
stderr-match ^nssim: error: .*mass
stdout-match ^failed: 1[0-9][0-9] steps to t = 1\.[0-9]+ s of 10 s in .*; results up to there in out.csv$
content-match out.csv ^1\.
content-not out.csv nan|inf

case numerical-failure-json
copy cli/blow-up.xml
run nssim blow-up.xml -q --json -o out.h5 2>err >s.json
exit 70
verify $CASES/cli/json s.json 'd["status"] == "failed" and d["exit"] == 70 and len(d["message"]) > 10'

case cannot-create
copy cli/ball.xml
run nssim ball.xml -o nowhere/out.csv
exit 73
stderr-match ^nssim: error: .*nowhere/out.csv.*No such file or directory

case cannot-create-hdf5
copy cli/ball.xml
run nssim ball.xml -o nowhere/out.h5
exit 73
stderr-match nowhere/out.h5

case output-where-nothing-can-be-made
copy cli/ball.xml
run nssim ball.xml -o /proc/out.csv
exit 73
stderr-match ^nssim: error: /proc/out.csv: 

case output-is-a-folder
copy cli/ball.xml
setup mkdir out.csv
run nssim ball.xml -o out.csv
exit 73
stderr-match out.csv

case output-without-rights
skip-unless test $(id -u) -ne 0 || setpriv --bounding-set=-dac_override,-dac_read_search true
copy cli/ball.xml
setup mkdir kept && chmod 500 kept
run test $(id -u) -ne 0 || drop="setpriv --bounding-set=-dac_override,-dac_read_search"; $drop nssim ball.xml -o kept/out.csv
exit 73
stderr-match Permission denied

case disk-full
copy cli/ball.xml
skip-unless test -e /dev/full
setup ln -s /dev/full out.csv
run nssim ball.xml -o out.csv
exit any
verify ! nssim ball.xml -q -o out.csv 2>err
verify grep -q 'No space left on device\|not a regular file' err

case disk-full-stdout
copy cli/ball.xml
skip-unless test -e /dev/full
run nssim ball.xml -o - >/dev/full
exit 74
stderr-match ^nssim: error: .*No space left on device$

# The shell's limit stands for a full disk that the file meets half way.
case file-size-limit
copy cli/ball.xml
run ulimit -f 40; nssim ball.xml -o out.csv
exit 74
stderr-match ^nssim: error: .*File too large
stdout-match ^failed: .*out.csv is NOT complete$

case file-size-limit-hdf5
copy cli/ball.xml
# The HDF5 library forgets a buffer when a write fails: not for AddressSanitizer to report here.
run ulimit -f 100; ASAN_OPTIONS=detect_leaks=0 nssim ball.xml -o out.h5
exit 74
stderr-match ^nssim: error: .*out.h5

case summary-to-full-device
copy cli/ball.xml
skip-unless test -e /dev/full
run nssim ball.xml -o out.csv >/dev/full
exit 74
stderr-match ^nssim: error: standard output: cannot write: No space left on device$

case reader-gone
copy cli/ball.xml
run { nssim ball.xml -o -; echo $? >status; } | head -n 1
stdout-match ^time,
stderr <<
>>
content status <<
74
>>

# A run says that Jacobians are differenced; check says which.
case differenced
skip-unless command -v cc
copy cli/blow-up.xml
file Force.c <<
void spring(double t, unsigned n, const double *q, const double *v, double *out, unsigned nz, double *z)
{
  (void)t; (void)v; (void)nz; (void)z;
  for (unsigned k = 0; k < n; k++) out[k] = 10 * q[k] + q[k] * q[k] * q[k];
}
>>
setup sed -i 's|<fInt>.*</fInt>|<fInt plugin="Force:spring"/>|; s|<q0>0|<q0>1|' blow-up.xml
run nssim blow-up.xml
stdout-match ^  Jacobians +by finite differences in 1 system: nssim check lists them$
stdout-match ^complete: 1000 steps

case max-steps
copy cli/ball.xml
run nssim ball.xml --max-steps 7 -o out.csv
exit 75
stderr <<
nssim: warning: stopped after 7 steps, by --max-steps: t = 0.035 s of 10 s
>>
stdout-match ^interrupted: 7 steps to t = 0.035 s of 10 s in .*; results up to there in out.csv$
verify test $(wc -l <out.csv) -eq 9

case max-steps-beyond-the-end
copy cli/ball.xml
run nssim ball.xml --max-steps 2000
stdout-match ^complete: 2000 steps

# Each byte of the output but for what names the run itself.
case same-bytes-twice
copy cli/ball.xml
run nssim ball.xml -q -o a.csv; nssim ball.xml -q -o b.csv; cmp a.csv b.csv
stdout <<
>>

# Numbers do not follow the user's language.
case locale
copy cli/ball.xml
skip-unless locale -a | grep -qi '^de_DE.utf-*8$'
# (a locale with a decimal comma is seldom installed: the program itself only ever asks for LC_CTYPE)
run LC_ALL=de_DE.UTF-8 nssim ball.xml -q -o out.csv --every 1000 -p e=0.5
content-match out.csv ^5,[0-9]+\.[0-9]+,

# The model is never the price of a result.
case output-is-the-model
copy cli/ball.xml
setup mv ball.xml ball.csv
run nssim -q ball.csv -o ball.csv
exit 73
stderr <<
nssim: error: ball.csv: writing it would destroy ball.csv, which the model is read from; give the output another name
>>
content-match ball.csv <model

case output-links-to-the-model
copy cli/ball.xml
setup ln -s ball.xml out.h5
run nssim -q ball.xml -o out.h5
exit 73
stderr <<
nssim: error: out.h5: writing it would destroy ball.xml, which the model is read from; give the output another name
>>
content-match ball.xml <model

case companion-of-the-output-is-the-model
copy cli/ball.xml
setup mv ball.xml ball.json
run nssim -q ball.json -o ./ball.csv
exit 73
content-match ball.json <model

case output-is-standard-input
copy cli/ball.xml
setup mv ball.xml ball.csv
run nssim -q - -o ball.csv <ball.csv
exit 73
stderr-match would destroy standard input
content-match ball.csv <model

case output-is-its-own-companion
copy cli/ball.xml
setup ln -s out.events.csv out.csv
run nssim -q ball.xml -o out.csv
exit 73
stderr <<
nssim: error: out.csv and out.events.csv are the same file, expected two files; remove the link or give another name
>>

# Nobody reads the pipe: one SIGTERM is enough.
case output-is-a-pipe-without-reader
copy cli/ball.xml
setup mkfifo out.csv
run timeout -k 5 1 nssim -q ball.xml -o out.csv
exit 124

# A closed stream does not lend its number to a result.
case closed-standard-streams
copy cli/blow-up.xml
run nssim -q blow-up.xml -o out.csv 2>&-
exit 70
verify ! grep -q "nssim: error" out.csv out.events.csv out.json

case closed-standard-input
run nssim - <&-
exit 66
stderr <<
nssim: error: cannot read standard input: Bad file descriptor
>>
