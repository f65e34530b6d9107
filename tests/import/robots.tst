# SPDX-License-Identifier: GPL-3.0-or-later
# Robots: what is wrong in their files is told with file, line and element; what is lost is told, too.

case urdf-entity-bomb
file r.urdf <<
<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<robot name="&b;"/>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:2: a DOCTYPE is not allowed in a robot (it could name other files), expected none; remove it, and write &lt; and &amp; for < and &
>>

case urdf-two-roots
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <link name="b">: no joint leads to it, nor to the link a, expected one root; connect one of them by a joint
>>

case urdf-circle
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
  <joint name="k" type="revolute"><parent link="b"/><child link="a"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:1: <robot name="r">: a joint leads to each link: the joints form a circle, expected one root
>>

case urdf-circle-beside-root
file r.urdf <<
<robot name="r">
  <link name="root"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
  <joint name="k" type="revolute"><parent link="b"/><child link="a"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <link name="a">: its joints form a circle, expected a tree from the root root
>>

case urdf-two-parents
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="c"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
  <joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:6: <joint name="k">: is the second joint that leads to the link c (the first: j), expected a tree
>>

case urdf-link-not-there
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="bb"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <joint name="j">: names the link bb, which does not exist, expected one of the file
>>

case urdf-same-link-twice
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <link name="a">: an earlier link has the same name, expected another name
>>

case urdf-huge-number
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1e300"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <mass>: attribute value is "1e300", expected numbers below 1e+30
>>

case urdf-not-a-number
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="${m}"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <mass>: attribute value is "${m}", expected numbers; run xacro first, which replaces ${...}
>>

case urdf-type
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="rotary"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:4: <joint name="j">: type is rotary, expected revolute, continuous, prismatic, fixed, floating or planar
>>

case urdf-no-mass
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <link name="b">: moves, but neither it nor any link attached to it has a mass, expected <inertial> with mass and inertia
>>

case urdf-negative-box
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><box size="1 -1 1"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:3: <box>: attribute size contains -1, expected positive lengths
>>

case urdf-mimic-of-nothing
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><mimic joint="x"/></joint>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf:4: <mimic>: names the joint x, which does not exist or does not move, expected another
>>

case urdf-nothing-moves
file r.urdf <<
<robot name="r">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
</robot>
>>
run nssim import r.urdf
exit 65
stderr <<
nssim: error: r.urdf: nothing moves: no link has a joint, expected a model with joints; add one, or --floating-base
>>

case mjcf-unknown-class
file m.xml <<
<mujoco>
  <worldbody><body><joint class="leg"/><geom size="1"/></body></worldbody>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <joint>: unknown class leg, expected that of a <default>
>>

case mjcf-type
file m.xml <<
<mujoco>
  <worldbody><body><joint type="screw"/><geom size="1"/></body></worldbody>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <joint>: type is screw, expected hinge, slide, ball or free
>>

case mjcf-two-orientations
file m.xml <<
<mujoco>
  <worldbody><body quat="1 0 0 0" euler="0 0 1"><joint/><geom size="1"/></body></worldbody>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <body>: attributes quat and euler are given, expected one of them
>>

# a site of the world is told as those of bodies are; what is drawn of a site that a tendon uses is not told
case mjcf-sites
file m.xml <<
<mujoco>
  <worldbody>
    <site name="far" type="sphere" size="0.03" pos="0 0 0.4" rgba="1 0 0 1"/>
    <body><joint/><geom size="1"/><site name="tip" type="sphere" size=".02" pos="0 0 .13"/></body>
  </worldbody>
</mujoco>
>>
run nssim import m.xml -o a.xml; sed 's|</mujoco>|<tendon><spatial stiffness="1"><site site="far"/><site site="tip"/></spatial></tendon></mujoco>|' m.xml >n.xml; nssim import n.xml -o b.xml
exit 0
stderr <<
nssim: warning: m.xml:3, 4: <site> is ignored
>>

case mjcf-size
file m.xml <<
<mujoco>
  <worldbody><body><joint/><geom type="box" size="1 1"/></body></worldbody>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <geom>: attribute size has 2 numbers, expected 3
>>

case mjcf-include-not-there
file m.xml <<
<mujoco>
  <include file="none.xml"/>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <include>: cannot open none.xml: No such file or directory; write its path from the folder of the file that names it
