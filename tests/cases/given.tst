# SPDX-License-Identifier: GPL-3.0-or-later
# What stands beside a formula that it follows from is held against it: H, hDot, HDot, D, Jacobians of forces, mass matrices.

case a-normal-that-is-no-gradient
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y"><q0>1 0</q0><v0>0 0.3</v0><fExt>-9.81 0</fExt></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianScleronomousR><h>x</h>
        <H>0 1; 1 0</H></LagrangianScleronomousR>
      <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -o out.csv
exit 65
absent out.csv
stderr-match ^nssim: error: m\.xml:8: <interaction id="ground">: <H>\[1,1\] is 0 at t0 \(t = 0, q = 1 0\), but the derivative of <h> is 1 there

case the-row-of-slip-need-be-no-gradient
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="ball" coordinates="x y"><q0>1 0</q0><fInt>9.81 0</fInt></LagrangianDS></systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianScleronomousR><h>x - 0.1*sin(y)</h><H>1 -0.1*cos(y); 0.1*cos(y) 1</H></LagrangianScleronomousR>
      <NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    </interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml

case a-gradient-of-the-other-sign-at-a-state-where-both-are-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="b" coordinates="x y"><q0>0 0</q0><fInt>0 9.81</fInt></LagrangianDS></systems>
  <interactions>
    <interaction id="k" systems="b"><LagrangianScleronomousR><h>1-x^2-y^2</h><H>2*x 2*y</H></LagrangianScleronomousR>
      <NewtonImpactNSL e="0"/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match m\.xml:4: <interaction id="k">: <H>\[1,[12]\] is .* at a state near t0 .*, but the derivative of <h> is

case a-rate-of-h-that-is-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="p" coordinates="a"><q0>0.3</q0><v0>2</v0></LagrangianDS></systems>
  <interactions>
    <interaction id="k" systems="p"><LagrangianScleronomousR><h>1+sin(a)</h><H>cos(a)</H>
      <HDot>0</HDot></LagrangianScleronomousR><NewtonImpactNSL e="0"/></interaction>
    <interaction id="good" systems="p"><LagrangianScleronomousR><h>2+sin(a)</h><HDot>-sin(a)*v_a</HDot></LagrangianScleronomousR>
      <NewtonImpactNSL e="0"/></interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="1e-4"><D1MinusLinearOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <interaction id="k">: <HDot>[1,1] is 0 at t0 (t = 0, q = 0.3), but d/dt of <H> along the motion is -0.5910404133 there; correct it, or remove it: it is then computed by finite differences
>>

case each-wrong-derivative-is-told
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x y">
      <q0>1 2</q0>
      <mass>2+x, 0.5*y; 0.4*y, 3</mass>
      <fInt>3*x*y, v_x^3</fInt>
      <jacobianFIntq>3*y, 3*x; 0, 0</jacobianFIntq>
      <jacobianFIntqDot>0 0; 2*v_x^2 0</jacobianFIntqDot>
    </LagrangianDS>
    <LagrangianDS id="c" coordinates="x y">
      <q0>0 0</q0>
      <fInt>abs(x) + 0*y, 7*y</fInt>
      <jacobianFIntq>sign(x) 0; 0 6.9999</jacobianFIntq>
    </LagrangianDS>
  </systems>
  <interactions>
    <interaction id="r" systems="c"><LagrangianRheonomousR><h>x + 5 + cos(3*t)</h>
      <hDot>3*sin(3*t)</hDot></LagrangianRheonomousR><NewtonImpactNSL e="0"/></interaction>
    <interaction id="d" systems="c"><LagrangianCompliantR><h>x + 0.1*lambda[0]</h><H>1 0</H>
      <D>0.2</D></LagrangianCompliantR><ComplementarityConditionNSL/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml; sed 's/0.4\*y/0.5*y/' m.xml > n.xml; nssim check n.xml
exit 65
stderr-match m\.xml:3: <LagrangianDS id="a">: <mass>\[2,1\] is 0\.8 at the initial position, but <mass>\[1,2\] is 1; expected a symmetric matrix
stderr-match n\.xml:8: <LagrangianDS id="a">: <jacobianFIntqDot>\[2,1\] is .* at a state near t0
stderr-match n\.xml:18: <interaction id="r">: <hDot>\[1\] is
stderr-match n\.xml:20: <interaction id="d">: <D>\[1,1\] is 0\.2 at t0 .*, but the derivative of <h> is 0\.1 there
stderr-not <LagrangianDS id="c">
stderr-not <jacobianFIntq>

