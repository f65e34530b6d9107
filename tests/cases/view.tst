# SPDX-License-Identifier: GPL-3.0-or-later
# nssim view. What pages hold: tests/io/test_view; what they look like: tests/io/run-view.

case view-of-points
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.h5 && echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view a.h5 -o a.html --three three.js --frames 10 2>err; sed 's/, [0-9.]* MB/, X MB/' err; nssim view a.h5 -q --three three.js --frames 10 -o - | cmp - a.html && grep -c 'id="motion"' a.html; nssim view a.h5 -q --three three.js --frames 10 -o b.html && cmp a.html b.html
stdout <<
a.html: 10 frames of 1 body, X MB, not every row (--frames, --fps, --every)
1
>>
stderr <<
>>

case view-names-the-page-after-the-output
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml -o a.csv && echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view a.csv -q --three three.js && ls a.*
stdout <<
a.csv
a.events.csv
a.html
a.json
>>
stderr <<
>>

case view-without-places
setup nssim -q $MODELS/pendulum/pendulum.xml --record 'diagnostics.*' -o a.h5 && echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view a.h5 --three three.js -o a.html
exit 2
stderr <<
nssim: error: a.h5: no system has coordinates named x, y or z, so that the positions of points are unknown; give them with --points X,Y,Z, each a quantity or a number
>>
absent a.html

case view-usage
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.01 -o a.h5 && echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view; nssim view a.h5 b.h5; nssim view a.h5 --fps 0; nssim view a.h5 --video a.avi --three three.js; nssim view a.h5 --video a.mp4 -o a.html; nssim view a.h5 --curve ball.z --three three.js; nssim view a.h5 --colour '*.heat' --three three.js; nssim view none.xml --three three.js; nssim view a.h5 --three none.js -o b.html; cp a.h5 c.html; nssim view a.h5 --three c.html -o c.html; nssim view a.h5 -o scene; nssim view a.h5 -o scene.png; NSSIM_DATA_DIR=. nssim view a.h5; nssim view none.h5 --three a.h5
exit 66
stdout <<
>>
stderr-match no file given: expected an output such as out\.h5$
stderr-match two files, 'a\.h5' and 'b\.h5': expected one$
stderr-match --fps '0': expected a number above 0$
stderr-match --video a\.avi: expected a name that ends in \.mp4 or \.gif$
stderr-match --video and -o exclude each other$
stderr-match no quantity "ball\.z"
stderr-match --colour '\*\.heat': no body has this quantity, expected one such as '\*\.x', where \* stands for the name of each body; nssim info lists them$
stderr-match none\.xml: .*No such file
stderr-match none\.js: cannot read: No such file or directory$
stderr-match c\.html: writing it would destroy c\.html, which the page needs; give the output another name$
stderr-match page "scene": the name of a page ends in \.html; write "-" for standard output, or --video for a film$
stderr-match page "scene\.png": the name of a page ends in \.html
stderr-match view/scene\.html is missing, expected it next to nssim or in share/nssim; set NSSIM_DATA_DIR to the folder that contains view/$
stderr-match none\.h5: cannot read: No such file or directory; correct its path, or write it with .nssim run MODEL\.xml -o none\.h5.$
absent b.html
absent scene
absent scene.png

# A run of rigid bodies from the model to its pictures.
case view-of-a-run-with-contacts
file ball.xml <<
<model xmlns="urn:nssim:model:1" name="drop">
  <systems>
    <NewtonEulerDS id="ball">
      <q0>0 0 0.3 1 0 0 0</q0><v0>0 0 0 0 0 0</v0>
      <mass>1</mass><inertia>0.004 0 0; 0 0.004 0; 0 0 0.004</inertia>
      <fExt>0 0 -10</fExt>
      <Sphere id="skin" radius="0.1" material="steel"/>
    </NewtonEulerDS>
  </systems>
  <contacts><NewtonImpactFrictionNSL en="0" mu="0.3"/><Plane material="ground"/></contacts>
  <simulation t0="0" T="0.5"><TimeStepping h="0.01"><MoreauJeanOSI/><GenericMechanical/></TimeStepping></simulation>
</model>
>>
setup echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim -q ball.xml -o a.h5 && nssim info a.h5 | grep -E '^  (bodies|shapes|contacts)' | sed 's/ in [0-9].*//' && nssim -q ball.xml -o a.csv && head -1 a.contacts.csv && sed 's/<\/model>/<output contacts="no"\/>&/' ball.xml >b.xml && nssim -q b.xml -o b.h5 && nssim info b.h5 | grep -c '^  contacts'; nssim compare a.h5 a.h5 | head -1; nssim export a.h5 --vtk 2>&1 && ls *.pvd && nssim export a.h5 --xdmf 2>&1; nssim view -q a.h5 --three three.js && grep -c '"shapes":\[\[1,0,' a.html
stdout <<
  bodies       1
  shapes       2: 1 plane, 1 sphere; 1 fixed in space
  contacts     30
row,time,a,b,gap,point_x,point_y,point_z,normal_x,normal_y,normal_z,velocity_x,velocity_y,velocity_z,impulse_x,impulse_y,impulse_z,moment_x,moment_y,moment_z,force_x,force_y,force_z
0
same: A = a.h5, B = a.h5
a.pvd: 51 frames of 1 body
a-bodies.pvd
a-contacts.pvd
a.pvd
a.xmf: 51 frames of 1 point
1
>>

# films without the programs that draw and code them
case view-video-without-a-browser
setup nssim -q $MODELS/bouncing-ball/bouncing-ball.xml --t-end 0.01 -o a.h5 && echo 'var THREE;/*WebGLRenderer*/' >three.js
run PATH=/nowhere $NSSIM view a.h5 --video a.mp4 --three three.js
exit 69
stderr-match requires Chromium, which is not installed; install Debian's chromium
absent a.mp4

# markup in names of curves and of the model is text
case view-escapes-names
file m.csv <<
time,"</script><script>alert(1)</script>.x"
0,1
1,2
>>
setup echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view m.csv --points '</script><script>alert(1)</script>.x,0,0' --curve '*' --three three.js -o m.html; grep -c 'alert(1)</script>' m.html
exit 1
stdout <<
0
>>

# an error of the model is told as by a run
case view-of-a-model-with-a-mistake
setup sed 's/<simulation/<simulatoin/' $MODELS/dominoes/dominoes.xml >m.xml && echo 'var THREE;/*WebGLRenderer*/' >three.js
run nssim view m.xml --three three.js
exit 65
stderr-match m\.xml:[0-9]+: .*simulatoin
absent m.html