>>

case mjcf-include-of-itself
file m.xml <<
<mujoco>
  <include file="m.xml"/>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <include>: is include number 201, expected fewer; do files include each other?
>>

case mjcf-include-outside
file m.xml <<
<mujoco>
  <include file="/etc/passwd"/>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <include>: /etc/passwd lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case mjcf-replicate
file m.xml <<
<mujoco>
  <worldbody><replicate count="9"><body/></replicate></worldbody>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <replicate>: generates bodies and is not supported, expected them written out; MuJoCo's sample `compile` does that
>>

case mjcf-joint-not-there
file m.xml <<
<mujoco>
  <worldbody><body><joint name="hip"/><geom size="1"/></body></worldbody>
  <actuator><motor joint="hop"/></actuator>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <motor>: names the joint hop, which does not exist, expected one of the file
>>

case mjcf-keyframe-of-another-length
file m.xml <<
<mujoco>
  <worldbody><body><joint name="hip"/><geom size="1"/></body></worldbody>
  <keyframe><key qpos="1 2"/></keyframe>
</mujoco>
>>
run nssim import m.xml --keyframe=1
exit 65
stderr <<
nssim: error: m.xml:3: <key>: attribute qpos is "1 2", expected at most 1 number
>>

case mjcf-says-what-is-lost
file m.xml <<
<mujoco>
  <compiler autolimits="true"/>
  <option integrator="RK4" density="1.2"/>
  <worldbody>
    <light pos="0 0 1"/>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 1">
      <joint name="hip" range="-10 10" margin="0.1"/>
      <geom size="0.1" solref="0.01 1"/>
      <site name="tip"/>
    </body>
  </worldbody>
  <sensor><jointpos joint="hip"/></sensor>
</mujoco>
>>
run nssim import m.xml -o x.xml && head -13 x.xml
exit 0
stdout <<
<?xml version="1.0" encoding="UTF-8"?>
<!--
  Imported from m.xml, MJCF.
  What was changed, guessed or omitted:
    attribute integrator of <option> is ignored (line 3)
    attribute density of <option> is ignored (line 3)
    <light> is ignored: it is only for rendering (line 5)
    attribute margin of <joint> is ignored (line 8)
    attribute solref of <geom> is ignored (line 9)
    <site> is ignored (line 10)
    <sensor> is ignored (line 13)
-->
<model xmlns="urn:nssim:model:1">
>>
stderr <<
nssim: warning: m.xml:3: attribute integrator of <option> is ignored
nssim: warning: m.xml:3: attribute density of <option> is ignored
nssim: warning: m.xml:5: <light> is ignored: it is only for rendering
nssim: warning: m.xml:8: attribute margin of <joint> is ignored
nssim: warning: m.xml:9: attribute solref of <geom> is ignored
nssim: warning: m.xml:10: <site> is ignored
nssim: warning: m.xml:13: <sensor> is ignored
>>

# a ball that rolls loses 5/7 muRolling g/R, a puck slides v^2/(2 mu g), a weight swings on its spring about its rest
case mjcf-pairs-rolling-and-springs
file m.xml <<
<mujoco>
  <option timestep="1e-3"/>
  <default><pair condim="6"/><default class="cable"><tendon stiffness="100"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <site name="hook" pos="0 0 3"/>
    <body name="ball" pos="0 0 0.1"><freejoint/><geom size="0.1" mass="1" condim="6" friction="0.8 0.005 0.002"/></body>
    <body name="puck" pos="2 0 0.1"><freejoint/><geom name="p" type="box" size="0.1 0.1 0.1" mass="1" contype="0" conaffinity="0"/></body>
    <body name="weight" pos="0 0 2"><joint type="slide" axis="0 0 1"/><geom size="0.1" mass="2" contype="0" conaffinity="0"/><site name="eye" pos="0 0 0.1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="p" condim="3" friction="0.3 0.3 0.005 0.0001 0.0001"/></contact>
  <tendon><spatial name="rope" class="cable" springlength="0.9"><site site="hook"/><site site="eye"/></spatial></tendon>
  <keyframe><key qpos="0 0 0.1 1 0 0 0  2 0 0.1 1 0 0 0  0" qvel="1 0 0 0 10 0  2 0 0 0 0 0  0"/></keyframe>
