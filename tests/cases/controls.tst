# SPDX-License-Identifier: GPL-3.0-or-later
# Sampled controllers: what check says of them, and wrong ones: each message names the place, what was found, what was
# expected.

# 40 samples in 1 s, each at the next step
case period-is-no-multiple-of-the-step
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" period="0.025"><update>-x, w + 1</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o a.csv
verify $CASES/measure a.csv 'c("plant.w")[-1] == 40'

case period-shorter-than-the-step
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" period="0.002"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: period is 0.002 s, expected at least the step h = 0.01 s: a block acts once before a step; use a smaller step, or <EventDriven>, which stops at each sample
>>

case period-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" period="0"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute period is 0, expected a number in (0, inf): time between samples, at least the step in time-stepping
>>

case unknown-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plnt"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: unknown system plnt, did you mean plant?
>>

case no-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems=""><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute systems is empty, expected ids: systems that it reads and writes; write for instance systems="plant"
>>

case system-without-z
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x"><x0>1</x0></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <control id="k">: has no entry to write to: its system has no user vector; give <z> or inputs="u" there
>>

case unknown-entry
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="uu"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute writes: in "uu", column 1: unknown name "uu", did you mean "u"?
>>

case state-is-no-entry
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="x"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute writes: "x" is not an entry of a user vector, expected a name in inputs of its systems, or z[k]
>>

case formula-is-no-entry
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="2*u"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute writes: "2*u" is not an entry of a user vector, expected a name in inputs of its systems, or z[k]
>>

case entry-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="z[2]"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute writes: in "z[2]", column 1: unknown name "z[2]"; z has 2 entries, z[0] to z[1]
>>

case writes-empty
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes=""><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: attribute writes is empty, expected names of entries; remove it for all of Z
>>

case entry-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u z[0]"><update>-x, 1</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: writes u twice, expected different entries
>>

case two-writers
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><update>-x</update></control>
    <control id="l" systems="plant" writes="u"><update>x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <control id="l">: writes u, which k writes too, expected one writer for each entry
>>

case too-few-formulas
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>-x</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <update> has 1 entry, expected 2: one for each entry that it writes
>>

case offset-is-no-multiple-of-the-step
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" offset="0.025"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim -q m.xml -o a.csv

case until-before-from
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" from="0.5" until="0.2"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <control id="k">: from is 0.5 s and until 0.2 s, expected a later until
>>

case otherwise-of-a-block-that-always-acts
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" otherwise="0"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <control id="k">: has otherwise, but is active at each sample; give from, until or when, or remove it
>>

case when-of-an-unknown-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" when="heta &gt; 1"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <control id="k">: attribute when: in "heta > 1", column 1: unknown name "heta"; declare it as a <parameter>
>>

case row-that-an-interaction-does-not-have
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" writes="u"><update>relay.lambda[1]</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <update> of <control id="k">: in "relay.lambda[1]", column 1: unknown name "relay.lambda[1]"; relay has 1 row, lambda[0] to lambda[0]
>>

case lambda-without-an-id
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" writes="u"><update>lambda[0]</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <update> of <control id="k">: in "lambda[0]", column 1: unknown name "lambda[0]"; several interactions have lambda; write id.lambda[0], ...
>>

case what-controls-read-and-when
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="relay" systems="plant"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL/></interaction>
  </interactions>
  <controls>
    <control id="k" systems="plant" writes="u" period="0.02" offset="0.01" from="0.1" until="0.9" when="heat &gt; 0.1" otherwise="0"><update>-relay.lambda[0] - heat</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
  <output><integral id="heat" of="x^2"/></output>
</model>
>>
run nssim check m.xml
exit 0
stdout-match ^  k: update each 0.02 s, every 2 steps, offset 0.01 s, from 0.1 s, until 0.9 s, under a condition, writes u of plant$

case nothing-inside
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: is empty, expected <update> or a block such as <PID>; `nssim explain` lists them
>>

case two-blocks-inside
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><update>-x</update><Sensor><y>x</y></Sensor></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: contains <update> and <Sensor>, expected one of them; write two controls
>>

case unknown-block
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Pid Kp="1"><y>x</y></Pid></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: unknown element <Pid> in <control>, did you mean <PID>?
>>

case unknown-name-in-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>-y, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <update> of <control id="k">: in "-y", column 2: unknown name "y"; declare it as a <parameter>
>>

case id-taken
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="plant" systems="plant"><update>-x, w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="plant">: this id is already used (first at m.xml:3), expected a new one; rename one of them
>>

