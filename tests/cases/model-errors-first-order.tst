# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong first-order models: each message names the place, what was found, what was expected, what to do.

case fo-x0-is-missing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"/>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="a">: <x0> is missing, expected a vector: initial state; its number of entries is n; write for instance <x0>0 0</x0>
>>

case fo-as-many-initial-values-as-states
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <x0> of <FirstOrderLinearTIDS id="a">: has 1 entry, expected 2: as many as there are names in states
>>

case fo-states-not-coordinates
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" coordinates="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="a">: unknown attribute coordinates, expected one of: id, states, inputs, units, inputUnits
>>

case fo-states-appear-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y x"><x0>1 2 3</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="a">: the state x appears twice, expected different names
>>

case fo-state-with-the-name-of-a-parameter
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="R" value="1"/></parameters>
  <systems>
    <FirstOrderLinearTIDS id="a" states="R"><x0>1</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <FirstOrderLinearTIDS id="a">: the state R has the name of a parameter (m.xml:2), expected another; rename one
>>

case fo-states-empty
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states=" "><x0>1</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="a">: attribute states is empty, expected names; remove it or write "x y"
>>

case fo-matrix-of-a-system-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0><A>1 2</A><M diag="1 2 3"/><b>1</b></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <M> of <FirstOrderLinearTIDS id="a">: has 3 entries, expected 2: n = 2 by states
nssim: error: m.xml:3: <A> of <FirstOrderLinearTIDS id="a">: is 1 x 2, expected 2 x 2: n = 2 by states; for a diagonal matrix write <A diag="..."/>
nssim: error: m.xml:3: <b> of <FirstOrderLinearTIDS id="a">: has 1 entry, expected 2: n = 2 by states
>>

case fo-state-in-a-constant-matrix
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0><A>0 1; -x 0</A></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <A> of <FirstOrderLinearTIDS id="a">: depends on x, expected a constant: numbers, parameters and indices; a FirstOrderLinearDS supports formulas of t and z, a FirstOrderNonLinearDS also of the state
>>

case fo-time-in-a-constant-matrix
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0><A>0 1; -t 0</A><b>sin(t) 0</b></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <A> of <FirstOrderLinearTIDS id="a">: depends on t, expected a constant: numbers, parameters and indices; a FirstOrderLinearDS supports formulas of t and z, a FirstOrderNonLinearDS also of the state
nssim: error: m.xml:3: <b> of <FirstOrderLinearTIDS id="a">: depends on t, expected a formula of z, parameters and indices only; a FirstOrderLinearDS supports formulas of t and z, a FirstOrderNonLinearDS also of the state
>>

case fo-state-in-a-matrix-of-time
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearDS id="a" states="x y"><x0>1 2</x0><A>t x; 0 0</A></FirstOrderLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <A> of <FirstOrderLinearDS id="a">: depends on x, expected a formula of t, z, parameters and indices only; a FirstOrderNonLinearDS supports formulas of the state
>>

case fo-state-in-the-mass
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x"><x0>1</x0><M>1 + x^2</M><f>-x</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <M> of <FirstOrderNonLinearDS id="a">: depends on x, expected a formula of t, z, parameters and indices only; where M depends on the state, divide <f> by it
>>

case fo-rate-outside-of-the-control
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x"><x0>1</x0><f>-xdot[0]</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: depends on xdot, expected a formula of t, x, z, parameters and indices only
>>

case fo-mechanical-names-in-a-first-order-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x"><x0>1</x0><f>q[0] + v[0]</f><u>v_x</u></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "q[0] + v[0]", column 1: unknown name "q[0]"; the state of a first-order system is x[0], x[1], ...
nssim: error: m.xml:3: <u> of <FirstOrderNonLinearDS id="a">: in "v_x", column 1: unknown name "v_x"; the rate of x is xdot[0], which controls <u> may use
>>

case fo-first-order-names-in-a-mechanical-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="s"><q0>1</q0><fInt>x[0]</fInt></LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <fInt> of <LagrangianDS id="a">: in "x[0]", column 1: unknown name "x[0]"; the state of a mechanical system is q[0], ..., v[0], ...
>>

case fo-state-without-its-subscript
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a"><x0>1 2</x0><f>x, -x[0]</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "x", column 1: unknown name "x"; write x[0], x[1], ...
>>

case fo-state-subscript-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a"><x0>1 2</x0><f>x[2], z[0]</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "x[2]", column 1: unknown name "x[2]"; x has 2 entries, x[0] to x[1]
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "z[0]", column 1: unknown name "z[0]"; the system has no user vector; give <z>
>>

case fo-mistyped-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="v_C i_L"><x0>1 2</x0><f>i_l, v_c</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "i_l", column 1: unknown name "i_l", did you mean "i_L"?
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: in "v_c", column 1: unknown name "v_c", did you mean "v_C"?
>>

case fo-field-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><f>y</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <f> of <FirstOrderNonLinearDS id="a">: has 1 entry, expected 2: n = 2 by states
>>

case fo-field-jacobian-without-a-field
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x"><x0>1</x0><jacobianfx>1</jacobianfx></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <jacobianfx> of <FirstOrderNonLinearDS id="a">: is given without <f>, of which it is the derivative; add <f>
>>

case fo-field-jacobian-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><f>y, x</f><jacobianfx>0 1</jacobianfx></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <jacobianfx> of <FirstOrderNonLinearDS id="a">: is 1 x 2, expected 2 x 2: n = 2 by states
>>

case fo-controls-without-a-matrix-are-as-many-as-states
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><u>1</u></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <u> of <FirstOrderNonLinearDS id="a">: has 1 entry, expected 2: s = 2 n, if there is no <T>
>>

case fo-control-matrix-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><u>1</u><T>1 2; 3 4</T></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <T> of <FirstOrderNonLinearDS id="a">: is 2 x 2, expected 2 x 1: n = 2 by states, s = 1 by <u>
>>

case fo-control-matrix-without-controls
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><T>1; 2</T></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <T> of <FirstOrderNonLinearDS id="a">: is given without <u>, the controls that it multiplies; add <u>
>>

case fo-size-of-plug-in-controls
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0><u plugin="P:u"/><T plugin="P:T"/></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <u> of <FirstOrderNonLinearDS id="a">: the number of controls is unknown: u and T are plug-ins; give controlSize="1" on <FirstOrderNonLinearDS>, or another number
>>

case fo-control-size-is-no-number
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" controlSize="0"><x0>1 2</x0><u>1 2</u></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderNonLinearDS id="a">: attribute controlSize is 0, expected a whole number in [1, 1000000]: number s of controls; required if <u> and <T> are both plug-ins
>>

case fo-mass-of-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0><M diag="1 0"/></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderLinearTIDS id="a">: the matrix M is singular at t0 (component y), expected every component to have a rate; write an algebraic equation as an interaction with EqualityConditionNSL
>>

case fo-relation-without-required-values
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><D>1</D></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <FirstOrderLinearTIR>: <C> is missing, expected a matrix: derivative of y with respect to X; write for instance <C>1</C>
nssim: error: m.xml:7: <FirstOrderLinearTIR>: <B> is missing, expected a matrix: matrix of lambda in the input R; write for instance <B>1</B>
>>

case fo-relation-sizes
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0; 0 1</C><B>1 0 0; 0 1 0</B><D>1</D><e>1</e><F>1; 2</F></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <B> of <FirstOrderLinearTIR>: is 2 x 3, expected 2 x 2: m = 2 by <C>, nQ = 2 by the states of its systems
nssim: error: m.xml:7: <D> of <FirstOrderLinearTIR>: is 1 x 1, expected 2 x 2: m = 2 by <C>; for a diagonal matrix write <D diag="..."/>
nssim: error: m.xml:7: <e> of <FirstOrderLinearTIR>: has 1 entry, expected 2: m = 2 by <C>
nssim: error: m.xml:7: <F> of <FirstOrderLinearTIR>: is 2 x 1, expected 2 x 0: m = 2 by <C>, nZ = 0 by the vectors <z> of its systems
>>

case fo-columns-of-c-are-those-of-the-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <C> of <FirstOrderLinearTIR>: is 1 x 1, expected any x 2: nQ = 2 by the states of its systems
>>

case fo-rows-and-columns-exchanged
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0 1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <B> of <FirstOrderLinearTIR>: is 1 x 2, expected 2 x 1: m = 1 by <C>, nQ = 2 by the states of its systems; rows are separated by semicolons
>>

case fo-state-in-a-constant-relation
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>y 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <C> of <FirstOrderLinearTIR>: depends on y, expected a constant: numbers, parameters and indices; a FirstOrderLinearR supports formulas of t and z, a FirstOrderNonLinearR also of the state
>>

case fo-state-in-a-relation-of-time
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearR><C>1 0</C><B>0; t*x</B></FirstOrderLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <B> of <FirstOrderLinearR>: depends on x, expected a formula of t, z, parameters and indices only; use a FirstOrderNonLinearR for what depends on the state
>>

case fo-time-in-a-constant-relation
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B><e>sin(t)</e></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <e> of <FirstOrderLinearTIR>: depends on t, expected a constant: numbers, parameters and indices; a FirstOrderLinearR supports formulas of t and z, a FirstOrderNonLinearR also of the state
>>

case fo-input-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>y</h><g>lambda[0]</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <g> of <FirstOrderNonLinearR>: has 1 entry, expected 3: nQ = 3 by the states of its systems
>>

case fo-name-of-two-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>x</h><g>lambda[0] 0 0</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderNonLinearR>: in "x", column 1: unknown name "x"; several systems here have it; write id.name or x[0], x[1], ...
>>

case fo-name-of-no-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>c.x</h><g>lambda[0] 0 0</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderNonLinearR>: in "c.x", column 1: unknown name "c.x", did you mean "a.x"?
>>

case fo-multiplier-subscript-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>x[3]</h><g>lambda[1] 0 0</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderNonLinearR>: in "x[3]", column 1: unknown name "x[3]"; x has 3 entries, x[0] to x[2]
nssim: error: m.xml:8: <g> of <FirstOrderNonLinearR>: in "lambda[1]", column 1: unknown name "lambda[1]"; lambda has one entry, lambda[0]
>>

case fo-multiplier-without-its-subscript
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>y</h><g>lambda 0 0</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <g> of <FirstOrderNonLinearR>: in "lambda", column 1: unknown name "lambda"; write lambda[0]
>>

case fo-output-is-a-matrix
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a b">
      <FirstOrderNonLinearR><h>1 2; 3 4</h><g>0 0 0</g></FirstOrderNonLinearR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderNonLinearR>: is a 2 x 2 matrix, expected a vector
>>

case fo-multiplier-in-the-output-of-type-1
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h>y + lambda[0]</h><g>0 0</g></FirstOrderType1R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderType1R>: depends on lambda, expected a formula of t, x, z, parameters and indices only; use a FirstOrderType2R
>>

case fo-state-in-the-input-of-type-1
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h>y</h><g>0 y*lambda[0]</g></FirstOrderType1R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <g> of <FirstOrderType1R>: depends on y, expected a formula of t, z, lambda, parameters and indices only; use a FirstOrderNonLinearR
>>

case fo-state-in-the-input-of-type-2
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType2R><h>y</h><g>0 y*lambda[0]</g></FirstOrderType2R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <g> of <FirstOrderType2R>: depends on y, expected a formula of t, z, lambda, parameters and indices only; use a FirstOrderNonLinearR
>>

case fo-type-1-has-no-jachlambda
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h>y</h><g>0 lambda[0]</g><jachlambda>1</jachlambda></FirstOrderType1R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: unknown element <jachlambda> in <FirstOrderType1R>, did you mean <jacglambda>?
nssim: error: m.xml:8: <jacglambda> of <FirstOrderType1R>: is 1 x 1, expected 2 x 1: m = 1 by <h>, nQ = 2 by the states of its systems
>>

case fo-relation-jacobian-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h>y</h><g>0 lambda[0]</g><jachx>1</jachx></FirstOrderType1R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <jachx> of <FirstOrderType1R>: is 1 x 1, expected 1 x 2: m = 1 by <h>, nQ = 2 by the states of its systems
>>

case fo-rows-of-plug-ins-are-unknown
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x y"><x0>1 2</x0></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="b" states="x"><x0>3</x0></FirstOrderNonLinearDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h plugin="P:h"/><g>0 0</g></FirstOrderType1R>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <FirstOrderType1R>: the number of rows is unknown, as h is a plug-in; give size="1" on <RelayNSL>, or another number
>>

case fo-lower-bound-above-upper
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL lb="1" ub="-1"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <RelayNSL> of "r": row 1: lb is 1 and ub is -1, expected lb <= ub, lb < inf and ub > -inf
>>

case fo-default-upper-bound-below-lower
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL lb="2"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <RelayNSL> of "r": row 1: lb is 2 and ub is 1, expected lb <= ub, lb < inf and ub > -inf
>>

case fo-lower-bound-of-infinity
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL lb="inf" ub="inf"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <RelayNSL> of "r": row 1: lb is inf and ub is inf, expected lb <= ub, lb < inf and ub > -inf
>>

case fo-as-many-bounds-as-rows
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL lb="0 0 0" ub="1"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <RelayNSL> of "r": attribute lb has 3 entries, expected 1, the rows of the relation, or one for all
>>

case fo-bound-is-no-number
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL lb="0/0" ub="infinity"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <RelayNSL>: attribute ub: in "infinity", column 1: unknown name "infinity"; declare it as a <parameter>
>>

case fo-bounds-of-an-index
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <repeat index="i" from="-1" to="1">
      <interaction id="r{i+2}" systems="a">
        <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
        <RelayNSL lb="i" ub="0"/>
      </interaction>
    </repeat>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <RelayNSL> of "r3": row 1: lb is 1 and ub is 0, expected lb <= ub, lb < inf and ub > -inf
>>

case fo-law-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <ComplementarityConditionNSL size="2"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <ComplementarityConditionNSL> of "r": attribute size is 2, expected 1, the rows of the relation
>>

case fo-more-equalities-than-rows
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <MixedComplementarityConditionNSL equalitySize="2"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <MixedComplementarityConditionNSL> of "r": attribute equalitySize is 2, expected at most 1, the rows of the relation
>>

case fo-equalities-are-missing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <MixedComplementarityConditionNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <MixedComplementarityConditionNSL>: attribute equalitySize is missing, expected a whole number: number of equalities, the first rows; write for instance equalitySize="1"
>>

case fo-equalities-are-no-number
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <MixedComplementarityConditionNSL equalitySize="all"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <MixedComplementarityConditionNSL>: attribute equalitySize: in "all", column 1: unknown name "all"; declare it as a <parameter>
>>

case fo-cone-has-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <NormalConeNSL><H>1 0; 0 1</H><k>1 2</k></NormalConeNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <H> of <NormalConeNSL> of "r": has 2 columns, expected m = 1: one for each row of the relation
>>

case fo-cone-offsets-have-another-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <NormalConeNSL><H>1; -1</H><k>1</k></NormalConeNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <k> of <NormalConeNSL>: has 1 entry, expected 2: p = 2 by <H>
>>

case fo-cone-without-offsets
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <NormalConeNSL><H>1; -1</H></NormalConeNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <NormalConeNSL>: <k> is missing, expected a vector: right-hand sides of the half-spaces; write for instance <k>0</k>
>>

case fo-points-out-of-order
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <PiecewiseLinearNSL><points>0 0; 2 1; 1 2</points></PiecewiseLinearNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <points> of <PiecewiseLinearNSL> of "r": point 3 has y = 1, which is below that of the point before it, 2; expected points in order of y
>>

case fo-points-are-pairs
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <PiecewiseLinearNSL><points>0 0 2 1</points></PiecewiseLinearNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <points> of <PiecewiseLinearNSL>: is 1 x 4, expected any x 2: pairs y lambda, separated by semicolons
>>

case fo-characteristic-is-constant
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <PiecewiseLinearNSL><points>0 3; 1 3</points></PiecewiseLinearNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <points> of <PiecewiseLinearNSL> of "r": phi is 3 everywhere, expected points with different values, or slopes
>>

case fo-characteristic-needs-a-constant-relation
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderType1R><h>y</h><g>0 lambda[0]</g></FirstOrderType1R>
      <PiecewiseLinearNSL><points>0 3; 1 4</points></PiecewiseLinearNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <PiecewiseLinearNSL> of "r": is used with <FirstOrderType1R>, expected a linear relation with constant matrices: <FirstOrderLinearTIR>, <LagrangianLinearTIR> or <LagrangianCompliantLinearTIR>
>>

case fo-mechanical-relation-of-a-first-order-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <LagrangianLinearTIR> of "r": acts on a, a FirstOrderLinearTIDS, expected mechanical systems; use <FirstOrderLinearTIR> for first-order ones
>>

case fo-first-order-relation-of-a-mechanical-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0></LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <FirstOrderLinearTIR> of "r": acts on a, a LagrangianLinearTIDS, expected first-order systems; use <LagrangianLinearTIR> for mechanical ones
>>

case fo-impact-law-beside-a-first-order-relation
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <NewtonImpactNSL>: is a law of mechanical contacts, expected a law of first-order systems with <FirstOrderLinearTIR>; for y >= 0 use <ComplementarityConditionNSL/>
>>

case fo-two-families
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0></LagrangianLinearTIDS>
    <FirstOrderLinearTIDS id="b" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <FirstOrderLinearTIDS id="b">: no integrator applies to this system, expected <EulerMoreauOSI theta="0.5"/> in <TimeStepping>
>>

case fo-mechanical-scheme-of-first-order-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <simulation>: MoreauJeanOSI integrates Lagrangian systems and those of this model are first-order, expected <EulerMoreauOSI theta="1"/>, or <ZeroOrderHoldOSI/> for linear ones
>>

case fo-flow-of-motion-of-first-order-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><EventDriven h="0.1"><NewMarkAlphaOSI/></EventDriven></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <simulation>: NewMarkAlphaOSI integrates Lagrangian systems and those of this model are first-order, expected <CVodeOSI/>
>>

case fo-first-order-scheme-of-mechanical-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0></LagrangianLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <simulation>: EulerMoreauOSI integrates first-order systems and those of this model are Lagrangian, expected <MoreauJeanOSI theta="0.5"/>
>>

case fo-theta-beyond-1
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI theta="2" gamma="-1"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <EulerMoreauOSI>: attribute theta is 2, expected a number in [0, 1]: weight of the end of the step in f
nssim: error: m.xml:5: <EulerMoreauOSI>: attribute gamma is -1, expected a number in [0, 1]: weight of the end of the step in r
>>

case fo-formulation-is-one-of-two
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI formulation="fast"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <EulerMoreauOSI>: attribute formulation is "fast", expected one of: standard full
>>

case fo-hold-has-no-theta
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><ZeroOrderHoldOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <ZeroOrderHoldOSI>: unknown attribute theta, expected one of: systems
>>

case fo-hold-is-for-linear-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="a" states="x"><x0>1</x0><f>-x^2</f></FirstOrderNonLinearDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><ZeroOrderHoldOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <FirstOrderNonLinearDS id="a">: ZeroOrderHoldOSI integrates linear systems and this is a FirstOrderNonLinearDS, expected <EulerMoreauOSI theta="1"/>, or a <FirstOrderLinearDS>
>>

case fo-problem-does-not-take-the-law
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/><LCP/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <interaction id="r">: the one-step problem LCP does not support the law RelayNSL, expected <Relay/>; without such an element nssim selects the problem from the laws
>>

case fo-unknown-solver-of-a-first-order-problem
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderLinearTIDS id="a" states="x y"><x0>1 2</x0></FirstOrderLinearTIDS>
  </systems>
  <interactions>
    <interaction id="r" systems="a">
      <FirstOrderLinearTIR><C>1 0</C><B>0; 1</B></FirstOrderLinearTIR>
      <RelayNSL/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/><Relay solver="best"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <Relay>: attribute solver is "best", expected one of those that `nssim list solvers` lists
>>

case fo-avi-of-mechanical-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0></LagrangianLinearTIDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/><AVI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <simulation>: the one-step problem AVI with Lagrangian systems, expected <LCP/>
>>

case fo-block-whose-input-is-its-own-output-at-once
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><StateSpace><A>-1</A><B>1</B><C>1</C><D>1</D><u>b</u></StateSpace></block>
    <block id="b"><StateSpace><A>-1</A><B>1</B><C>1</C><D>1</D><u>a</u></StateSpace></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <u> of <StateSpace>: in "b", column 1: unknown name "b"; blocks whose output depends directly on the input (D is not zero) form a loop, which may have no solution; give one of them a state
nssim: error: m.xml:5: <u> of <StateSpace>: in "a", column 1: unknown name "a"; the block of that name has errors itself
>>

case fo-block-reads-what-nobody-has
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><TransferFunction><numerator>1</numerator><denominator>1 1</denominator><u>plent.x</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <u> of <TransferFunction>: in "plent.x", column 1: unknown name "plent.x"; nothing has the id plent, did you mean plant?
>>

case fo-block-that-differentiates
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><TransferFunction><numerator>1 0 0</numerator><denominator>1 1</denominator><u>t</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <TransferFunction>: <numerator> is of degree 2, expected at most 1, that of <denominator>: it would differentiate; add a fast pole to the denominator
>>

case fo-block-with-a-zero-first
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><TransferFunction><numerator>1</numerator><denominator>0 1</denominator><u>t</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <TransferFunction>: <denominator> begins with 0, expected the coefficient of its highest power; remove the zero
>>

case fo-block-of-samples
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><StateSpace given="sampled"><A>1</A><B>1</B><C>1</C><u>t</u></StateSpace></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <StateSpace>: has given="sampled", which applies to samples, expected none in a <block>, which is continuous; remove it, or write a <control> with a period
>>

case fo-block-with-the-wrong-size
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><StateSpace><A>1 0; 0 1</A><B>1; 1</B><C>1</C><u>t</u></StateSpace></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <A> of <StateSpace>: is 2 x 2, expected 1 x 1: as many as columns of <C>
>>

case fo-block-with-a-hyphen
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a-1"><TransferFunction><numerator>1</numerator><denominator>1 1</denominator><u>t</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <block id="a-1">: has a - in its id, expected letters, digits and _: formulas read its output by this name
>>

case fo-block-with-its-bounds-exchanged
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><Limiter lower="1" upper="-1"><u>t</u></Limiter></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <Limiter>: has lower = 1, expected less than upper, which is -1
>>

case fo-block-whose-start-is-of-a-limiter
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a" start="1"><TransferFunction><numerator>1</numerator><denominator>1 1</denominator><u>t</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <block id="a">: has attribute start, which applies to a <Limiter>, expected none with <TransferFunction>; its state at t0 is <x0> of a <StateSpace>
>>

case fo-block-that-falls-alone
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"><Limiter fall="1"><u>t</u></Limiter></block>
    <block id="b"><Limiter rate="1"><u>t</u></Limiter></block>
    <block id="b_limit"><Limiter rate="1"><u>t</u></Limiter></block>
    <block id="c" follow="1e-3"><Limiter rate="1"><u>t</u></Limiter></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <Limiter>: has fall without rate, expected both; for an unlimited increase give a large rate
nssim: error: m.xml:5: <block id="b_limit">: this id is already used (first at m.xml:6), expected a new one; rename one of them
nssim: error: m.xml:7: <block id="c">: unknown attribute follow, expected one of: id, start
>>

case fo-block-of-nothing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <block id="a"/>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <block id="a">: contains no block, expected one of <StateSpace>, <TransferFunction> and <Limiter>
>>

case fo-integral-of-a-force-of-contact-in-a-force
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <LagrangianDS id="c" coordinates="y"><q0>0</q0><mass>1</mass><fInt>w</fInt></LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <output><integral id="w" of="lambda[0]"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <f> of <integral id="w">: in "(lambda[0])", column 2: unknown name "lambda[0]"; write id.lambda[0], ..., with the id of an interaction
>>

case fo-integral-of-a-name-that-two-have
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="plant" coordinates="x"><q0>1</q0><mass>1</mass></LagrangianDS>
    <LagrangianDS id="c" coordinates="x"><q0>0</q0><mass>1</mass><fInt>w</fInt></LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
  <output><integral id="w" of="x"/></output>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <f> of <integral id="w">: in "(x)", column 2: unknown name "x"; several systems have it; write id.name
>>

case fo-block-of-two
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <block id="a"><Limiter><u>t</u></Limiter><TransferFunction><numerator>1</numerator><denominator>1 1</denominator><u>t</u></TransferFunction></block>
  </systems>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <block id="a">: contains several blocks, expected one of <StateSpace>, <TransferFunction> and <Limiter>
>>

# A name of a system that the interaction does not have, or that this system does not have.
case relation-reads-another-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <FirstOrderNonLinearDS id="k" states="v"><x0>1</x0><f>-v</f></FirstOrderNonLinearDS>
    <FirstOrderNonLinearDS id="s" states="p"><x0>1</x0><f>-p</f></FirstOrderNonLinearDS>
    <LagrangianDS id="b" coordinates="x"><q0>1</q0></LagrangianDS>
  </systems>
  <interactions>
    <interaction id="i" systems="k"><FirstOrderNonLinearR><h>k.v - s.p</h><g>lambda[0]</g></FirstOrderNonLinearR><ComplementarityConditionNSL/></interaction>
    <interaction id="j" systems="k"><FirstOrderNonLinearR><h>k.v - k.pressure</h><g>lambda[0]</g></FirstOrderNonLinearR><ComplementarityConditionNSL/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <h> of <FirstOrderNonLinearR>: in "k.v - s.p", column 7: unknown name "s.p"; s is a system of the model, but not among those here: add it to systems=
nssim: error: m.xml:9: <h> of <FirstOrderNonLinearR>: in "k.v - k.pressure", column 7: unknown name "k.pressure"; system k has no variable of this name; its variables are v
>>