</mujoco>
>>
run nssim import m.xml --keyframe=1 -o x.xml && nssim -q x.xml -o a.csv
stderr <<
nssim: warning: m.xml:7: condim 6: torsional friction about the normal is ignored
>>
verify $TOP/tests/cases/measure a.csv 'near(c("ball.v_x")[-1], 1 - 5/7*0.02*9.81, 1e-9)' 'near(c("puck.x")[-1], 2 + 2/(0.3*9.81), 1e-5)' 'abs(c("puck.v_x")[-1]) < 1e-12' 'near(c("weight.z")[-1], 2 - 0.1962*(1 - cos(sqrt(50))), 2e-4)'

# as long as it is drawn, wherever the motion starts, where no length is given; through three points it pushes, too
case mjcf-cable-through-points
file m.xml <<
<mujoco>
  <option timestep="1e-3" gravity="0 0 0"/>
  <worldbody>
    <site name="a" pos="1 0 0"/><site name="b" pos="0 0 0"/>
    <body name="b" pos="0 1 0"><joint name="s" type="slide" axis="0 1 0"/><geom size="0.1" mass="1"/><site name="c" pos="0 0 0"/></body>
  </worldbody>
  <tendon><spatial stiffness="4"><site site="a"/><site site="b"/><site site="c"/></spatial></tendon>
  <keyframe><key qpos="0.5"/></keyframe>
</mujoco>
>>
run nssim import m.xml --keyframe=1 -o x.xml && nssim -q x.xml -o a.csv
verify $TOP/tests/cases/measure a.csv 'all(near(at(s, "b.y"), 1 + 0.5*cos(2*s), 1e-5) for s in (0.5, 1))'

# <motor> says what a formula would
case mjcf-servos
file m.xml <<
<mujoco>
  <option timestep="1e-3"><flag contact="disable"/></option>
  <worldbody>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" ref="20"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
      <body name="fore" pos="0.5 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.05" mass="1"/>
        <body name="tool" pos="0.5 0 0"><joint name="slide" type="slide" axis="1 0 0" damping="0.5"/><geom size="0.05" mass="1"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position joint="hinge" kp="50" kv="2" gear="2" forcerange="-20 20" ctrlrange="-1 1"/>
    <velocity joint="elbow" kv="3" gear="-1.5"/>
    <motor joint="slide" gear="4" ctrlrange="-2 1"/>
  </actuator>
</mujoco>
>>
run nssim import m.xml -o x.xml && grep -o '<motor.*>' x.xml
stdout <<
<motor command="position" kp="50" kv="2" gear="2" limit="20">sat(u_hinge, -1, 1) - 0.6981317007977318</motor>
<motor command="velocity" kv="3" gear="-1.5">u_elbow</motor>
<motor gear="4">sat(u_slide, -2, 1)</motor>
>>
run sed -e 's|<motor command="position".*</motor>|<torque>2*sat(50*(sat(u_hinge,-1,1) - 2*20*pi/180) - 100*angle - 4*v_angle, -20, 20)</torque>|; s|<motor command="velocity".*</motor>|<torque>-1.5*(3*u_elbow + 4.5*v_angle)</torque>|; s|<motor gear="4">\(.*\)</motor>|<force>4*\1</force>|' x.xml >y.xml; nssim -q x.xml -o a.csv && nssim -q y.xml -o b.csv
verify $TOP/tests/cases/measure a.csv 'all(near(c(f"{b}.{q}")[-1], c(f"{b}.{q}", "b.csv")[-1], 1e-11) for b in ("arm", "fore", "tool") for q in ("x", "z", "v_x", "v_z"))' 'abs(c("fore.v_x")[-1]) > 1e-6'

case mjcf-cable-of-no-site
file m.xml <<
<mujoco>
  <worldbody><body><joint/><geom size="1"/></body></worldbody>
  <tendon><spatial stiffness="1"><site site="eye"/></spatial></tendon>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <site>: names the site eye, which does not exist, expected one of the file
>>

case mjcf-cable-of-one-site
file m.xml <<
<mujoco>
  <worldbody><body><joint/><geom size="1"/><site name="eye"/></body></worldbody>
  <tendon><spatial stiffness="1"><site site="eye"/></spatial></tendon>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <spatial>: has 1 site, expected two or more
>>

