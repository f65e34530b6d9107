# SPDX-License-Identifier: GPL-3.0-or-later
# nssim plot.

case plot-svg
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim plot out.h5 ball.x ball.v ground.lambda -o out.svg
content-match out.svg Ball bouncing on the ground
content-match out.svg ground\.lambda \[N s\]
content-match out.svg time \[s\]
content-match out.svg impact
stdout <<
>>
stderr <<
>>
verify python3 -c 'import xml.dom.minidom as m; m.parse("out.svg")' && test $(wc -c <out.svg) -lt 300000

case plot-png-pdf-and-phase
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim plot out.h5 ball.x -o out.png && nssim plot out.h5 ball.v_x --x ball.x -o out.pdf --title "Phase"
verify head -c 4 out.png | grep -q PNG && head -c 4 out.pdf | grep -q PDF

case plot-in-the-terminal
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv && nssim plot out.csv ball.x --from 1 --to 2 --size 70x20
stdout-match Ball bouncing on the ground
stdout-match \*\*
stdout-match time \[s\]

case plot-svg-on-stdout
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim plot out.h5 ball.x -o - | head -1
stdout-match ^<\?xml

# half a million rows, yet a small picture
case plot-of-many-rows-stays-small
skip-unless command -v gnuplot
timeout 90
run awk 'BEGIN{print "t,a,b"; for(i=0;i<500000;i++) printf "%.6f,%.6f,%.6f\n", i*1e-5, sin(i*0.3), cos(i*1e-3)*sin(i*0.7)}' >big.csv; nssim plot big.csv a b -o big.svg
verify test $(wc -c <big.svg) -lt 300000