case pid-without-y
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PID Kp="1"/></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <PID>: <y> is missing, expected a vector: measured quantity; write for instance <y>x</y>
>>

case pid-writes-two
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><PID Kp="1"><y>x</y></PID></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: writes 2 entries, expected one: the command of the <PID>; name it in writes="..."
>>

case pid-of-two-measurements
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PID Kp="1"><y>x v</y></PID></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <y> of <PID>: has 2 entries, expected 1: it is a number; white space separates entries: in a formula write * for a product
>>

case pid-limits-crossed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PID Kp="1" lower="1" upper="-1"><y>x</y></PID></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <PID> has lower = 1, expected less than upper = -1
>>

case state-space-not-square
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><StateSpace><A>1 2</A><B>1</B><C>1 2</C><u>x</u></StateSpace></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <A> is 1 x 2, expected a square matrix
>>

case state-space-input-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><StateSpace><A>1</A><B>1 2</B><C>1</C><u>x</u></StateSpace></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <B> is 1 x 2, expected 1 x 1: rows of <A> by entries of <u>
>>

case state-space-output-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><StateSpace><A>1</A><B>1</B><C>1</C><u>x</u></StateSpace></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <C> is 1 x 1, expected 2 x 1: entries that it writes by columns of <A>
>>

case state-space-start-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><StateSpace><A>1</A><B>1</B><C>1</C><x0>1 2</x0><u>x</u></StateSpace></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <x0> is 2 x 1, expected 1 x 1: rows of <A>
>>

case sampled-with-a-method
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><StateSpace given="sampled" method="zoh"><A>1</A><B>1</B><C>1</C><u>x</u></StateSpace></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <StateSpace> has given="sampled" and a method, expected one of them: sampled matrices are not discretised
>>

case transfer-function-that-differentiates
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><TransferFunction><numerator>0 1 0 0</numerator><denominator>1 2</denominator><u>x</u></TransferFunction></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <numerator> is of degree 2, expected at most 1, that of <denominator>: it would differentiate; add a fast pole to the denominator
>>

case transfer-function-with-a-leading-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><TransferFunction><numerator>1</numerator><denominator>0 2</denominator><u>x</u></TransferFunction></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <denominator> begins with 0, expected the coefficient of its highest power; remove the zero
>>

case transfer-function-of-two
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><TransferFunction><numerator>1</numerator><denominator>1 2</denominator><u>x</u></TransferFunction></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: writes 2 entries, expected one: the output of the <TransferFunction>; name it in writes="..."
>>

case limiter-crossed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Limiter lower="1" upper="0"><u>x</u></Limiter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <Limiter> has lower = 1, expected less than upper = 0
>>

case limiter-of-two
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><Limiter lower="0"><u>x</u></Limiter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <u> has 1 entry, expected 2: one for each entry that it writes
>>

case limiter-fall-alone
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Limiter fall="1"><u>x</u></Limiter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <Limiter> has fall without rate, expected both; for an unlimited increase give a large rate
>>

case limiter-rate-below-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Limiter rate="-1"><u>x</u></Limiter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <Limiter>: attribute rate is -1, expected a number in (0, inf): largest increase per second
>>

case hysteresis-crossed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Hysteresis lower="2" upper="1"><y>x</y></Hysteresis></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <Hysteresis> has lower = 2, expected less than upper = 1
>>

case hysteresis-without-a-threshold
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Hysteresis lower="2"><y>x</y></Hysteresis></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <Hysteresis>: attribute upper is missing, expected a number: switches on if y is at least this; write for instance upper="21"
>>

case pid-tracks-without-a-time
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PID Kp="1" antiwindup="tracking"><y>x</y></PID></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <PID> has antiwindup="tracking" and no time constant, expected tracking="...", s
>>

case pid-time-without-tracking
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PID Kp="1" tracking="2"><y>x</y></PID></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <PID> has tracking, expected antiwindup="tracking" with it; remove one or give the other
>>

case plugin-without-a-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><PluginControl><y>x</y></PluginControl></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <PluginControl>: attribute plugin is missing, expected a text: Library:function that returns the table; write for instance plugin="ControlPlugin:leaky"
>>

case kalman-filter-of-one-rate
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>w</f><h>u</h><y>x</y><R>1</R></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <f> has 1 entry, expected 2: one for each entry of the estimate that it writes; name them in writes="..."
>>