case mjcf-pair-of-nothing
file m.xml <<
<mujoco>
  <worldbody><geom name="floor" type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom name="g" size="1"/></body></worldbody>
  <contact><pair geom1="floor"/><pair geom1="floor" geom2="g" friction="-1"/></contact>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <pair>: attribute geom2 is missing, expected a geom
>>

# a hill that rises by 1/8 along y, its greatest y written first: a ball without friction slides down by g sin cos
case mjcf-height-field
file m.xml <<
<mujoco>
  <option timestep="1e-3"/>
  <asset><hfield name="hill" nrow="3" ncol="2" elevation="2 2  1 1  0 0" size="1 2 0.5 0.1"/></asset>
  <worldbody>
    <geom type="hfield" hfield="hill" pos="0 0 1" friction="0"/>
    <body name="ball" pos="0.3 0.5 1.4132782218537318"><freejoint/><geom size="0.1" mass="1" friction="0"/></body>
  </worldbody>
</mujoco>
>>
run nssim import m.xml -o x.xml && nssim -q x.xml -p T=0.5 -o a.csv && grep -o 'HeightField.*at=' x.xml
stdout <<
HeightField spacing="2 2" heights="0 0; 0.25 0.25; 0.5 0.5" at=
>>
verify $TOP/tests/cases/measure a.csv 'near(c("ball.y")[-1], 0.5 - 9.81*8/65*0.125, 2e-4)' 'near(c("ball.x")[-1], 0.3, 1e-6)'

case mjcf-height-fields-that-are-wrong
file m.xml <<
<mujoco>
  <asset><hfield name="a" nrow="2" ncol="2" elevation="1 2 3" size="1 1 1 1"/><hfield name="b" nrow="1" ncol="9" size="1 1 1 1"/><hfield file="c.png" size="1 1 1 1"/></asset>
  <worldbody>
    <geom type="hfield" hfield="a"/><body><joint/><geom size="1"/></body>
  </worldbody>
</mujoco>
>>
setup sed 's/hfield="a"/hfield="b"/' m.xml >b.xml; sed 's/hfield="a"/hfield="c"/' m.xml >c.xml; sed 's/hfield="a"/hfield="d"/' m.xml >d.xml
run for k in m b c d; do nssim import $k.xml -o x.xml; done
exit 65
stderr <<
nssim: error: m.xml:2: <hfield name="a">: attribute elevation has 3 numbers, expected 4
nssim: error: b.xml:2: <hfield name="b">: has 1 rows and 9 columns over 1 and 1, expected 2 to 1000 of each, over positive lengths
nssim: warning: c.xml:2: a height field of a file is ignored: write its heights as elevation=
nssim: warning: c.xml:2, 2: <hfield> is ignored
nssim: error: d.xml:4: <geom>: names the hfield d, which does not exist, expected one of <asset>
>>

# two slides on a spring along twice the one less the other: of masses 1 and 2 it swings with w^2 = k (2^2/1 + 1/2), and what it does
# not see moves on; a servo beside it
case mjcf-fixed-tendon
file m.xml <<
<mujoco>
  <option timestep="1e-4" gravity="0 0 0"/>
  <default><tendon stiffness="10"/></default>
  <worldbody>
    <body name="a"><joint name="u" type="slide" axis="1 0 0" ref="0.3"/><geom size="0.01" mass="1"/></body>
    <body name="b" pos="0 1 0"><joint name="w" type="slide" axis="1 0 0"/><geom size="0.01" mass="2"/></body>
  </worldbody>
  <tendon><fixed><joint joint="u" coef="2"/><joint joint="w" coef="-1"/></fixed></tendon>
  <keyframe><key qpos="0.4 0"/></keyframe>
</mujoco>
>>
setup sed 's|<tendon><fixed>|<actuator><velocity joint="w" kv="0.5"/></actuator>&|' m.xml >n.xml
run nssim import m.xml --keyframe=1 -o x.xml && nssim -q x.xml -o a.csv && nssim import n.xml --keyframe=1 -o y.xml && nssim -q y.xml -o b.csv
# L = 0.2 cos(w t): the masses take its parts by what the tendon does to each
verify $TOP/tests/cases/measure a.csv 'all(near(at(s, "a.x"), 0.1 - 0.4/4.5*(1 - cos(sqrt(45)*s)), 1e-5) for s in (0.25, 0.5, 1))' 'all(near(at(s, "b.x"), 0.1/4.5*(1 - cos(sqrt(45)*s)), 1e-5) for s in (0.25, 0.5, 1))'
verify $TOP/tests/cases/measure b.csv '0.001 < abs(c("b.x")[-1] - c("b.x", "a.csv")[-1]) < 0.02'

# along L = 2 u - w of masses 1 and 2: a limit takes the velocity of L away at once, friction in L'/(0.9 4.5) s; what is across stays
case mjcf-tendon-limit-and-friction
file m.xml <<
<mujoco>
  <option timestep="1e-3" gravity="0 0 0"/>
  <worldbody>
    <body name="a"><joint name="u" type="slide" axis="1 0 0" ref="0.3"/><geom size="0.01" mass="1"/></body>
    <body name="b" pos="0 1 0"><joint name="w" type="slide" axis="1 0 0"/><geom size="0.01" mass="2"/></body>
  </worldbody>
  <tendon><fixed name="t" range="0.5 0.7"><joint joint="u" coef="2"/><joint joint="w" coef="-1"/></fixed></tendon>
  <keyframe><key qpos="0.3 0" qvel="1 0"/></keyframe>
</mujoco>
>>
setup sed 's|range="0.5 0.7"|frictionloss="0.9"|' m.xml >n.xml
run nssim import m.xml --keyframe=1 -o x.xml && nssim -q x.xml -o a.csv && nssim import n.xml --keyframe=1 -o y.xml && nssim -q y.xml -o b.csv && grep -o '<Tendon.*>' x.xml y.xml
stdout <<
x.xml:<TendonStopR tendon="t" lower="-0.09999999999999998" upper="0.09999999999999998"/>
y.xml:<TendonFrictionR tendon="t"/>
>>
verify $TOP/tests/cases/measure a.csv 'all(near(c(q, f)[-1], v, 1e-9) for f in ("a.csv", "b.csv") for q, v in (("a.v_x", 1/9), ("b.v_x", 2/9)))' 'near(c("t.length")[-1], 0.1, 2.1e-3)' 'near(at(0.25, "t.rate", "b.csv"), 2 - 4.05*0.25, 1e-9)'

# Activations: the force of a filter of 0.5 s that begins at 2 falls as exp(-2 t), that of an integrator stays 3, a servo told by an
# integrator (kp 4, mass 1) swings about 1, and a position behind a filter of 0.25 s
case mjcf-activations
file m.xml <<
<mujoco>
  <option timestep="1e-3" gravity="0 0 0"/>
  <worldbody>
    <body name="a" pos="0 0 0"><joint name="ja" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
    <body name="b" pos="0 1 0"><joint name="jb" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
    <body name="c" pos="0 2 0"><joint name="jc" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
    <body name="d" pos="0 3 0"><joint name="jd" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <actuator>
    <general name="f" joint="ja" dyntype="filterexact" dynprm="0.5"/>
    <general name="i" joint="jb" dyntype="integrator" actlimited="true" actrange="-5 5"/>
    <intvelocity name="s" joint="jc" kp="4"/>
    <position name="p" joint="jd" kp="4" timeconst="0.25"/>
    <general name="m" joint="jd" dyntype="muscle"/>
  </actuator>
  <keyframe><key qpos="0 0 0 0.5" act="2 3 1 1"/></keyframe>
</mujoco>
>>
run nssim import m.xml --keyframe=1 -o o.xml && nssim -q o.xml -o a.csv; grep '<motor\|<b>' o.xml
stdout <<
      <b>a.u_f/0.5</b>
      <b>b.u_i</b>
      <b>c.u_s</b>
      <b>d.u_p/0.25</b>
        <motor>act_f.a</motor>
        <motor>sat(act_i.a, -5, 5)</motor>
        <motor command="position" kp="4">act_s.a</motor>
        <motor command="position" kp="4">act_p.a - 0.5</motor>
