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
stderr-match no quantity: expected one such as ball\.x

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
