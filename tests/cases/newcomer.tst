# SPDX-License-Identifier: GPL-3.0-or-later
# Mistakes of the first hours, typed into the models of the tutorials: each message says what to write.

case newcomer-units
file try.sh <<
sed -n '/^```xml ball.xml/,/^```$/p' $TOP/doc/tutorials/first-model.md | sed '1d;$d' >ball.xml
m() { sed "s|$1|$2|" ball.xml >m.xml; nssim check m.xml; }
m 'unit="kg"' 'unit="lbs"'
m 'unit="kg"' 'unit="Kg"'
m 'unit="kg"' 'unit="[kg]"'
m 'unit="kg"' 'unit="-"'
m 'unit="kg"' 'unit="Nm"'
m 'unit="kg"' 'unit="kgm^2"'
m 'unit="kg"' 'unit="Ns/m"'
m 'unit="kg"' 'unit="khz"'
m 'unit="kg"' 'unit="gr"'
m 'unit="m/s^2"' 'unit="ms^-2"'
m '"9.81" unit' '"9.81 m/s^2" unit'
nssim ball.xml -p m=250gr
nssim ball.xml -p g=9.81ms^-2
m 'T="5"' 'T="5*sqrt(h0)"'
>>
run sh try.sh
exit any
stderr <<
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "lbs" is not a unit, did you mean "lb"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "Kg" is not a unit, did you mean "kg"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "[kg]" is not a unit, did you mean "kg"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "-" is not a unit, did you mean "1"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "Nm" is not a unit, did you mean "N*m"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "kgm^2" is not a unit, did you mean "kg*m^2"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "Ns/m" is not a unit, did you mean "N*s/m"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: "khz" is not a unit, did you mean "kHz"?
nssim: error: m.xml:5: <parameter name="m">: attribute unit: unit "gr" is the grain, 64.8 mg; write g, or grain
nssim: error: m.xml:6: <parameter name="g">: attribute unit: unit "ms^-2" means milliseconds; write m/s, m/s^2, ..., or 1/ms, 1/ms^2
nssim: error: m.xml:6: <parameter name="g">: attribute value: in "9.81 m/s^2", column 6: found "m", expected an operator (* for a product) or the end; write value="9.81" unit="m/s^2"
nssim: error: parameter m=250gr: unit "gr" is the grain, 64.8 mg; write g, or grain
nssim: error: parameter g=9.81ms^-2: the unit is ms^-2, expected one that can be converted to m/s^2
nssim: error: m.xml:22: <simulation>: attribute T: in "5*sqrt(h0)", column 8: unknown name "h0"; declare it as a <parameter>
>>

case newcomer-signs-and-names
file try.sh <<
sed -n '/^```xml ball.xml/,/^```$/p' $TOP/doc/tutorials/first-model.md | sed '1d;$d' >ball.xml
m() { sed "s|$1|$2|" ball.xml >m.xml; nssim check m.xml; }
m '-m\*g' '-m*g*cos(α)'
m '-m\*g' '-m*g*Ω'
m '-m\*g' '-m*√(g)'
m 'name="e"' 'name="ε"'
m '<q0>1</q0>' '<q0>x = 1</q0>'
m 'coordinates="x"' 'coordinates="x,y"'
m 'systems="ball"' 'systems="ball, table"'
m '<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>' '<LagrangianScleronomousR><h>x \&gt;= 0</h></LagrangianScleronomousR>'
>>
run sh try.sh
exit any
stderr <<
nssim: error: m.xml:13: <fExt> of <LagrangianLinearTIDS id="ball">: in "-m*g*cos(α)", column 10: found "α", write alpha: names have letters, digits and _
nssim: error: m.xml:13: <fExt> of <LagrangianLinearTIDS id="ball">: in "-m*g*Ω", column 6: found "Ω", write Omega: names have letters, digits and _
nssim: error: m.xml:13: <fExt> of <LagrangianLinearTIDS id="ball">: in "-m*√(g)", column 4: found "√", write sqrt(...)
nssim: error: m.xml:7: <parameter name="ε">: the name "ε" has other letters than a to z, expected a to z, digits and _; write alpha, mu, ...
nssim: error: m.xml:19: <NewtonImpactNSL>: attribute e: in "e", column 1: unknown name "e"; declare it as a <parameter>
nssim: error: m.xml:11: <q0> of <LagrangianLinearTIDS id="ball">: in "x = 1", column 3: found "=", write == to compare, or the value alone
nssim: error: m.xml:10: <LagrangianLinearTIDS id="ball">: the coordinate "x,y" is not a name; names are separated by white space
nssim: error: m.xml:17: <interaction id="table">: "ball," is not an id, expected a letter followed by letters, digits, _ or -; ids are separated by white space
nssim: error: m.xml:17: <interaction id="table">: h does not depend on the coordinates (H is 0): the interaction has no effect; write the gap as a function of them, without a comparison: the law compares it
>>