>>
stderr <<
nssim: warning: m.xml:14: an actuator with another law than gain u + affine bias, or with another activation than integrator and filter, is ignored
nssim: warning: m.xml:11: actrange limits the activation that the actuator uses, not the activation itself, which must first return to the range
>>
verify $TOP/tests/cases/measure a.csv 'all(near(at(s, "a.v_x"), 1 - exp(-2*s), 1e-6) for s in (0.25, 1))' 'near(at(1, "b.v_x"), 3, 1e-9)' 'all(near(at(s, "c.x"), 1 - cos(2*s), 1e-5) for s in (0.25, 1))' 'near(at(1, "act_p.a"), exp(-4), 1e-5)' 'near(at(1, "d.x"), 0.5*cos(2) + 0.2*(exp(-4) - cos(2) + 2*sin(2)), 1e-5)'

# L = |a| + |b|/2 of masses 1 and 2 under a pulley swings with w^2 = k (1 + 1/8); a spring that is slack between two lengths is met
# at either; a motor pushes along L by gear and control, a servo holds it
case mjcf-pulley-deadband-and-motor
file m.xml <<
<mujoco>
  <option timestep="1e-4" gravity="0 0 0"/>
  <worldbody>
    <site name="o" pos="0 0 2"/><site name="p" pos="1 0 2"/>
    <body name="a" pos="0 0 1"><joint type="slide" axis="0 0 1"/><geom size="0.01" mass="1"/><site name="a"/></body>
    <body name="b" pos="1 0 1"><joint type="slide" axis="0 0 1"/><geom size="0.01" mass="2"/><site name="b"/></body>
  </worldbody>
  <tendon><spatial name="t" width="0.01" stiffness="10"><site site="o"/><site site="a"/><pulley divisor="2"/><site site="p"/><site site="b"/></spatial></tendon>
  <keyframe><key qpos="-0.2 0"/></keyframe>
</mujoco>
>>
setup sed 's|stiffness="10"|stiffness="10" springlength="1.5 1.6"|' m.xml >n.xml
setup sed 's|</tendon>|&<actuator><motor name="m" tendon="t" gear="-2" ctrlrange="-1 3"/><position tendon="t" kp="5"/></actuator>|' m.xml >k.xml
run for i in m n k; do nssim import $i.xml --keyframe=1 -o $i.out.xml && nssim -q $i.out.xml -o $i.csv; done; grep -oh 'strands=.*\|<along>.*' m.out.xml n.out.xml k.out.xml
stdout <<
strands="1 0 0.5" pushes="true" stiffness="10" restLength="1.5"/>
strands="1 0 0.5" pushes="true">
<along>-10*max(length - (1.6000000000000001), 0) - 10*min(length - (1.5), 0)</along>
strands="1 0 0.5" pushes="true">
<along>-2*(1*sat(u_m, -1, 3)) + 1*(5*u_t - 5*length) + 15 - 10*length</along>
>>
stderr <<
>>
verify $TOP/tests/cases/measure m.csv 'all(near(at(s, "a.z"), 0.8 + 0.2/1.125*(1 - cos(sqrt(11.25)*s)), 1e-6) for s in (0.25, 0.5, 1))' 'all(near(at(s, "b.z"), 1 + 0.05/1.125*(1 - cos(sqrt(11.25)*s)), 1e-6) for s in (0.25, 0.5, 1))' 'near(at(0.2, "a.z", "n.csv"), 0.8 + 0.1/1.125*(1 - cos(sqrt(11.25)*0.2)), 1e-5)' 'near(at(0.3, "a.z", "k.csv"), 0.8 + 0.7/1.125*(1 - cos(sqrt(16.875)*0.3)), 1e-6)'

# The one actuator of a tendon is its <motor>: beside a spring and a damper, and beside a spring that is slack between two lengths
case mjcf-motor-of-a-tendon
file m.xml <<
<mujoco>
  <option timestep="1e-4" gravity="0 0 0"/>
  <worldbody>
    <body name="a"><joint name="j" type="slide" axis="0 0 1"/><geom size="0.01" mass="1"/></body>
  </worldbody>
  <tendon><fixed name="t" stiffness="2" springlength="0.5"><joint joint="j" coef="2"/></fixed></tendon>
  <actuator><position tendon="t" kp="5" kv="1" gear="-1"/></actuator>
  <keyframe><key qpos="0.3"/></keyframe>
