# SPDX-License-Identifier: GPL-3.0-or-later
# Event-driven runs of first order: equilibria that are reached, several ideal switches at one instant.

case equilibrium-is-reached-and-kept
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="x0" value="2"/><parameter name="a" value="1"/><parameter name="s" value="0"/></parameters>
  <systems><FirstOrderLinearTIDS id="s" states="x"><x0>x0 + s</x0><A>-a</A><b>a*(1 + s)</b></FirstOrderLinearTIDS></systems>
  <interactions><interaction id="r" systems="s">
    <FirstOrderLinearTIR><C>1</C><B>1</B><e>-s</e></FirstOrderLinearTIR><ComplementarityConditionNSL/>
  </interaction></interactions>
  <simulation T="1000"><EventDriven h="1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run for x in 2 0.5 1 0; do for a in 1 0.37 11; do for s in 0 0.1 -30; do nssim run m.xml -p x0=$x -p a=$a -p s=$s -o out.csv | grep -c '^complete'; done; done; done | sort | uniq -c | tr -s ' '
exit 0
stdout <<
 36 1
>>

case equilibrium-of-a-network-of-genes
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="s" states="a b c d e"><x0>0.011 0.09 0.04 0.05 0.015</x0>
    <f>-0.05*a+1.1e-4, -0.04*b+3e-4, -0.05*c+6e-4, -0.02*d, -0.6*e+7.5e-4</f></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="s">
      <FirstOrderNonLinearR>
        <h>0.01-a, 0.01-b, 0.06-b, 0.08-b, 0.035-c, 0.04-d, 0.01-e</h>
        <g>9e-4*lambda[5], 0.15*lambda[0], 0.018*lambda[2], 5e-4*lambda[1]+0.03*lambda[1]*(1-lambda[4]), 0.015*lambda[3]</g>
      </FirstOrderNonLinearR>
      <RelayNSL lb="0" ub="1"/>
    </interaction>
  </interactions>
  <simulation T="1000"><EventDriven h="1"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim run m.xml -o out.csv
exit 0
stdout-match ^complete: 1000 steps to t = 1000 s

case dimmer-of-two-antiparallel-valves
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="angle" value="1"/></parameters>
  <netlist id="c">
    V1 a 0 sin(2*pi*t)
    S1 a p sin(2*pi*t-angle)
    D1 p b
    S2 a n -sin(2*pi*t-angle)
    D2 b n
    R1 b c 1
    L1 c 0 0.1
  </netlist>
  <simulation T="4"><EventDriven h="0.001"><CVodeOSI/></EventDriven></simulation>
  <measures><measure id="irms" kind="rms">L1.i</measure></measures>
</model>
>>
# closed forms: exponentials and sines between firing at the angle and extinction
run for a in 1 0.5 2; do nssim run m.xml -p angle=$a -o out.csv | sed -n 's/.*i_L1 = \([-0-9.e]*\),.*/\1/p; s/.*\(irms = 0.[0-9]\{5\}\).*/\1/p; s/.*\(law violation <= [0-9]\).*e-.*/\1/p'; done
exit 0
stdout-match ^-0\.438567$
stdout-match ^irms = 0\.5255

case floating-nodes-are-named
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="c">
    V1 a 0 sin(2*pi*t)
    S1 a p sin(2*pi*t-1)
    D1 p b
    R1 b 0 1
  </netlist>
  <simulation T="1"><EventDriven h="0.01"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 0
stderr-match m\.xml:4: <netlist id="c">: floating while S1, D1 block: node p

case boost-converter-with-its-gate-as-a-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <netlist id="b">
    V1 in 0 12
    L1 in sw 1e-4
    S1 sw 0 0.5-mod(t*5e4,1)
    D1 sw out
    C1 out 0 1e-4
    R1 out 0 10
  </netlist>
  <simulation T="2e-3"><EventDriven h="1e-6"><CVodeOSI/></EventDriven></simulation>
</model>
>>
run nssim run m.xml -o out.csv | grep 'final state'
exit 0
stdout-match i_L1 = 6\.82901, v_C1 = 25\.6214