case newcomer-tags
file try.sh <<
sed -n '/^```xml ball.xml/,/^```$/p' $TOP/doc/tutorials/first-model.md | sed '1d;$d' >ball.xml
m() { sed "s|$1|$2|" ball.xml >m.xml; nssim check m.xml; }
m '</LagrangianLinearTIDS>' ''
m '<q0>1</q0>' '<q0>1'
m '<q0>1</q0>' '<q0>1</Q0>'
m 'diag="m"/>' 'diag="m">'
m '<q0>1</q0>' '<!-- start -- here --><q0>1</q0>'
m '<q0>1</q0>' '<q0>1</q0> # height'
m '<q0>1</q0>' '<q0>1</q0> // height'
m '<?xml' ' <?xml'
m 'My first model' "$(printf 'H\\xf6he')"
m '<MoreauJeanOSI/>' '<output every="5"/>'
m '<parameters>' '<gravity>0 0 -9.81</gravity><parameters>'
>>
run sh try.sh
exit any
stderr <<
nssim: error: m.xml:15: </systems> ends the element <LagrangianLinearTIDS> of line 10, expected </LagrangianLinearTIDS>; close <LagrangianLinearTIDS>, or correct the name
nssim: error: m.xml:14: </LagrangianLinearTIDS> ends the element <q0> of line 11, expected </q0>; close <q0>, or correct the name
nssim: error: m.xml:11: </Q0> ends the element <q0> of line 11, expected </q0>; close <q0>, or correct the name
nssim: error: m.xml:14: </LagrangianLinearTIDS> ends the element <mass> of line 12, expected </mass>; close <mass>, or correct the name
nssim: error: m.xml:11: not well-formed XML: double hyphen within comment: <!-- start; between <!-- and --> write - for --
nssim: error: m.xml:10: <LagrangianLinearTIDS id="ball">: the text "# height" is not allowed here, expected only elements; write comments as <!-- ... -->
nssim: error: m.xml:10: <LagrangianLinearTIDS id="ball">: the text "// height" is not allowed here, expected only elements; write comments as <!-- ... -->
nssim: error: m.xml:1: not well-formed XML: XML declaration allowed only at the start of the document; remove what is before <?xml, even blanks and empty lines
nssim: error: m.xml:3: not well-formed XML: input is not proper UTF-8, indicate encoding ! Bytes: 0xF6 0x68 0x65 0x3C; save it in UTF-8, or begin it with <?xml version="1.0" encoding="ISO-8859-1"?>
nssim: error: m.xml:24: <output> is not allowed in <TimeStepping>, expected an integrator (<MoreauJeanOSI>, <MoreauJeanGOSI>, <MoreauJeanDirectProjectionOSI>, <MoreauJeanCombinedProjectionOSI>, <SchatzmanPaoliOSI>, <D1MinusLinearOSI>, <EulerMoreauOSI>, <ZeroOrderHoldOSI>), a one-step problem (<LCP>, <MLCP>, <Relay>, <AVI>, <FrictionContact>, <RollingFrictionContact>, <GenericMechanical>); it belongs in <model>
nssim: error: m.xml:4: <gravity> is not allowed in <model>, expected <title>, <description>, <parameters>, <defaults>, <systems>, <netlist>, <interactions>, <contacts>, <controls>, <simulation>, <output>, <events>, <measures>; nssim calls it fExt: `nssim explain fExt`
>>