case kalman-filter-of-another-measurement
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>w u</f><h>u</h><y>x v</y><R>1</R></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <y> has 2 entries, expected 1, those of <h>
>>

case kalman-filter-with-a-variance-below-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>w u</f><h>u</h><y>x</y><R>-1</R></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <R> has -1 in row 0 of its diagonal, expected a variance, not below 0
>>

case kalman-filter-without-symmetry
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>w u</f><h>u</h><y>x</y><Q>1 2; 0 1</Q><R>1</R></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <Q> is not symmetric, expected a covariance
>>

case kalman-filter-with-a-covariance-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>w u</f><h>u</h><y>x</y><R>1</R><P0>1</P0></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <P0> is 1 x 1, expected 2 x 2: entries that it writes
>>

case kalman-filter-of-the-true-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><ExtendedKalmanFilter><f>v u</f><h>u</h><y>x</y><R>1</R></ExtendedKalmanFilter></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <f> of <ExtendedKalmanFilter>: depends on v, expected a formula of t, z, parameters and indices only
>>

case smc-ot2-without-bounds
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMCOT2><S>1 1</S></LinearSMCOT2></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <LinearSMCOT2> has no gain, expected alpha, or lower and upper
>>

case smc-ot2-that-does-not-reach
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMCOT2 alpha="1"><S>0 0</S></LinearSMCOT2></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: S Psi B is singular, expected an invertible matrix: the commands do not reach sigma; choose another <S>
>>

case sliding-observer-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><SlidingReducedOrderObserver alpha="1"><C>1 0</C><E>1 2</E></SlidingReducedOrderObserver></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <E> is 1 x 2, expected 2 x 1: columns by rows of <C>
>>

case sliding-observer-without-a-bound
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><SlidingReducedOrderObserver><C>1 0</C><E>1; 2</E></SlidingReducedOrderObserver></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <SlidingReducedOrderObserver>: attribute alpha is missing, expected a number: bound of v; write for instance alpha="5"
>>

case hysteresis-and-another-writer
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="j" systems="plant" writes="u"><update>x</update></control>
    <control id="k" systems="plant" writes="u"><Hysteresis lower="1" upper="2"><y>x</y></Hysteresis></control>
  </controls>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <control id="k">: writes u, which j writes too, expected one writer for each entry
>>

# A leaky integral is a first-order state-space block, to rounding; a run that goes on has the memory of the plug-in.
case control-of-a-plugin
timeout 120
skip-unless command -v cc
file p.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x" inputs="u"><x0>1</x0><A>-1</A><b>-u</b></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" period="0.02"><PluginControl plugin="ControlPlugin:leaky"><p>0.5 2</p><y>x</y></PluginControl></control>
  </controls>
  <simulation T="3"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
setup cp $CASES/../../plugins/ControlPlugin.c .
setup sed 's|<PluginControl.*</PluginControl>|<StateSpace><A>-1/0.5</A><B>1</B><C>2</C><u>x</u></StateSpace>|' p.xml >s.xml
run nssim -q p.xml -o p.csv && nssim -q s.xml -o s.csv && nssim compare p.csv s.csv --atol 1e-13 --rtol 1e-12 -q && nssim -q p.xml -o g.csv --max-steps 137 --checkpoint k 2>/dev/null; nssim -q p.xml -o g.csv --resume k && cmp p.csv g.csv && echo same
stdout <<
same
>>

# A plug-in that writes a NaN is named.
case control-of-a-plugin-that-is-not-finite
skip-unless command -v cc
file p.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x" inputs="u"><x0>1</x0><A>-1</A><b>-u</b></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" period="0.02"><PluginControl plugin="Late:bad"><y>x</y></PluginControl></control>
  </controls>
  <simulation T="3"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
file Late.c <<
#include <nssim/plugin.h>
#include <math.h>
static void sample(unsigned np, const double *p, double t, double period, unsigned ny, const double *y, unsigned nw, double *w, double *m)
{ (void)np, (void)p, (void)period, (void)ny, (void)y, (void)nw, (void)m; w[0] = t > 0.09 ? NAN : 1; }
const nssim_control *bad(void) { static const nssim_control k = NSSIM_CONTROL(0, NULL, sample); return &k; }
>>
run nssim -q p.xml -o p.csv; echo $? $(wc -l <p.csv)
stdout <<
69 12
>>
stderr-match p\.xml:6: <control id="k">: plug-in "Late:bad" wrote -?nan to output \[0\] at t = 0.1 s, expected a finite number