</mujoco>
>>
setup sed 's|springlength="0.5"|springlength="0.2 0.5"|' m.xml >n.xml
run for i in m n; do nssim import $i.xml --keyframe=1 -o $i.out.xml && nssim -q $i.out.xml -o $i.csv; done; grep -h '<tendon\|<along>\|<motor' m.out.xml n.out.xml
stdout <<
    <tendon id="t" joints="j" coefficients="2" pushes="true" stiffness="2" restLength="-0.09999999999999998">
        <motor command="position" kp="5" kv="1" gear="-1">u_t + 0.6</motor>
    <tendon id="t" joints="j" coefficients="2" pushes="true">
        <motor command="position" kp="5" kv="1" gear="-1">u_t + 0.6</motor>
        <along>-2*max(length - (-0.099999999999999978), 0) - 2*min(length - (-0.39999999999999997), 0)</along>
>>
stderr <<
>>
verify $TOP/tests/cases/measure m.csv 'all(near(at(s, "a.z", f), 1/14 + (0.3 - 1/14)*exp(-2*s)*(cos(sqrt(24)*s) + 2/sqrt(24)*sin(sqrt(24)*s)), 1e-6) for s, f in ((0.1, "m.csv"), (1, "m.csv"), (0.1, "n.csv")))'

# Equalities of tendons: one keeps its length, one follows another; and a joint that is held. Slides u, w, z of masses 1, 2, 3 with
# 2 u - w = 0.6 and z = 0.5 + 0.5 (u - w - 0.3): u moves with 12 (1 + 2 2 - 3/2)/(1 + 4 2 + 3/4)
case mjcf-equality-of-tendons
file m.xml <<
<mujoco>
  <option timestep="1e-3" gravity="12 0 0"/>
  <default><default class="stiff"><equality solref="0.005 1"/></default></default>
  <worldbody>
    <body name="a"><joint name="u" type="slide" axis="1 0 0" ref="0.3"/><geom size="0.01" mass="1"/></body>
    <body name="b" pos="0 1 0"><joint name="w" type="slide" axis="1 0 0"/><geom size="0.01" mass="2"/></body>
    <body name="c" pos="0 2 0"><joint name="z" type="slide" axis="1 0 0" ref="0.5"/><geom size="0.01" mass="3"/></body>
    <body name="d" pos="0 3 0"><joint name="v" type="slide" axis="1 0 0"/><geom size="0.01" mass="3"/></body>
  </worldbody>
  <tendon>
    <fixed name="one"><joint joint="u" coef="2"/><joint joint="w" coef="-1"/></fixed>
    <fixed name="two"><joint joint="z" coef="1"/></fixed>
    <fixed name="three"><joint joint="u" coef="1"/><joint joint="w" coef="-1"/></fixed>
    <fixed name="four"><joint joint="v" coef="1"/></fixed>
  </tendon>
  <equality>
    <tendon class="stiff" tendon1="one"/>
    <tendon tendon1="two" tendon2="three" polycoef="0 0.5 0 0 0"/>
    <tendon tendon1="four" tendon2="one" polycoef="0 1 2 0 0"/>
    <tendon tendon1="five"/>
    <joint joint1="v"/>
  </equality>
</mujoco>
>>
run nssim import m.xml -o x.xml && nssim -q x.xml -o a.csv
stderr <<
nssim: warning: m.xml:19: a tendon that follows another one along a curve is ignored: only straight lines are supported
nssim: warning: m.xml:20: an equality of a tendon that is ignored or does not exist is ignored
nssim: warning: m.xml:3: <equality> is ignored
nssim: warning: m.xml:14: a tendon without spring, damper, limits, friction and actuator is ignored
>>
verify $TOP/tests/cases/measure a.csv 'near(c("a.x")[-1], 12*3.5/9.75/2, 1e-5)' 'near(2*c("a.x")[-1], c("b.x")[-1], 1e-8)' 'near(c("c.x")[-1], -0.5*c("a.x")[-1], 1e-8)' 'abs(c("d.x")[-1]) < 1e-12'

case mjcf-fixed-tendon-of-no-joint
file m.xml <<
<mujoco>
  <worldbody><body><joint name="h"/><geom size="1"/></body></worldbody>
  <tendon><fixed stiffness="1"><joint joint="hip" coef="1"/></fixed></tendon>
</mujoco>
>>
run nssim import m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <joint>: names the joint hip, which does not exist, expected one of the file
>>