case newcomer-attributes-of-other-programs
file try.sh <<
sed -n '/^```xml pile.xml/,/^```$/p' $TOP/doc/tutorials/rigid-scenes.md | sed '1d;$d' >pile.xml
m() { sed "s|$1|$2|" pile.xml >m.xml; nssim check m.xml; }
m '<Box size="0.2 0.2 0.2"' '<Box halfExtents="0.1 0.1 0.1"'
m '<Box size="0.2 0.2 0.2"' '<Box width="0.2"'
m '<Sphere radius="0.1"' '<Sphere diameter="0.2"'
m '<Sphere radius="0.1"' '<Sphere pos="0 0 1" radius="0.1"'
m 'normal="0 0 1"' 'normal="0 0 1" offset="0.1"'
m 'mu="0.5"' 'mu_s="0.5"'
m 'en="0.2"' 'cor="0.2"'
m 'h="0.002"' 'timestep="0.002"'
m 'T="2"' 'stopTime="2"'
m 'id="floor"' 'name="floor"'
m '<fExt>0 0 -rho\*4/3\*pi\*0.1^3\*g</fExt>' '<torque>0 0 1</torque>'
m '<Sphere radius="0.1" density="rho"/>' '<Sphere radius="0.1"/><mass>4</mass><inertia>1 1 1</inertia>'
m '<Sphere radius="0.1" density="rho"/>' '<Sphere radius="0.1"/><mass>4 kg</mass>'
m 'from="1" to="n"' 'count="n"'
m 'id="ball{i}"' 'id="ball[i]"'
m 'id="ball{i}"' 'id="ball$i"'
>>
run sh try.sh
exit any
stderr <<
nssim: error: m.xml:19: <Box>: unknown attribute halfExtents, did you mean size, the whole lengths of the edges?
nssim: error: m.xml:19: <Box>: unknown attribute width, did you mean size, lengths of the edges along x, y and z?
nssim: error: m.xml:13: <Sphere>: unknown attribute diameter, did you mean radius, half the diameter?
nssim: error: m.xml:13: <Sphere>: unknown attribute pos, did you mean at?
nssim: error: m.xml:25: <Plane id="floor">: unknown attribute offset, did you mean at, a point of it?
nssim: error: m.xml:24: <NewtonImpactFrictionNSL>: unknown attribute mu_s, did you mean mu, one coefficient for stick and slip?
nssim: error: m.xml:24: <NewtonImpactFrictionNSL>: unknown attribute cor, did you mean en?
nssim: error: m.xml:28: <TimeStepping>: unknown attribute timestep, did you mean h?
nssim: error: m.xml:27: <simulation>: unknown attribute stopTime, did you mean T?
nssim: error: m.xml:25: <Plane>: unknown attribute name, did you mean id?
nssim: error: m.xml:12: unknown element <torque> in <NewtonEulerDS>, did you mean <mExt>?
nssim: error: m.xml:13: <inertia> of <NewtonEulerDS id="ball{i}">: is 1 x 3, expected 3 x 3: a body in space; for a diagonal matrix write <inertia diag="..."/>
nssim: error: m.xml:13: <mass> of <NewtonEulerDS id="ball{i}">: in "kg", column 1: unknown name "kg"; that is a unit: numbers are in SI units, without their names
nssim: error: m.xml:9: <repeat>: attribute count is given without a packing, expected from="1" to="n", or packing="grid" or packing="random"
nssim: error: m.xml:10: <NewtonEulerDS id="ball[i]">: "ball[i]" is not an id, expected a letter followed by letters, digits, _ or -; an index of <repeat> is written in braces: ball{i}
nssim: error: m.xml:10: <NewtonEulerDS id="ball$i">: "ball$i" is not an id, expected a letter followed by letters, digits, _ or -; an index of <repeat> is written in braces: ball{i}
>>

case newcomer-netlist
file try.sh <<
sed -n '/^```xml rectifier.xml/,/^```$/p' $TOP/doc/tutorials/circuits.md | sed '1d;$d' >rectifier.xml
m() { sed "s|$1|$2|" rectifier.xml >m.xml; nssim check m.xml; }
m 'R1 out 0 1k' 'R1 out 0 1 k'
m 'R1 out 0 1k' 'R1 out 0 100Ω'
m 'R1 out 0 1k' 'R1 out 0 100Ω'
m '100u ic' '100µF ic'
m '100u ic' '100μ ic'
>>
run sh try.sh
exit any
stderr <<
nssim: error: m.xml:10: <netlist id="circuit">: in "1 k", column 3: found "k", expected an operator (* for a product) or the end; a suffix follows its number without a blank: 1k, 10u
nssim: error: m.xml:10: <netlist id="circuit">: in "100Ω", column 4: found "Ω", write the number without it
nssim: error: m.xml:10: <netlist id="circuit">: in "100Ω", column 4: found "Ω", write the number without it
nssim: error: m.xml:9: <netlist id="circuit">: in "100µF", column 4: found "µ", write u for 1e-6
nssim: error: m.xml:9: <netlist id="circuit">: in "100μ", column 4: found "μ", write u for 1e-6
>>