case smc-without-gain
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC><S>1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <LinearSMC> has no gain, expected alpha, or lower and upper
>>

case smc-surface-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <S> is 1 x 3, expected 1 x 2
>>

case smc-command-not-in-the-plant
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="w"><LinearSMC alpha="1"><S>1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: the source b of its plant does not depend on w, expected a command; give <B>, or another entry in writes
>>

case smc-command-not-linear
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u^2</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: the source b of its plant is not linear in u, expected b + B u; give <A>, <b> and <B>
>>

case smc-surface-not-reached
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 0</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: S B is singular, expected an invertible matrix: the commands do not reach sigma'; choose another <S>, or equivalent="no"
>>

case smc-without-a-plant
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="plant" states="x v" inputs="u">
      <x0>1 0</x0><f>v, u - sin(x)</f>
    </FirstOrderNonLinearDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: has no plant: its first system is FirstOrderNonLinearDS plant, expected a linear first-order system with constant M and A; give <A> and <b>, or put the plant first in systems
>>

case smc-state-of-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 1</S><x>x</x></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <x> has 1 entry, expected 2, the size of the plant
>>

case smc-b-without-a
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1"><S>1 1</S><b>0 1</b></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <b> is given without <A>, expected both or, where the plant is a system, neither
>>

case smc-method-unknown
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><LinearSMC alpha="1" method="euler"><S>1 1</S></LinearSMC></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <LinearSMC>: attribute method is "euler", expected one of: implicit explicit
>>

case twisting-gains-in-the-wrong-order
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u"><Twisting c1="1" c2="2"/></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <Twisting> has c1 = 1, expected more than c2 = 2: it does not converge otherwise
>>

case observer-sizes
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u w"><LuenbergerObserver><C>1 0 0</C><L>1; 1</L></LuenbergerObserver></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <C> has 3 columns, expected 2, the size of the plant
>>

case observer-gain
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="u w"><LuenbergerObserver><C>1 0</C><L>1 1</L></LuenbergerObserver></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: <L> is 1 x 2, expected 2 x 1: size of the plant by rows of <C>
>>

case observer-writes-too-few
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="w"><LuenbergerObserver><C>1 0</C><L>1; 1</L></LuenbergerObserver></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <control id="k">: writes 1 entry, expected 2: the estimate of the state of the plant; name them in writes="..."
>>

case sensor-delay-not-whole
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant" writes="w"><Sensor delay="1.5"><y>x</y></Sensor></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <Sensor>: attribute delay is 1.5, expected a whole number in [0, 10000]: delay, in samples
>>

case control-that-is-not-finite
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x v" inputs="u w">
      <x0>1 0</x0><A>0 1; 0 0</A><b>0 u</b>
    </FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>1/(0.5 - t)*0 + sqrt(0.495 - t), w</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim run m.xml -q
exit 70
stderr <<
nssim: error: m.xml:8: <control id="k">: wrote nan to u at t = 0.5 s, expected a finite number; the last good state is kept; check its formulas there
>>

case input-has-the-name-of-a-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x" inputs="x"><x0>1</x0></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>1</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="plant">: the input x has the name of a state, expected another; rename one
>>

case inputs-and-z-disagree
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="plant" states="x" inputs="u"><x0>1</x0><z>1 2</z></FirstOrderLinearTIDS>
  </systems>
  <controls>
    <control id="k" systems="plant"><update>1</update></control>
  </controls>
  <simulation T="1"><TimeStepping h="0.01"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <z> of <FirstOrderLinearTIDS id="plant">: has 2 entries, expected 1: as many as there are names in inputs
>>

case check-tells-the-controls
run nssim check $MODELS/pid/pid.xml
stdout-match ^2 controls, in the order in which they act$
stdout-match ^  sensor: Sensor each 0\.5 s, every 10 steps, writes measured of tank$
stdout-match ^  pid: PID each 0\.5 s, every 10 steps, writes valve of tank$

case check-tells-them-as-json
run nssim check --json $MODELS/observer/observer.xml | python3 -c 'import json, sys; c = json.load(sys.stdin)["controls"]; sys.exit(not (c[0]["kind"] == "LuenbergerObserver" and c[0]["writes"] == ["xhat", "vhat"] and c[1]["every"] == 5))'

case z-is-recorded-by-name
run nssim run $MODELS/pid/pid.xml -o - -q | head -1
stdout-match ^time,tank\.level,.*,tank\.valve,tank\.measured,

