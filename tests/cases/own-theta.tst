# SPDX-License-Identifier: GPL-3.0-or-later
# Systems with a theta of their own in MoreauJeanOSI: each moves as if it were alone with that theta, whatever its kernel.

case each-as-if-alone
file all.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems>
    <LagrangianLinearTIDS id="a" theta="1"><q0>1 2</q0><v0>0.5 0</v0><mass diag="2 3"/><K diag="4 1"/><C diag="0.5 0"/><fExt>sin(3*t) 1</fExt></LagrangianLinearTIDS>
    <LagrangianLinearTIDS id="b"><q0>1 2</q0><v0>0.5 0</v0><mass>2 0.5; 0.5 3</mass><K>4 1; 1 5</K><C>0.5 0.1; 0.1 0.2</C><fExt>sin(3*t) 1</fExt></LagrangianLinearTIDS>
    <LagrangianDS id="c" theta="0.75"><q0>1</q0><mass>1 + 0.1*q[0]^2</mass><fInt>q[0]^3 + 0.1*v[0]</fInt><fExt>cos(t)</fExt></LagrangianDS>
    <LagrangianLinearTIDS id="d" theta="0.9"><q0>1 2</q0><fExt>-9.81 0</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="floor" systems="d"><LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR><NewtonImpactNSL e="0.5"/></interaction>
    <interaction id="wall" systems="a"><LagrangianLinearTIR><H>1 0</H><e>0.5</e></LagrangianLinearTIR><NewtonImpactNSL e="0.8"/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file alone <<
import re, subprocess, csv
text = open("all.xml").read()
def rows(path):
    table = list(csv.reader(open(path)))
    return table[0], table[1:]
heads, whole = rows("all.csv")
for id, theta in (("a", "1"), ("b", "0.5"), ("c", "0.75"), ("d", "0.9")):
    kept = [l for l in text.split("\n") if "<Lagrangian" not in l or f'id="{id}"' in l or "<interaction " in l]
    kept = [l for l in kept if "<interaction " not in l or f'systems="{id}"' in l]
    one = re.sub(r' theta="[^"]*"(?=><q0)', "", "\n".join(kept)).replace('OSI theta="0.5"', f'OSI theta="{theta}"')
    open("one.xml", "w").write(one)
    subprocess.run(["nssim", "one.xml", "-q", "-o", "one.csv"], check=True)
    names, alone = rows("one.csv")
    for name in names:
        if name.startswith(id + "."):
            k, j = heads.index(name), names.index(name)
            assert [r[k] for r in whole] == [r[j] for r in alone], name
print("alike")
>>
run nssim all.xml -q -o all.csv && python3 alone
stdout-match ^alike$

case where-it-may-not-be
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="a" theta="1"><q0>1</q0></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="floor" systems="a"><LagrangianCompliantLinearTIR><H>1</H><D>1e-3</D></LagrangianCompliantLinearTIR><ComplementarityConditionNSL/></interaction>
  </interactions>
  <simulation T="3"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml; sed '/<interactions>/,/<.interactions>/d; s/MoreauJeanOSI/SchatzmanPaoliOSI/' m.xml >n.xml; nssim n.xml; sed 's/theta="1"/theta="2"/' m.xml >o.xml; nssim o.xml
exit 65
stderr-match m\.xml:2: .*id="a".*has its own theta, 1, in a model with an interaction whose relation or law averages
stderr-match n\.xml:2: .*has its own theta, 1, which only <MoreauJeanOSI> supports
stderr-match o\.xml:2: .*theta.*\[0, 1\]