case newcomer-commands
file try.sh <<
sed -n '/^```xml ball.xml/,/^```$/p' $TOP/doc/tutorials/first-model.md | sed '1d;$d' >ball.xml
mkdir 'my models'
cp ball.xml 'my models/my ball.xml'
nssim my models/my ball.xml
nssim simulate ball.xml
nssim validate ball.xml
nssim version
nssim run -help
nssim sweep ball.xml -p e=0.1:0.9 -o s
nssim solve ball.xml
nssim -q ball.xml -o ball.h5
nssim plot ball.h5 t:ball.x
nssim check 'my models/my ball.xml' >/dev/null
nssim -q 'my models/my ball.xml' -o 'my models/out 1.h5'
nssim plot 'my models/out 1.h5' ball.x -o 'my models/height 1.svg'
>>
run sh try.sh
exit 0
exists my models/height 1.svg
stderr <<
nssim: error: 'my' is neither a command nor a file; quote the name of the file: "my models/my ball.xml"
Try 'nssim --help'.
nssim: error: unknown command 'simulate'; did you mean 'run'?
Try 'nssim --help'.
nssim: error: unknown command 'validate'; did you mean 'check'?
Try 'nssim --help'.
nssim: error: unknown command 'version'; did you mean '--version'?
Try 'nssim --help'.
nssim: error: unknown option '-help'; did you mean '--help'?
Try 'nssim run --help'.
nssim: error: unknown option '-p'; the study states the values to vary: <range name="e" from="0" to="1" count="11"/>
Try 'nssim sweep --help'.
nssim: error: ball.xml: is a model, expected a one-step problem; a model is run with nssim ball.xml, and --dump-problems DIR writes its problems
nssim: error: ball.h5: no quantity "t"; did you mean "time"?
>>


# models that are not there: a name mistyped, the path of an example in the source tree, a model where an output belongs
case newcomer-files-that-are-not-there
file try.sh <<
sed -n '/^```xml ball.xml/,/^```$/p' $TOP/doc/tutorials/first-model.md | sed '1d;$d' >ball.xml
nssim bal.xml
nssim check ./Ball.xml
nssim check moon.xml
nssim models/bouncing-ball/bouncing-ball.xml
nssim bouncing-ball.xml
nssim plot ball.xml
sed 's|unit="m/s^2"|unit="m/s"|' ball.xml >m.xml
nssim check m.xml >/dev/null
>>
run sh try.sh
exit any
stderr <<
nssim: error: cannot open bal.xml: No such file or directory; did you mean ball.xml?
nssim: error: cannot open ./Ball.xml: No such file or directory; did you mean ./ball.xml?
nssim: error: cannot open moon.xml: No such file or directory
nssim: error: cannot open models/bouncing-ball/bouncing-ball.xml: No such file or directory
nssim: note: `nssim example bouncing-ball` copies the example of this name to a new folder
nssim: error: cannot open bouncing-ball.xml: No such file or directory
nssim: note: `nssim example bouncing-ball` copies the example of this name to a new folder
nssim: error: ball.xml is an XML file, expected an output (HDF5 or CSV); a model is run with nssim ball.xml -o out.h5
Try 'nssim plot --help'.
nssim: warning: m.xml:13: <fExt> of <LagrangianLinearTIDS id="ball">: units: in "-m*g", it is kg m/s, expected N
>>

# names of other systems mistyped, numbers with the suffixes of netlists
case newcomer-names-of-other-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="drive">V1 a 0 {U}
L1 a b 1m
E1 b 0 {motor.v_phi}</netlist>
  <parameters><parameter name="U" value="12" unit="V"/></parameters>
  <systems>
    <LagrangianDS id="motor" coordinates="phi"><q0>0</q0><mass>1</mass><fInt>-drive.i_L1*arm.x</fInt></LagrangianDS>
    <RigidBody2dDS id="arm"><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia><fInt>motor.phi 0</fInt></RigidBody2dDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