# a ball of inertia J on a ball joint slows down by a damper, exp(-c t/J), and by friction of each component
case mjcf-ball-joint-damping-and-friction
file m.xml <<
<mujoco>
  <option timestep="1e-3" gravity="0 0 0"/>
  <worldbody><body name="b"><joint name="k" type="ball" damping="0.5"/><inertial pos="0 0 0" mass="1" diaginertia="0.4 0.4 0.4"/></body></worldbody>
  <keyframe><key qpos="1 0 0 0" qvel="1 -2 0.5"/></keyframe>
</mujoco>
>>
setup sed 's|damping="0.5"|frictionloss="0.2"|' m.xml >n.xml
setup sed 's|damping="0.5"|stiffness="2" armature="0.1"|; s|qpos="1 0 0 0"|qpos="0 1 0 0"|' m.xml >k.xml
run for i in m n k; do nssim import $i.xml --keyframe=1 -o $i.out.xml && nssim -q $i.out.xml -o $i.csv; done
stderr <<
nssim: warning: k.xml:3: armature of a ball joint is ignored
nssim: warning: k.xml:3: stiffness of a ball joint is ignored: the joint does not start in the pose of the file
>>
verify $TOP/tests/cases/measure m.csv 'all(near(c("b.Omega_" + q)[-1], w*exp(-0.5/0.4), 1e-6) for q, w in zip("xyz", (1, -2, 0.5)))' 'all(near(c("b.Omega_" + q, "n.csv")[-1], w, 1e-9) for q, w in zip("xyz", (0.5, -1.5, 0)))'

# a rope of 45 links that may touch each other: those that joints join never meet, so that all have one group
case mjcf-rope-of-many-links
run { echo '<mujoco><worldbody>'; for k in $(seq 45); do echo '<body pos="0.1 0 0"><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.01"/>'; done; for k in $(seq 45); do echo '</body>'; done; echo '</worldbody></mujoco>'; } > rope.xml; nssim import rope.xml 2>/dev/null | grep -o 'layers="[^"]*" with="[^"]*"' | sort | uniq -c; nssim import rope.xml -o m.xml 2>/dev/null; nssim m.xml -q -o - -p T=0.01 | tail -1 | cut -c1-4
exit 0
stdout <<
     45 layers="group1" with="group1"
0.01
>>

# two slides of a puck of 13 ng, as Gymnasium's pusher has it: the inertia of the body between is not written as 0
case mjcf-body-of-no-weight
file m.xml <<
<mujoco><option gravity="0 0 0" timestep="0.01"/><worldbody><body name="puck">
  <geom type="sphere" size="0.05" density="1e-5"/>
  <joint name="y" type="slide" axis="0 1 0" damping="1e-9"/><joint name="x" type="slide" axis="1 0 0" damping="2e-9"/>
</body></worldbody><keyframe><key name="k" qvel="0.3 0.4"/></keyframe></mujoco>
>>
run nssim import m.xml --keyframe=k -o puck.xml 2>/dev/null && nssim puck.xml -q -o r.csv -p T=1 -p h=1e-3 && python3 -c 'import csv; from math import exp, pi; a = list(csv.DictReader(open("r.csv")))[-1]; m = 4/3*pi*.05**3*1e-5; q = lambda v, c: v*m/c*(1 - exp(-c/m)); print(abs(float(a["puck.x"]) - q(.4, 2e-9)) < 1e-4, abs(float(a["puck.y"]) - q(.3, 1e-9)) < 1e-4)'
exit 0
stdout <<
True True
>>

# a mass below 0 is no mass that the file does not give, and a shape that is not there is told
case robots-of-no-mass-and-no-shape
file m.xml <<
<mujoco><worldbody><body><geom size="1" mass="-1"/><joint/></body></worldbody></mujoco>
>>
file r.urdf <<
<robot name="r">
<link name="a"/>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry/></collision></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
</robot>
>>
run nssim import r.urdf -o r.xml && nssim check r.xml >/dev/null && nssim import m.xml
exit 65
stderr <<
nssim: warning: r.urdf:3: a <collision> without a shape in its <geometry> is ignored
nssim: warning: r.urdf:2: the root is fixed to the world; --floating-base lets it move
nssim: warning: r.urdf:1: gravity, step and end of the simulation are not in the file: -9.81 m/s^2 along z, 0.001 s, 1 s
nssim: error: m.xml:1: <geom>: attribute mass is -1, expected 0 or more
>>