# a title is text, whatever it looks like
case plot-executes-nothing
skip-unless command -v gnuplot
file data.csv <<
t,"`touch hacked`","a'; system('touch hacked'); '"
0,1,2
1,2,1
>>
file title.txt <<
'; system('touch hacked'); print ''''$(touch hacked) `touch hacked`" \
>>
run nssim plot data.csv '*' --title "$(cat title.txt)" -o out.svg; nssim plot data.csv '*' -o '|touch hacked.svg'
absent hacked
absent hacked.svg
exists |touch hacked.svg
content-match out.svg system

case plot-unknown-quantity
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim plot out.h5 ball.z -o out.svg
exit 2
stderr-match no quantity "ball\.z"; did you mean "ball\.[xy]"\?
absent out.svg

case plot-empty-range
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim plot out.h5 ball.x --from 20
exit 2
stderr-match it has t = 0 s to 10 s

case plot-unknown-format
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim plot out.h5 ball.x -o out.gif
exit 2
stderr-match end it in \.svg

case plot-without-gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv; PATH=/nowhere $NSSIM plot out.csv ball.x
exit 69
stderr-match gnuplot-nox

case plot-without-a-quantity
run nssim plot out.h5
exit 2
stderr-match no quantity given: expected one such as ball\.x

case plot-onto-a-full-device
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.csv; nssim plot out.csv ball.x -o - >/dev/full
exit 74

# the circle x = cos, y = sin, drawn over each other: its extent, and no axis of time
case plot-phase-plane
skip-unless command -v gnuplot
run awk 'BEGIN{OFS=","; print "t,x,y"; for(i=0;i<=100;i++) print i, cos(i/10), sin(i/10)}' >c.csv; nssim plot c.csv x:y -o - >one.svg; nssim plot c.csv y -x x -o - >two.svg; cmp one.svg two.svg && grep -c '>x<' one.svg
stdout <<
1
>>

case plot-phase-beside-time
skip-unless command -v gnuplot
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5 && nssim plot out.h5 ball.x:ball.v_x ball.y -o out.svg
content-match out.svg ball\.v_x
content-match out.svg time \[s\]

case plot-phase-of-unequal-shapes
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim plot out.h5 ball.q:ball.x -o out.svg
exit 2
stderr-match ball\.q:ball\.x: the horizontal axis has 3 components, expected 1; name one$
absent out.svg

case plot-phase-of-an-unknown-quantity
run nssim run -q $MODELS/bouncing-ball/bouncing-ball.xml -o out.h5; nssim plot out.h5 ball.z:ball.x -o out.svg
exit 2
stderr-match no quantity "ball\.z"; did you mean

case plot-marks-switches
skip-unless command -v gnuplot
run nssim run -q $MODELS/rectifier/rectifier.xml -o out.h5 && nssim plot out.h5 load.i -o out.svg
content-match out.svg >switch<

# ---- several runs in one picture ----

case plot-of-two-runs-names-what-differs
skip-unless command -v gnuplot
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -p e=0.7 -o b.csv
run nssim plot a.h5 b.csv ball.x ball.x:ball.v_x -o out.svg
content-match out.svg >e = 0\.9<
content-match out.svg >e = 0\.7<
content-not out.svg impact

# nothing else tells them apart: their names do; one name in two folders: their paths
case plot-of-two-tables
skip-unless command -v gnuplot
file a.csv <<
t,x
0,1
1,2
>>
file d/a.csv <<
t,x
0,1
2,3
>>
run nssim plot a.csv d/a.csv x -o one.svg && cp a.csv b.csv && nssim plot a.csv b.csv x 't:x' -o two.svg
content-match one.svg >d/a\.csv<
content-match two.svg >b\.csv<
content-match two.svg >a\.csv<

case plot-of-a-quantity-that-one-run-lacks
file a.csv <<
t,x,y
0,1,2
>>
file b.csv <<
t,x
0,1
>>
run nssim plot a.csv b.csv y -o out.svg
exit 2
stderr-match ^nssim: error: b\.csv: no quantity "y"
absent out.svg

# A quantity of two runs in different units: a panel each, with one curve, that names its run and has its colour.
case plot-of-a-curve-of-each-run
run sed 's|<TimeStepping h="0.005">|<EventDriven h="0.005">|; s|<MoreauJeanOSI.*/>|<CVodeOSI/>|; s|</TimeStepping>|</EventDriven>|' $MODELS/bouncing-ball/bouncing-ball.xml >e.xml
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 -o a.h5; nssim -q e.xml --t-end 1 -o b.h5; nssim plot a.h5 b.h5 ball.x ground.lambda -o c.svg; grep -c '>a.h5<' c.svg; grep -c '>b.h5<' c.svg; for f in a b; do awk -v k="<text>$f.h5<" 'index($0, k) {on = 1} on && match($0, /rgb\([^)]*\)/) {print substr($0, RSTART, RLENGTH); on = 0}' c.svg | sort -u; done | sort -u | wc -l
stdout <<
2
2
2
>>

case plot-of-a-node-by-its-name
file c.xml <<
<model xmlns="urn:nssim:model:1"><netlist id="c">V1 in 0 1
R1 in out 1
C1 out 0 1</netlist><simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation></model>
>>
run nssim -q c.xml -o c.h5 && nssim plot c.h5 out.v -o c.svg
exit 2
stderr-match ^nssim: error: c\.h5: no quantity "out\.v"; did you mean "node_out\.v"\?

case plot-has-the-same-bytes-each-time
skip-unless command -v gnuplot
setup nssim -q $MODELS/woodpecker/woodpecker.xml -o a.h5
run for k in 1 2; do nssim plot a.h5 '*.q' '*.lambda' -o $k.svg && nssim plot a.h5 --events -o e$k.svg; done; cmp 1.svg 2.svg && cmp e1.svg e2.svg
stdout <<
>>

# ---- timelines ----

case plot-events-of-mechanics
skip-unless command -v gnuplot
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim plot a.h5 --events -o out.svg && nssim plot a.h5 --events --to 2 -o early.svg
content-match out.svg >ground<
content-match out.svg impact \(height: impulse\)
content-match out.svg lasting contact
content-not early.svg lasting contact
verify python3 -c 'import xml.dom.minidom as m; m.parse("out.svg")'

case plot-events-of-rows-have-lanes-of-their-own
skip-unless command -v gnuplot
run nssim -q $MODELS/diode-bridge-netlist/diode-bridge-netlist.xml -o a.h5 && nssim plot a.h5 --events -o out.svg
content-match out.svg >circuit-devices\[0\]<
content-match out.svg >circuit-devices\[3\]<
content-match out.svg >switch<
content-match out.svg >lambda at its lower bound<
content-match out.svg >between its bounds<

case plot-events-of-some-interactions
skip-unless command -v gnuplot
run nssim -q $MODELS/woodpecker/woodpecker.xml -o a.h5; nssim plot a.h5 --events lower 'b*' -o out.svg && nssim plot a.h5 --events stop -o no.svg
exit 2
content-match out.svg >lower\[0\]<
content-match out.svg >lower\[1\]<
content-match out.svg >beak(\[0\])?<
content-not out.svg >upper<
stderr-match no events of 'stop'; nssim info --events lists them
absent no.svg

case plot-events-of-too-many-rows
skip-unless command -v gnuplot
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 1 -o a.csv && for k in $(seq 50); do echo "0.5,impact,stop$k,$k,0,-1,1,1"; done >>a.events.csv
run nssim plot a.csv --events 'stop1?' -o few.svg && nssim plot a.csv --events -o out.svg
exit 2
content-match few.svg >stop19<
stderr-match events of 51 rows of interactions, at most 40 fit into one picture; name some, such as 'ground'$

case plot-events-of-a-table-without-any
file a.csv <<
t,x
0,1
>>
run nssim plot a.csv --events
exit 66
stderr-match a\.csv: no events to draw

case plot-events-in-the-terminal
skip-unless command -v gnuplot
run nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && nssim plot a.h5 --events
stdout-match ^ *ground
stdout-match lasting contact

# ---- sweeps ----

# each line joins the runs of one value; the run that failed is left out and counted
case plot-sweep-curves
skip-unless command -v gnuplot
setup python3 $CASES/plot/study.py study map
run nssim plot study e:height --by mu -o a.svg && nssim plot study/measures.csv e:height --by mu -o b.svg && cmp a.svg b.svg
content-match a.svg >study  \[39 of 40 runs\]<
content-match a.svg >mu<
content-match a.svg >0\.15<
content-match a.svg >height<

case plot-sweep-map
skip-unless command -v gnuplot
setup python3 $CASES/plot/study.py study map
run nssim plot study/ e:mu:height -o a.svg --title "Heights" && nssim plot study/ e:mu:height
content-match a.svg >Heights  \[39 of 40 runs\]<
# a cell a run, and those of the colours' scale
verify test $(grep -c '<polygon' a.svg) -ge 39
stdout-match 0: 0, 9: 35

case plot-sweep-bifurcation
skip-unless command -v gnuplot
setup python3 $CASES/plot/study.py study logistic
run nssim plot study A:samples -o a.svg
content-match a.svg >samples<
content-match a.svg >A<
# periods 1 and 2 alone are 10 + 2 x 22 dots; chaos has many more
verify n=$(grep -c "href='#gpPt6'" a.svg); test $n -gt 150 && test $n -lt 600

case plot-sweep-logarithmic-and-in-panels
skip-unless command -v gnuplot
setup python3 $CASES/plot/study.py study map
run nssim plot study e:height e:mu:height --log x -o a.svg --size 700x800
content-match a.svg >e<

case plot-sweep-usage
setup python3 $CASES/plot/study.py study map && nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.1 -o a.h5
run for q in e e: :e e:mu:height:e e:heigth; do nssim plot study $q -o a.svg; done; nssim plot study e:mu --from 1; nssim plot study a.h5 e:mu; nssim plot a.h5 ball.x --by e; nssim plot a.h5 ball.x --log z; nssim plot study e:height --by run; nssim plot study
exit 2
stderr-match 'e': for a sweep give X:Y, which plots Y over X, or X:Y:Z
stderr-match no quantity "heigth"; did you mean "height"
stderr-match is a sweep; --events, -x, --from, --to, --spectrum and --section apply to the output of one run
stderr-match expected one sweep, not 2
stderr-match --by and --quantiles apply to sweeps
stderr-match --log 'z': expected x, y or xy
stderr-match run has more than 12 values
stderr-match no quantity given: expected one such as e:ball\.x; `nssim info study/measures\.csv` lists them
absent a.svg

case plot-sweep-of-a-folder-without-measures
run mkdir d; nssim plot d e:mu
exit 66
stderr-match d/measures\.csv: cannot read

case plot-sweep-without-any-value
skip-unless command -v gnuplot
file measures.csv <<
run,key,status,e,h
0,a,failed,0.1,
1,b,failed,0.2,
>>
run nssim plot measures.csv e:h -o a.svg && nssim plot measures.csv e:e:h -o b.svg
content-match a.svg no run has a value here
content-match a.svg >Sweep  \[0 of 2 runs\]<
content-match b.svg no run has a value here

# the table of a real sweep: its title and units, also where its CSV is named, which does not know them: the HDF5 next to it does
case plot-sweep-as-it-is-made
skip-unless command -v gnuplot
file study.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml"><title>Heights and bounces</title>
 <grid><list name="T" values="1"/><range name="R" from="0.1" to="0.2" count="3"/><range name="e" from="0.5" to="0.9" count="5"/></grid></study>
>>
setup cp $MODELS/bouncing-ball/bouncing-ball.xml ball.xml && nssim sweep study.xml -o out -q
run nssim plot out R:ball.x --by e -o a.svg && nssim plot out e:R:ball.x -o b.svg && nssim plot out/measures.csv R:ball.x --by e -o c.svg && nssim compare out/measures.h5 out/measures.csv
content-match a.svg >Heights and bounces<
content-match a.svg >R \[m\]<
content-match b.svg >R \[m\]<
content-match c.svg >R \[m\]<
content-match c.svg >Heights and bounces<
stdout-match ^same

# impacts that pile up, and an event of the model's own
case plot-events-of-event-driven-runs
skip-unless command -v gnuplot
run nssim -q $MODELS/bouncing-ball/bouncing-ball-events.xml -o a.h5 && nssim plot a.h5 --events -o out.svg
content-match out.svg >accumulation<
content-match out.svg >lasting contact<

# ---- spectra, sections, distributions ----

# two sines, of 0.5 at 4 Hz and 2 at 3 Hz, on rows that hit both frequencies
case plot-spectrum
skip-unless command -v gnuplot
setup awk 'BEGIN{print "t,x"; for(i=0;i<1000;i++) printf "%.17g,%.17g\n", i/100, 7 + 2*sin(6*3.14159265358979*i/100) + 0.5*cos(8*3.14159265358979*i/100)}' >s.csv
run nssim plot s.csv x --spectrum --log y --yrange 1e-3:10 -o s.svg && nssim plot s.csv x --spectrum -o s.html && sed -n 's/.*"series":\[{[^[]*"x":\[\([^]]*\)\],"y":\[\([^]]*\)\].*/\1;\2/p' s.html | awk -F';' '{n=split($1,f,","); split($2,a,","); for(i=1;i<=n;i++) if (a[i] > 0.26) printf "%.6g Hz: %.4f\n", f[i], a[i]}'
stdout <<
2.9 Hz: 1.0000
3 Hz: 2.0000
3.1 Hz: 1.0000
4 Hz: 0.5000
>>
content-match s.svg >frequency \[Hz\]<
content-match s.svg >amplitude of x<

# x = cos, v = -sin of period 2 pi: once a period one point, and where v rises through 0 the points x = -1
case plot-section
skip-unless command -v gnuplot
setup awk 'BEGIN{print "t,x,v"; for(i=0;i<=6000;i++) printf "%.17g,%.17g,%.17g\n", i/100, cos(i/100), -sin(i/100)}' >s.csv
run for w in 6.283185307179586 v=0; do nssim plot s.csv x:v --section $w -o s.html && sed -n 's/.*"series":\[{[^[]*"x":\[\([^]]*\)\],"y":.*/\1/p' s.html | tr ',' '\n' | awk '{printf "%.3f ", $1} END {print NR}'; done
stdout <<
1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 1.000 10
-1.000 -1.000 -1.000 -1.000 -1.000 -1.000 -1.000 -1.000 -1.000 -1.000 10
>>

case plot-histogram-and-quantiles
skip-unless command -v gnuplot
setup awk 'BEGIN{print "run,key,status,a,y"; for(i=0;i<=100;i++) printf "%d,k%d,complete,%d,%.17g\n", i, i, i%5, i/100; print "101,k101,failed,0,99"}' >measures.csv
run nssim plot measures.csv y --histogram=10 -o h.svg && nssim plot measures.csv a:y --quantiles -o q.svg && nssim plot measures.csv y --histogram=10 -o h.html && sed -n 's/.*"y":\[\([^]]*\)\]}.*/\1/p' h.html | head -1 | cut -c1-40; grep -o '"key":"[^"]*"' h.html
content-match h.svg >number of runs<
content-match h.svg >.*\[101 of 102 runs\]<
content-match q.svg >50 %<
content-match q.svg >5 %<
stdout-match "key":"5 %: 0\.05"
stdout-match "key":"50 %: 0\.5"
stdout-match "key":"95 %: 0\.95"

case plot-of-a-quantity-that-never-changes
skip-unless command -v gnuplot
file c.csv <<
t,x,y
0,0,nan
1,0,nan
>>
run for w in '' --histogram --section=0.5; do nssim plot c.csv x $w -o c.svg && nssim plot c.csv x y $w -o c.html || exit 1; done; nssim plot c.csv x --spectrum; nssim plot c.csv y --log y; nssim plot c.csv x --log y
exit 2
stderr-match --spectrum: 2 rows, expected at least 8 over a span of time$
stderr-match --log y: y has no value above 0, which a logarithmic axis needs
stderr-match --log y: x has no value above 0

case plot-usage-of-ranges-and-kinds
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5
run nssim plot a.h5 ball.x --xrange 2:1; nssim plot a.h5 ball.x --yrange 1; nssim plot a.h5 ball.x --theme blue; nssim plot a.h5 ball.x --histogram=0; nssim plot a.h5 ball.x --spectrum --histogram; nssim plot a.h5 ball.x:ball.v_x --spectrum; nssim plot a.h5 ball.x:ball.v_x --section soon; nssim plot a.h5 ball.x:ball.v_x --section ball.z=0; nssim plot a.h5 ball.x --quantiles; nssim plot a.h5 --events --log x; nssim plot a.h5 ball.x --log y --yrange -1:1; NSSIM_DATA_DIR=. nssim plot a.h5 ball.x -o a.html
exit 66
stderr-match --xrange '2:1': expected two numbers with a colon, the smaller first, such as 0:2$
stderr-match --yrange '1': expected two numbers
stderr-match --theme 'blue': expected light, dark or print$
stderr-match --histogram '0': expected a number of bins, 1 to 10000$
stderr-match --spectrum and --histogram exclude each other$
stderr-match --spectrum applies to single quantities over time, not to X:Y$
stderr-match --section 'soon': expected a period in seconds above 0, or QUANTITY=VALUE such as ball\.v_x=0
stderr-match no quantity "ball\.z"
stderr-match --by and --quantiles apply to sweeps
stderr-match a timeline of events has no logarithmic axes
stderr-match --log y: the range -1 to 1 of ball\.x reaches 0 or less
stderr-match view/plot\.html is missing, expected it next to nssim or in share/nssim; set NSSIM_DATA_DIR to the folder that contains view/$
absent a.html

# no gnuplot is needed for a page, and no name ends the script or is markup
case plot-page-escapes-names
file data.csv <<
t,"</script><script>alert(1)</script>","a<b>&amp;"
0,1,2
1,2,1
>>
run PATH=/nowhere $NSSIM plot data.csv '*' --title '</title><img src=x onerror=alert(1)>' -o out.html && grep -c '<script>' out.html; grep -ci '<img\|alert(1)</script>' out.html
exit 1
stdout <<
1
0
>>

case plot-of-names-that-are-not-utf8
skip-unless command -v gnuplot
run printf 't,"x\377\001<y>",z\n0,1,2\n1,2,3\n' >d.csv; nssim plot d.csv '*' --title "$(printf 'a\200b')" -o d.svg && nssim plot d.csv '*' -o d.html && python3 -c 'import xml.dom.minidom as m; m.parse("d.svg")'
content-match d.svg >x\? &lt;y><
content-match d.svg a\?b

case plot-themes
skip-unless command -v gnuplot
file c.csv <<
t,a,b,c
0,1,2,3
1,2,3,4
>>
run for t in light dark print; do nssim plot c.csv '*' --theme $t -o $t.svg; done
content-match dark.svg fill="#161b22"
content-match print.svg stroke-dasharray
content-not light.svg stroke-dasharray

case plot-curves-that-share-a-colour-differ-by-dashes
file nine.csv <<
time,a.x,b.x,c.x,d.x,e.x,f.x,g.x,h.x,i.x
0,0,1,2,3,4,5,6,7,8
1,1,2,3,4,5,6,7,8,9
>>
run nssim plot nine.csv '?.x' -o nine.svg && nssim plot nine.csv 'a.x' 'b.x' 'g.x' -o few.svg
content-match nine.svg stroke-dasharray
content-not few.svg stroke-dasharray

# Six panels, one for each unit, were drawn over each other and off the page.
case plot-of-a-size-without-room-for-its-panels
skip-unless command -v gnuplot
setup nssim -q $MODELS/woodpecker/woodpecker.xml -o a.h5
run nssim plot a.h5 'bird.*' --size 400x300 -o a.svg; nssim plot a.h5 bird.y --size 200x300 -o b.png
exit 2
stderr <<
nssim: error: --size 400x300 is too small for 6 panels, expected at least 300x658: a panel for each unit; name fewer quantities or choose another size
nssim: error: --size 200x300 is too small for 1 panel, expected at least 300x188: a panel for each unit; name fewer quantities or choose another size
>>
absent a.svg
absent b.png

# Of a long run a spectrum shows the peaks, at their frequencies and heights, and no more points than columns.
case plot-spectrum-of-many-rows
skip-unless command -v gnuplot
setup awk 'BEGIN{print "t,x"; for(i=0;i<40000;i++) printf "%.17g,%.17g\n", i/100, 2*sin(6*3.14159265358979*i/100) + 0.5*cos(80*3.14159265358979*i/100)}' >s.csv
file peaks <<
nssim plot s.csv x --spectrum "$@" -o s.html
sed -n 's/.*"series":\[{[^[]*"x":\[\([^]]*\)\],"y":\[\([^]]*\)\].*/\1;\2/p' s.html | awk -F';' '{n=split($1,f,","); split($2,a,","); print (n < 510 && n > 100 ? "few points" : n); for(i=1;i<=n;i++) if (a[i] > 0.3 && !(a[i] < 0.6 && f[i] < 4)) printf "%.6g Hz: %.3f\n", f[i], a[i]}'
>>
run sh peaks; sh peaks --log xy; sh peaks --xrange 35:45
stdout <<
few points
3 Hz: 2.000
3.0025 Hz: 1.000
40 Hz: 0.500
few points
3 Hz: 2.000
3.0025 Hz: 1.000
40 Hz: 0.500
few points
40 Hz: 0.500
>>