case models-of-control-run
run for m in sliding-mode-explicit/sliding-mode-explicit sliding-mode-implicit/sliding-mode-implicit buck-sliding-mode/buck-sliding-mode twisting/twisting twisting/twisting-sampled pid/pid observer/observer; do nssim run $MODELS/$m.xml || echo "failed: $m"; done
exit 0
stdout-not failed
stdout-match ^complete: 2400 steps to t = 3 s in .*; complementarity residual <= (0|[0-9.]+e-1[4-9]), law violation <= (0|[0-9.]+e-1[4-9]);

case tank-overshoots-by-3-mm
run nssim run $MODELS/pid/pid.xml -q -o - | python3 -c 'import csv, sys; top = max(float(r["tank.level"]) for r in csv.DictReader(sys.stdin)); sys.exit(not 1.002 < top < 1.004)'

case control-is-found-by-schema-and-page
run nssim explain PID >/dev/null && nssim list controls
stdout-match ^  LuenbergerObserver +copy of a linear plant

# the error of a formula is told where it is, not again by what reads it
case control-of-a-faulty-observable
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><LagrangianDS id="b" coordinates="x" inputs="u"><q0>0</q0><mass>1</mass><fExt>u</fExt></LagrangianDS></systems>
<controls><control id="k" systems="b" period="0.01" writes="u"><update>-e - 2*far</update></control></controls>
<simulation T="0.2"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
<output><observe id="e">x - foo</observe><observe id="far">e/x</observe></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <observe id="e">: in "x - foo", column 5: unknown name "foo"; declare it as a <parameter>
>>

# By the trapezoidal rule the first output is C x0 where u is 0, and the state goes on from x0: x' = -3 x of x0 = 2, by x_i+1 = x_i (1 - 3 T/2)/(1 + 3 T/2).
case state-space-begins-at-x0
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
<systems><FirstOrderNonLinearDS id="s" states="x" inputs="u w"><x0>0</x0><f>u</f></FirstOrderNonLinearDS></systems>
<controls>
<control id="c" systems="s" period="0.1" writes="u"><StateSpace method="tustin"><A>-3</A><B>1</B><C>5</C><x0>2</x0><u>0</u></StateSpace></control>
<control id="d" systems="s" period="0.1" writes="w"><StateSpace><A>-3</A><B>1</B><C>5</C><x0>2</x0><u>0</u></StateSpace></control>
</controls>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml -o m.csv
verify $CASES/measure m.csv 'all(near(u, 10*(0.85/1.15)**k, 1e-13) for k, u in enumerate(c("s.u")[1:]))' 'all(near(w, 10*exp(-0.3*k), 1e-13) for k, w in enumerate(c("s.w")[1:]))'

# Events of a relay are those of its crossings: where it is sampled, or before it is known, the sentence says so.
case events-of-a-relay-that-is-sampled
file m.xml <<
<model xmlns="urn:nssim:model:1" name="h">
  <systems><FirstOrderNonLinearDS id="s" states="T" inputs="on"><x0>15</x0><f>5 - T + 30*on</f></FirstOrderNonLinearDS></systems>
  <controls><control id="th" systems="s" writes="on"><Hysteresis lower="19" upper="21" on="0" off="1"><y>T</y></Hysteresis></control></controls>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
  <measures><measure id="n" kind="count" event="th_on"/></measures>
</model>
>>
setup sed 's|<EventDriven.*EventDriven>|<TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping>|' m.xml >steps.xml; sed 's/writes="on"/& period="0.1"/' m.xml >period.xml; sed 's|<measures>|<output><memory id="past" event="th_off"/></output>&|' m.xml >memory.xml; sed 's/event="th_on"/when="on \&lt; 0.5"/' steps.xml >when.xml
run for f in m when; do nssim -q $f.xml --json | grep -A4 '"n"' | grep -o '"value": [1-9]' && echo $f; done; for f in steps period memory; do nssim check $f.xml; echo $?; done
stdout <<
"value": 3
m
"value": 3
when
65
65
65
>>
stderr-match steps.xml:5: <measure id="n">: attribute event: unknown event th_on: the <Hysteresis> of <control id="th"> is sampled, and has this event only in an event-driven run, without period, offset, when and otherwise; expected when= instead, a condition for on, which the control writes$
stderr-match period.xml:5: <measure id="n">: .* the <Hysteresis> of <control id="th"> is sampled,
stderr-match memory.xml:[45]: <memory id="past">: .* the <Hysteresis> of <control id="th"> has this event only for <measure>; expected when= instead