file try.sh <<
nssim check m.xml >/dev/null && echo good
m() { sed "s|$1|$2|" m.xml >n.xml; nssim check n.xml; }
m 'motor.v_phi' 'motr.v_phi'
m 'motor.v_phi' 'motor.vphi'
m 'drive.i_L1' 'driv.i_L1'
m 'drive.i_L1' 'circuit.i_L1'
m 'arm.x' 'amr.x'
m 'arm.x' 'arm.vx'
m '>motor.phi' '>motor.pih'
m 'T="1"' 'T="2m"'
m 'h="0.001"' 'h="100u"'
m 'h="0.001"' 'h="1ms"'
m '<mass>1' '<mass>2k'
m 'value="12" unit="V"' 'value="500m" unit="V"'
m 'value="12" unit="V"' 'value="500m" unit="m"'
m 'value="12" unit="V"' 'value="500m"'
m 'b 1m' 'b 1 mH'
>>
run sh try.sh
exit any
stdout <<
good
>>
stderr <<
nssim: error: n.xml:4: <netlist id="drive">: in "(motr.v_phi)", column 2: unknown name "motr.v_phi"; nothing has the id motr, did you mean motor?
nssim: error: n.xml:4: <netlist id="drive">: in "(motor.vphi)", column 2: unknown name "motor.vphi"; system motor has no variable of this name; its variables are phi, v_phi
nssim: error: n.xml:7: <fInt> of <LagrangianDS id="motor">: in "-driv.i_L1*arm.x", column 2: unknown name "driv.i_L1"; nothing has the id driv, did you mean drive?
nssim: error: n.xml:7: <fInt> of <LagrangianDS id="motor">: in "-circuit.i_L1*arm.x", column 2: unknown name "circuit.i_L1"; no system, interaction, netlist or element of a netlist is named circuit
nssim: error: n.xml:7: <fInt> of <LagrangianDS id="motor">: in "-drive.i_L1*amr.x", column 13: unknown name "amr.x"; nothing has the id amr, did you mean arm?
nssim: error: n.xml:7: <fInt> of <LagrangianDS id="motor">: in "-drive.i_L1*arm.vx", column 13: unknown name "arm.vx"; system arm has no variable of this name; its variables are x, v_x, y, v_y, angle, v_angle
nssim: error: n.xml:8: <fInt> of <RigidBody2dDS id="arm">: in "motor.pih", column 1: unknown name "motor.pih"; system motor has no variable of this name; its variables are phi, v_phi
nssim: error: n.xml:10: <simulation>: attribute T: in "2m", column 2: found "m", expected an operator (* for a product) or the end; numbers have suffixes only in netlists: write 0.002
nssim: error: n.xml:10: <TimeStepping>: attribute h: in "100u", column 4: found "u", expected an operator (* for a product) or the end; numbers have suffixes only in netlists: write 0.0001
nssim: error: n.xml:10: <TimeStepping>: attribute h: in "1ms", column 2: found "ms", expected an operator (* for a product) or the end; numbers are in SI units, without their names: write 0.001
nssim: error: n.xml:7: <mass> of <LagrangianDS id="motor">: in "2k", column 2: found "k", expected an operator (* for a product) or the end; numbers have suffixes only in netlists: write 2000
nssim: error: n.xml:8: <mass> of <RigidBody2dDS id="arm">: in "2k", column 2: found "k", expected an operator (* for a product) or the end; numbers have suffixes only in netlists: write 2000
nssim: error: n.xml:5: <parameter name="U">: attribute value: in "500m", column 4: found "m", expected an operator (* for a product) or the end; numbers have suffixes only in netlists: write 0.5
nssim: error: n.xml:5: <parameter name="U">: attribute value: in "500m", column 4: found "m", expected an operator (* for a product) or the end; write value="500" unit="m"
nssim: error: n.xml:5: <parameter name="U">: attribute value: in "500m", column 4: found "m", expected an operator (* for a product) or the end; write value="500" unit="m"
nssim: error: n.xml:3: <netlist id="drive">: in "1 mH", column 3: found "mH", expected an operator (* for a product) or the end; a suffix follows its number without a blank: 1k, 10u
>>

# what a summary says of joints alone, and nssim check of diodes: no word of contacts or friction; names of a list stand apart
case newcomer-words-of-the-model
run nssim $MODELS/pendulum-joint/pendulum-joint.xml --t-end 1 | grep -o 'constraints added .*\|contacts.*added .*\|[a-z]* gave' | sed 's/[0-9][-.0-9e]*/NUMBER/'; nssim check $MODELS/diode-bridge-netlist/diode-bridge-netlist.xml | grep '^  tolerance'; nssim explain | grep -c '^  MixedComplementarityConditionNSL y = 0'; mkdir d; nssim info d
exit 66
stdout <<
constraints added NUMBER J, expected none: use a smaller h
constraints gave
  tolerance    1e-10
1
>>
stderr-match ^nssim: error: d: is a folder, expected a file \(HDF5 or CSV\); the table of a sweep is its file measures\.csv