case a-mass-that-is-symmetric-at-the-start-alone
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianDS id="a" coordinates="x y"><q0>1 0</q0><mass>2, 0.1*y; 0, 3</mass></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim m.xml
exit 65
stderr-match m\.xml:2: <LagrangianDS id="a">: <mass>\[1,2\] is .* at a state near t0 \(.*\), but <mass>\[2,1\] is 0; expected a symmetric

case first-order-derivatives
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><FirstOrderNonLinearDS id="s" states="x y"><x0>1 0.5</x0><f>x*y, -y</f><jacobianfx>y x; 0 1</jacobianfx></FirstOrderNonLinearDS></systems>
  <interactions>
    <interaction id="r" systems="s"><FirstOrderNonLinearR><h>x^2+lambda[0]</h><g>0, lambda[0]*x</g><jachx>x 0</jachx><jacgx>0 0; lambda[0] 0</jacgx></FirstOrderNonLinearR>
      <ComplementarityConditionNSL/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <FirstOrderNonLinearDS id="s">: <jacobianfx>[2,2] is 1 at t0 (t = 0, x = 1 0.5), but the derivative of <f> is -1 there; correct one of them, or omit <jacobianfx>: the derivative of a formula is exact
nssim: error: m.xml:4: <interaction id="r">: <jachx>[1,1] is 1 at t0 (t = 0, x = 1 0.5), but the derivative of <h> is 2 there; correct one of them, or omit <jachx>: the derivative of a formula is exact
>>

case a-body-in-space-by-any-extension-of-its-quaternion
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><NewtonEulerDS id="b"><q0>0 0 1 0.8 0 0.6 0</q0><mass>1</mass><inertia diag="1 2 3"/></NewtonEulerDS></systems>
  <interactions>
    <interaction id="k" systems="b"><NewtonEulerR><h>z + 2*(p1*p3 - p0*p2)</h>
      <H>0 0 1, -2*p2 + p0, 2*p3 + p1, -2*p0 + p2, 2*p1 + p3</H></NewtonEulerR><NewtonImpactNSL e="0"/></interaction>
    <interaction id="bad" systems="b"><NewtonEulerR><h>z + 2*(p1*p3 - p0*p2)</h>
      <H>0 0 1, -2*p2, 2*p3, 2*p0, 2*p1</H></NewtonEulerR><NewtonImpactNSL e="0"/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-not id="k"
stderr-match m\.xml:7: <interaction id="bad">: <H>\[1,\d\] is

case a-plug-in-is-differenced
skip-unless command -v cc
file P.c <<
void h(unsigned N, const double *q, unsigned m, double *y, unsigned nz, double *z) { y[0] = q[0] * q[0] - q[1]; }
void H(unsigned N, const double *q, unsigned m, double *y, unsigned nz, double *z) { y[0] = 2 * q[0]; y[1] = -1; }
void bad(unsigned N, const double *q, unsigned m, double *y, unsigned nz, double *z) { y[0] = q[0]; y[1] = -1; }
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="k" value="2"/></parameters>
  <systems><LagrangianDS id="a" coordinates="x y"><q0>1 0</q0></LagrangianDS></systems>
  <interactions>
    <interaction id="i" systems="a"><LagrangianScleronomousR><h plugin="P.c:h"/><H plugin="P.c:H"/></LagrangianScleronomousR><NewtonImpactNSL e="0" size="1"/></interaction>
    <interaction id="j" systems="a"><LagrangianScleronomousR><h plugin="P.c:h"/><H>k*x -1</H></LagrangianScleronomousR><NewtonImpactNSL e="0" size="1"/></interaction>
    <interaction id="l" systems="a"><LagrangianScleronomousR><h>x^2-y</h><H plugin="P.c:H"/></LagrangianScleronomousR><NewtonImpactNSL e="0"/></interaction>
  </interactions>
  <simulation T="0.1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim -q m.xml; nssim check m.xml -p k=3; sed 's/P.c:H/P.c:bad/' m.xml > n.xml; nssim check n.xml
exit 65
stderr-match ^nssim: error: m\.xml:6: <interaction id="j">: <H>\[1,1\] is 3 at t0 \(t = 0, q = 1 0\), but the derivative of <h> is 2(\.0\d*)? there; correct one of them, or omit <H>: it is then computed by finite differences
stderr-match n\.xml:5: <interaction id="i">: <H>\[1,1\] is 1 at t0 .*, but the derivative of <h> is (2|1\.99999)
stderr-match n\.xml:7: <interaction id="l">: <H>\[1,1\] is 1 at t0 .*, but the derivative of <h> is 2 there
stderr-not m\.xml:[57]:
