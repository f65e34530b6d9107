# SPDX-License-Identifier: GPL-3.0-or-later
# Wrong models: each message names the place, what was found, what was expected, what to do.

case empty-file
file m.xml <<
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml: the file is empty, expected a model that begins <model xmlns="urn:nssim:model:1">
>>

case blank-file
file m.xml <<
  
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml: the file is empty, expected a model that begins <model xmlns="urn:nssim:model:1">
>>

case no-such-file
run nssim check nowhere.xml
exit 66
stderr <<
nssim: error: cannot open nowhere.xml: No such file or directory
>>

case folder-instead-of-file
file d/x <<
x
>>
run nssim check d
exit 66
stderr <<
nssim: error: d is a folder, expected a model file
>>

case binary-file
run head -c 64 /dev/zero >m.xml; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml: the file is not a text, expected a model that begins <model xmlns="urn:nssim:model:1">
>>

case not-xml
file m.xml <<
model of a ball
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: not well-formed XML: start tag expected, '<' not found
>>

case unclosed-element
file m.xml <<
<model xmlns="urn:nssim:model:1">
<systems>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: </model> ends the element <systems> of line 2, expected </systems>; close <systems>, or correct the name
>>

case attributes-without-quotes
run for a in 'name=a' 'name' 'name="a"title="b"'; do echo "<model $a/>" >m.xml; nssim check m.xml; done
exit 65
stderr <<
nssim: error: m.xml:1: not well-formed XML: attValue: " or ' expected; write the value of an attribute in quotes: h="0.001"
nssim: error: m.xml:1: not well-formed XML: specification mandates value for attribute name; write the value of an attribute in quotes: h="0.001"
nssim: error: m.xml:1: not well-formed XML: attributes construct error; a quote is missing after a value, or a blank between two attributes
>>

case attribute-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" id="b" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: not well-formed XML: attribute id redefined
>>

case undefined-entity
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>&one; 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: not well-formed XML: entity 'one' not defined
>>

case doctype
file m.xml <<
<!DOCTYPE model [<!ENTITY one "1">]>
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: a DOCTYPE is not allowed in a model (it could name other files), expected none; remove it, and write &lt; and &amp; for < and &
>>

case doctype-external
file m.xml <<
<!DOCTYPE model SYSTEM "/etc/passwd">
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: a DOCTYPE is not allowed in a model (it could name other files), expected none; remove it, and write &lt; and &amp; for < and &
>>

case entity-bomb
file m.xml <<
<?xml version="1.0"?>
<!DOCTYPE m [
<!ENTITY a "aaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<m>&c;</m>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: a DOCTYPE is not allowed in a model (it could name other files), expected none; remove it, and write &lt; and &amp; for < and &
>>

case deep-nesting
run python3 -c 'print("<a>"*1000000)' >m.xml; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: not well-formed XML: elements nested more than 256 deep
>>

case huge-text
run python3 -c 'print("<model xmlns=\"urn:nssim:model:1\"><title>" + "x"*20000000 + "</title></model>")' >m.xml; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: <title> of <model>: contains a text of 19 MB, expected at most 10; keep large matrices in files
nssim: error: m.xml:1: <model>: <simulation> is missing, expected one; `nssim explain simulation` shows an example
nssim: error: m.xml:1: <model>: <systems> is missing, expected one, or a <netlist>; `nssim explain systems` shows an example
>>

case huge-file
run truncate -s 1G m.xml; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml: the file is larger than 100 MB, expected a smaller model; <repeat> and file= keep models small
>>

case wrong-root
file m.xml <<
<simulation xmlns="urn:nssim:model:1" T="1"/>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: the root element is <simulation>, expected <model xmlns="urn:nssim:model:1">
>>

case no-namespace
file m.xml <<
<model>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: <model> is in no namespace, expected urn:nssim:model:1; write <model xmlns="urn:nssim:model:1">
>>

case wrong-namespace
file m.xml <<
<model xmlns="urn:nssim:model:2">
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: <model> is in the namespace urn:nssim:model:2, expected urn:nssim:model:1
>>

case foreign-element
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <b xmlns="urn:other"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <b> is in the namespace urn:other, expected urn:nssim:model:1
>>

case undeclared-prefix
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="a.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: not well-formed XML: namespace prefix xi on include is not defined; write xmlns:xi="http://www.w3.org/2001/XInclude" on <model>
>>

case unknown-element
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q>1 0</q>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: <q0> is missing, expected a vector: initial coordinates; their number is n; write for instance <q0>0 0</q0>
nssim: error: m.xml:4: <q> is not allowed in <LagrangianLinearTIDS>, expected <q0>, <v0>, <z>, <mass>, <K>, <C>, <fExt>, <fixed>, <prescribed>, <harmonic>
>>

case unknown-element-far
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0><inertia>1</inertia>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <inertia> is not allowed in <LagrangianLinearTIDS>, expected <q0>, <v0>, <z>, <mass>, <K>, <C>, <fExt>, <fixed>, <prescribed>, <harmonic>; it belongs in <NewtonEulerDS> or <RigidBody2dDS>
>>

case element-elsewhere
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
  <NewtonImpactNSL e="0.5"/>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <NewtonImpactNSL> is not allowed in <model>, expected <title>, <description>, <parameters>, <defaults>, <systems>, <netlist>, <interactions>, <contacts>, <controls>, <simulation>, <output>, <events>, <measures>
>>

case unknown-system-kind
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: unknown element <LagrangianLinearDS> in <systems>, did you mean <LagrangianLinearTIDS>?
>>

case unknown-attribute
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL E="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <NewtonImpactNSL>: unknown attribute E, did you mean e?
>>

case unknown-attribute-listed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" colour="red" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: unknown attribute colour, expected one of: id, coordinates, inputs, units, inputUnits, theta
>>

case attribute-of-another-form
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 diag="1 0"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: unknown attribute diag, expected one of: file, dataset
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: is empty, expected a vector of n; write its entries, or remove <q0>
>>

case missing-attribute
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <NewtonImpactNSL>: attribute e is missing, expected a number: coefficient of restitution; write for instance e="0.9"
>>

case empty-attribute
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e=""/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <NewtonImpactNSL>: attribute e is empty, expected a number: coefficient of restitution; write for instance e="0.9"
>>

case missing-h
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <TimeStepping>: attribute h is missing, expected a number: length of a step; write for instance h="1e-3"
>>

case missing-value
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a">
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianDS id="a">: <q0> is missing, expected a vector: initial coordinates; their number is n; write for instance <q0>0 0</q0>
>>

case missing-simulation
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: <model>: <simulation> is missing, expected one; `nssim explain simulation` shows an example
>>

case missing-law
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <interaction id="ground">: the law is missing, expected one of: <NewtonImpactNSL>, <MultipleImpactNSL>, <NewtonImpactFrictionNSL>, <FremondImpactFrictionNSL>, <CohesiveFrictionNSL>, <CompliantFrictionNSL>, <PluginNSL>, <NewtonImpactRollingFrictionNSL>, <ComplementarityConditionNSL>, <MixedComplementarityConditionNSL>, <EqualityConditionNSL>, <RelayNSL>, <NormalConeNSL>, <PiecewiseLinearNSL>
>>

case missing-integrator
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <TimeStepping>: the integrator is missing, expected one of: <MoreauJeanOSI>, <MoreauJeanGOSI>, <MoreauJeanDirectProjectionOSI>, <MoreauJeanCombinedProjectionOSI>, <SchatzmanPaoliOSI>, <D1MinusLinearOSI>, <EulerMoreauOSI>, <ZeroOrderHoldOSI>; write <MoreauJeanOSI/> for mechanics, <EulerMoreauOSI/> for circuits and other first-order systems
>>

case missing-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:1: <model>: <systems> is missing, expected one, or a <netlist>; `nssim explain systems` shows an example
>>

case no-system-at-all
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>

  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <systems>: contains no system, expected at least one; `nssim explain` lists them
>>

case two-laws
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
      <NewtonImpactNSL e="0.5"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <NewtonImpactNSL>: is the second law in <interaction> (first: <NewtonImpactNSL> at line 10), expected one
>>

case value-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <q0>1 1</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <q0> of <LagrangianLinearTIDS id="ball">: is given a second time (first at line 4), expected once
>>

case systems-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <systems/>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <systems>: is the second one in <model> (first: <systems> at line 2), expected one
>>

case stray-text
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    hello there
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <systems>: the text "hello there" is not allowed here, expected only elements
>>

case element-in-value
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 <b>0</b></q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: <b> is not allowed here, expected text alone
>>

case several-errors
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x x">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="bal">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="1.5"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="-1"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: the coordinate x appears twice, expected different names
nssim: error: m.xml:8: <interaction id="ground">: unknown system bal, did you mean ball?
nssim: error: m.xml:10: <NewtonImpactNSL>: attribute e is 1.5, expected a number in [0, 1]: coefficient of restitution
nssim: error: m.xml:14: <TimeStepping>: attribute h is -1, expected a number in (0, inf): length of a step
>>

case id-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <LagrangianLinearTIDS id="ball">: this id is already used (first at m.xml:3), expected a new one; rename one of them
>>

case id-of-interaction-taken
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ball" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <interaction id="ball">: this id is already used (first at m.xml:3), expected a new one; rename one of them
>>

case id-not-well-formed
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="my ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="my ball">: "my ball" is not an id, expected a letter followed by letters, digits, _ or -
>>

case unknown-system
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="bell">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <interaction id="ground">: unknown system bell, did you mean ball?
>>

case unknown-system-no-idea
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="thing7">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <interaction id="ground">: unknown system thing7, expected the id of a system in <systems>
>>

case system-is-interaction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
    <interaction id="other" systems="ground">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:12: <interaction id="other">: acts on ground, which is an interaction, expected ids of systems
>>

case coordinate-is-parameter
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="x" value="1"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <LagrangianLinearTIDS id="ball">: the coordinate x has the name of a parameter (m.xml:3), expected another; rename one
>>

case coordinate-is-velocity
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x v_x">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: the coordinate v_x has the name of the velocity of x, expected another; rename it
>>

case coordinate-bad-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x 2y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: the coordinate "2y" does not begin with a letter, expected letters, digits and _
>>

case coordinate-is-function
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x sin">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: the coordinate "sin" is the name of a function, of time t or of pi, expected another
>>

case coordinates-too-many
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y z">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: has 2 entries, expected 3: as many as there are names in coordinates
>>

case parameter-unknown-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="mass1" value="1"/>
    <parameter name="m" value="2*mass2"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <parameter name="m">: attribute value: in "2*mass2", column 3: unknown name "mass2", did you mean "mass1"?
>>

case parameter-circle
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="b+1"/>
    <parameter name="b" value="2*c"/>
    <parameter name="c" value="a"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: parameters have a circular dependency: a -> b -> c -> a; replace one of them by a number
>>

case parameter-of-itself
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="a"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: parameters have a circular dependency: a -> a; replace one of them by a number
>>

case parameter-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="1"/>
    <parameter name="a" value="2"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <parameter name="a">: is the second parameter of this name (first at m.xml:3), expected one; rename one
>>

case parameter-name-taken
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="t" value="1"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="t">: the name "t" is the name of a function, of time t or of pi, expected another
>>

case parameter-infinite
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="1/0"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: attribute value is inf, expected a finite number
>>

case parameter-nan
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="nan"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: attribute value: in "nan", column 1: unknown name "nan", did you mean "a"?
>>

case parameter-not-whole
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="1.2.3"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: attribute value: in "1.2.3", column 4: found ".3", expected an operator (* for a product) or the end
>>

case parameter-bad-unit
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="1" unit="parrots"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: attribute unit: "parrots" is not a unit, expected one such as m, cm, kg, N/m, rad, deg
>>

case parameter-log-unit
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="a" value="1" unit="lg(re mW)"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <parameter name="a">: attribute unit: unit "lg(re mW)" is a date or a logarithm, expected one with a fixed relation to SI
>>

case parameter-unit-of-others
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="R" value="1" unit="m"/>
    <parameter name="D" value="2*R" unit="cm"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <parameter name="D">: attribute value uses other parameters, which are in SI, but its unit is cm; write unit="m"
>>

case override-unknown
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="mass" value="1"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml -p mas=2
exit 2
stderr <<
nssim: error: the model has no parameter or option mas to be set, did you mean mass?
>>

case override-not-a-number
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="mass" value="1"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml -p 'mass=2*'
exit 2
stderr <<
nssim: error: parameter mass=2*: in "2*", column 3: found the end, expected a number, a name or "("
>>

case override-wrong-quantity
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="mass" value="1" unit="kg"/>
  </parameters>
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml -p mass=2mm
exit 2
stderr <<
nssim: error: parameter mass=2mm: the unit is mm, expected one that can be converted to kg
>>

case restitution-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="1.5"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <NewtonImpactNSL>: attribute e is 1.5, expected a number in [0, 1]: coefficient of restitution
>>

case step-negative
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="-0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <TimeStepping>: attribute h is -0.01, expected a number in (0, inf): length of a step
>>

case theta-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI theta="2"/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <MoreauJeanOSI>: attribute theta is 2, expected a number in [0, 1]: weight of the end of the step
>>

case omega-at-end-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/><LCP omega="2"/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <LCP>: attribute omega is 2, expected a number in (0, 2): relaxation factor of iterative solvers
>>

case whole-number-expected
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01" newtonMaxIterations="1.5"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <TimeStepping>: attribute newtonMaxIterations is 1.5, expected a whole number in [1, 1000000]: maximum number of Newton iterations in a step; if it is exceeded, the run fails
>>

case unknown-choice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/><LCP storage="full"/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <LCP>: attribute storage is "full", expected one of: auto dense sparse
>>

case every-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
  <output every="0"/>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <output>: attribute every is 0, expected a whole number in [1, 2147483647]: record every n-th step
>>

case end-before-begin
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation t0="2" T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:7: <simulation>: T is 1 s, expected a time after t0; set T on <simulation>
>>

case time-in-attribute
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="t"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <TimeStepping>: attribute h: in "t", column 1: unknown name "t"; formulas here may use only parameters and indices
>>

case vector-too-short
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <v0>1</v0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <v0> of <LagrangianLinearTIDS id="ball">: has 1 entry, expected 2: n = 2 by coordinates
>>

case vector-is-matrix
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball">
      <q0>1 0; 0 1</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: is a 2 x 2 matrix, expected a vector
>>

case matrix-wrong-shape
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass>1 0 0; 0 1 0</mass>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: is 2 x 3, expected 2 x 2: n = 2 by coordinates
>>

case matrix-ragged
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass>1 0; 0</mass>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: row 2 has 1 entries and row 1 has 2, expected the same number in all rows
>>

case diagonal-too-long
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass diag="1 1 1"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: has 3 entries, expected 2: n = 2 by coordinates
>>

case two-forms
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass diag="1 1">1 0; 0 1</mass>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: is given as text and as diag, expected one of them; remove the other
>>

case no-form
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: is empty, expected a matrix of n x n; write its entries, or remove <mass>
>>

case entry-infinite
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 1/0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: entry 2 is inf, expected a finite number
>>

case mass-not-positive
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass diag="1 -1"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <LagrangianLinearTIDS id="ball">: the mass matrix is not positive definite at the initial position (pivot 2, coordinate y), expected inertia in every direction; give that coordinate a positive mass
>>

# y follows from x: from a start that is not in balance it would be 1 too high and too low in turn
case massless-coordinate
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="nodes" coordinates="x y">
      <q0>1 0</q0>
      <mass diag="1 0"/>
      <K>2 -1; -1 1</K>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="0.1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim run -q m.xml -o half.csv
stderr <<
nssim: warning: m.xml:3: <LagrangianLinearTIDS id="nodes">: coordinate y has neither mass nor damping: with theta = 0.5 what its spring does not balance, at the start or where a force jumps, changes sign at each step and never decays, expected theta > 0.5; with 1 it is gone after one step
>>
run nssim run -q --set simulation/TimeStepping/MoreauJeanOSI@theta=1 m.xml -o one.csv; awk -F, 'NR > 1 && $1 > 0 && ($2 - $3) ^ 2 > 1e-24 { print "out of balance" } END { print NR }' one.csv
stdout <<
12
>>

case formula-syntax
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt>2*(x</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: in "2*(x", column 5: found the end, expected an operator or the ")" for the "(" of column 3
>>

case formula-unknown-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="kk" value="1"/>
  </parameters>
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt>k*xx</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <fInt> of <LagrangianDS id="a">: in "k*xx", column 1: unknown name "k"; declare it as a <parameter>
>>

case formula-unknown-function
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt>sine(x)</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: in "sine(x)", column 1: unknown function "sine", did you mean "sin"?
>>

case formula-coordinate-beyond
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt>q[1]</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: in "q[1]", column 1: unknown name "q[1]"; q has one entry, q[0]
>>

case formula-no-user-vector
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt>z[0]*x</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: in "z[0]*x", column 1: unknown name "z[0]"; the system has no user vector; give <z>
>>

case formula-q-without-index
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a">
      <q0>0</q0>
      <fInt>q</fInt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: in "q", column 1: unknown name "q"; write q[0], q[1], ...
>>

case force-of-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fExt>-x</fExt>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fExt> of <LagrangianDS id="a">: depends on x, expected a formula of t, z, parameters and indices only; a force that depends on the state belongs in <fInt> of a LagrangianDS, with the sign changed
>>

case force-of-velocity-linear
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x">
      <q0>0</q0>
      <fExt>-v_x</fExt>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <fExt> of <LagrangianLinearTIDS id="a">: depends on v_x, expected a formula of t, z, parameters and indices only; a force that depends on the state belongs in <fInt> of a LagrangianDS, with the sign changed
>>

case stiffness-of-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="a" coordinates="x">
      <q0>0</q0>
      <K>x</K>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <K> of <LagrangianLinearTIDS id="a">: depends on x, expected a constant: numbers, parameters and indices; a LagrangianDS supports variable forces and masses
>>

case mass-of-time
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <mass>1+t</mass>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianDS id="a">: depends on t, expected a formula of q, z, parameters and indices only
>>

case jacobian-without-force
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <jacobianFIntq>1</jacobianFIntq>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <jacobianFIntq> of <LagrangianDS id="a">: is given without <fInt>, of which it is the derivative; add <fInt>
>>

case relation-wrong-columns
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0 0</H></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <H> of <LagrangianLinearTIR> of "ground": has 3 columns, expected nQ = 2: one for each coordinate of its 1 system
>>

case relation-of-state
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H><e>x</e></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <e> of <LagrangianLinearTIR>: in "x", column 1: unknown name "x"; declare it as a <parameter>
>>

case relation-e-too-long
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H><e>1 2</e></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <e> of <LagrangianLinearTIR>: has 2 entries, expected 1: m = 1, the number of rows of <H>
>>

case relation-F-without-z
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="ground" systems="ball">
      <LagrangianLinearTIR><H>1 0</H><F>1</F></LagrangianLinearTIR>
      <NewtonImpactNSL e="0.9"/>
    </interaction>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:9: <F> of <LagrangianLinearTIR> of "ground": has 1 column, expected 0: one for each entry of the user vectors <z> of its systems
>>

case file-missing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: cannot open q.csv: No such file or directory; write its path from the folder of the file that names it
>>

case file-outside
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="/etc/hostname"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: /etc/hostname lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case file-outside-relative
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="../../../../etc/hostname"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: ../../../../etc/hostname lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case file-outside-by-link
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run ln -s /etc/hostname q.csv; nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: q.csv lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case file-is-folder
file d/x <<
1
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="d"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: d is not a file, expected a regular file
>>

case file-not-numbers
file q.csv <<
# initial
1, 0x10
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: q.csv:2: "0x10" is not a number, expected finite numbers separated by white space or commas
>>

case file-nan
file q.csv <<
1 nan
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: q.csv:1: "nan" is not a number, expected finite numbers separated by white space or commas
>>

case file-ragged
file m.csv <<
1,0
0
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass file="m.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: m.csv:2: the row has 1 entry, expected 2 as in the rows above
>>

case file-empty
file q.csv <<

# nothing
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: q.csv contains no numbers, expected a table of them
>>

case file-wrong-size
file q.csv <<
1 2 3
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0 file="q.csv"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <q0> of <LagrangianLinearTIDS id="ball">: has 3 entries, expected 2: as many as there are names in coordinates
>>

case include-missing
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="part.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: cannot open part.xml: No such file or directory; write its path from the folder of the file that names it
>>

case include-no-href
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: attribute href is missing, expected a path: the other file, relative to this one; write for instance href="part.xml"
>>

case include-network
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="http://localhost/part.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: attribute href is http://localhost/part.xml, expected the path of a complete local file
>>

case include-text
file part.xml <<
<a/>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="part.xml" parse="text"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: attribute parse is text, expected xml
>>

case include-outside
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="/etc/passwd"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: /etc/passwd lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case include-circle
file a.xml <<
<repeat xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude" index="i" from="1" to="2">
  <xi:include href="a.xml"/>
</repeat>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="a.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: a.xml:2: <xi:include>: includes a.xml, which is already being included: remove the circular include
>>

case include-of-itself
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="m.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: includes m.xml, which is already being included: remove the circular include
>>

case include-wrong-root
file a.xml <<
<interaction xmlns="urn:nssim:model:1" id="a" systems="b"/>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="a.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: a.xml:1: <interaction> is not allowed in <systems>, expected a system (<LagrangianDS>, <LagrangianLinearTIDS>, <LagrangianLinearDiagonalDS>, <NewtonEulerDS>, <RigidBody2dDS>, <FirstOrderNonLinearDS>, <FirstOrderLinearDS>, <FirstOrderLinearTIDS>), <block>, <netlist>, <repeat>, <frame>; it belongs in <interactions>
>>

case include-error-inside
file parts/a.xml <<
<!-- a part -->
<LagrangianDS xmlns="urn:nssim:model:1" id="b">
  <q0>1</q0>
  <fInt>xx</fInt>
</LagrangianDS>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="parts/a.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: parts/a.xml:4: <fInt> of <LagrangianDS id="b">: in "xx", column 1: unknown name "xx"; declare it as a <parameter>
>>

case include-not-xml
file a.xml <<
<a>
<b>
</a>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="a.xml"/>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: a.xml:3: </a> ends the element <b> of line 2, expected </b>; close <b>, or correct the name
>>

case include-fallback
file a.xml <<
    <LagrangianLinearTIDS xmlns="urn:nssim:model:1" id="b" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
    <xi:include href="a.xml"><xi:fallback/></xi:include>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <xi:include>: <fallback> is not allowed here: there is no fallback, expected nothing
>>

case repeat-fraction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2.5">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute to is 2.5, expected a whole number: last value
>>

case repeat-step-zero
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2" step="0">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute step is 0, expected a distance; remove it for 1
>>

case repeat-too-many
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="1000000000">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: makes more than 2000000 systems and interactions, expected fewer
>>

case repeat-too-many-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2000001">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: makes more than 2000000 systems and interactions, expected fewer
>>

case repeat-beyond-integers
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="1e10">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: attribute to is 1e+10, expected a whole number: last value
>>

case repeat-index-is-parameter
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters>
    <parameter name="i" value="1"/>
  </parameters>
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:6: <repeat>: the index i has the name of a parameter (m.xml:3), expected a new name; rename one
>>

case repeat-index-twice
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <repeat>: the index i is that of a <repeat> around it, expected a new name
>>

case repeat-index-bad-name
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="2i" from="1" to="2">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: the index "2i" does not begin with a letter, expected letters, digits and _
>>

case repeat-too-deep
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
<repeat index="i0" from="1" to="1"><repeat index="i1" from="1" to="1"><repeat index="i2" from="1" to="1"><repeat index="i3" from="1" to="1"><repeat index="i4" from="1" to="1"><repeat index="i5" from="1" to="1"><repeat index="i6" from="1" to="1"><repeat index="i7" from="1" to="1"><repeat index="i8" from="1" to="1">
      <LagrangianLinearTIDS id="b" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
</repeat></repeat></repeat></repeat></repeat></repeat></repeat></repeat></repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <repeat>: is nested more than 8 deep, expected fewer <repeat> in <repeat>
>>

case repeat-id-without-index
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <LagrangianLinearTIDS id="b">: the <repeat> generates this id a second time, expected a new one each time; write an index in braces, such as id="b{i}"
>>

case repeat-id-fraction
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b{i/2}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <LagrangianLinearTIDS id="b{i/2}">: the braces after "b" contain 0.5, expected a whole number
>>

case repeat-id-brace-open
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b{i" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <LagrangianLinearTIDS id="b{i">: attribute id: "b{i" has a { without }
>>

case repeat-id-brace-close
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="bi}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <LagrangianLinearTIDS id="bi}">: attribute id: "bi}" has a } without {
>>

case repeat-id-unknown-index
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="2">
      <LagrangianLinearTIDS id="b{j}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <LagrangianLinearTIDS id="b{j}">: attribute id: in "j", column 1: unknown name "j"; declare it as a <parameter>
>>

case repeat-value-infinite
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="0" to="2">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>1/(i-1)</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <q0> of <LagrangianLinearTIDS id="b1">: entry 1 is inf, expected a finite number
>>

case repeat-law-out-of-range
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="3">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <interactions>
    <repeat index="i" from="1" to="3">
      <interaction id="g{i}" systems="b{i}">
        <LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>
        <NewtonImpactNSL e="i/2"/>
      </interaction>
    </repeat>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:13: <NewtonImpactNSL>: attribute e is 1.5, expected a number in [0, 1]: coefficient of restitution
>>

case repeat-unknown-neighbour
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <repeat index="i" from="1" to="3">
      <LagrangianLinearTIDS id="b{i}" coordinates="x">
        <q0>i</q0>
      </LagrangianLinearTIDS>
    </repeat>
  </systems>
  <interactions>
    <repeat index="i" from="1" to="3">
      <interaction id="g{i}" systems="b{i} b{i + 1}">
        <LagrangianLinearTIR><H>-1 1</H></LagrangianLinearTIR>
        <NewtonImpactNSL e="0.5"/>
      </interaction>
    </repeat>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:11: <interaction id="g3">: unknown system b4, did you mean b1?
>>

case repeat-in-wrong-place
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
  <repeat index="i" from="1" to="2"/>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:10: <repeat> is not allowed in <model>, expected <title>, <description>, <parameters>, <defaults>, <systems>, <netlist>, <interactions>, <contacts>, <controls>, <simulation>, <output>, <events>, <measures>
>>

case system-among-interactions
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
    </LagrangianLinearTIDS>
  </interactions>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:8: <LagrangianLinearTIDS> is not allowed in <interactions>, expected <interaction>, a force between bodies (<spring>, <damper>, <tendon>, <force>), <repeat>, <frame>; it belongs in <systems>
>>

case plugin-missing
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>0</q0>
      <fInt plugin="Nowhere:f"/>
    </LagrangianDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 69
stderr <<
nssim: error: m.xml:5: <fInt> of <LagrangianDS id="a">: plug-in "Nowhere:f": no Nowhere.so or Nowhere.c in . (the model's folder); --plugin-path adds folders to search
>>

case plugin-not-here
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x y">
      <q0>1 0</q0>
      <mass plugin="P:f"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1">
    <TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: unknown attribute plugin, expected one of: diag, file, band, dataset
nssim: error: m.xml:5: <mass> of <LagrangianLinearTIDS id="ball">: is empty, expected a matrix of n x n; write its entries, or remove <mass>
>>

case more-than-fifty-errors
run (echo '<model xmlns="urn:nssim:model:1"><systems>'; for i in $(seq 60); do echo '<what/>'; done; echo '</systems></model>') >m.xml; nssim check m.xml 2>&1 >/dev/null | tail -n 2 >&2; nssim check m.xml 2>/dev/null
exit 65
stderr <<
nssim: error: m.xml:51: <what> is not allowed in <systems>, expected a system (<LagrangianDS>, <LagrangianLinearTIDS>, <LagrangianLinearDiagonalDS>, <NewtonEulerDS>, <RigidBody2dDS>, <FirstOrderNonLinearDS>, <FirstOrderLinearDS>, <FirstOrderLinearTIDS>), <block>, <netlist>, <repeat>, <frame>
nssim: error: further errors are not shown; correct these first
>>

# ---- all errors in one pass ---------------------------------------------------------------------

# Systems that are wrong are known by their ids, in <repeat> too: b9 is reported, b2 is not.
case unknown-system-beside-bad-systems
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianLinearTIDS id="ball" coordinates="x"><q0>1 2</q0></LagrangianLinearTIDS>
    <repeat index="i" from="1" to="3">
      <LagrangianLinearTIDS id="b{i}" coordinates="x"><q0>1 2 3</q0></LagrangianLinearTIDS>
    </repeat>
  </systems>
  <interactions>
    <interaction id="f" systems="ball b2"><LagrangianLinearTIR><H>1 1</H></LagrangianLinearTIR><NewtonImpactNSL e="1"/></interaction>
    <interaction id="g" systems="bal"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="1"/></interaction>
    <interaction id="h" systems="b9"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e="2"/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:3: <q0> of <LagrangianLinearTIDS id="ball">: has 2 entries, expected 1: as many as there are names in coordinates
nssim: error: m.xml:5: <q0> of <LagrangianLinearTIDS id="b{i}">: has 3 entries, expected 1: as many as there are names in coordinates
nssim: error: m.xml:10: <interaction id="g">: unknown system bal, did you mean ball?
nssim: error: m.xml:11: <interaction id="h">: unknown system b9, did you mean b1?
nssim: error: m.xml:11: <NewtonImpactNSL>: attribute e is 2, expected a number in [0, 1]: coefficient of restitution
>>

# A mistyped element is read as the one that was meant: its own errors are told, and its id is known.
case mistyped-elements-are-read-on
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <sistems>
    <LagrangianLinearTDS id="ball" coordinates="x"><Q0>1</Q0><fext>-k</fext></LagrangianLinearTDS>
  </sistems>
  <interactions>
    <interaction id="g" systems="ball"><LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR><NewtonImpactNSL e="1"/></interaction>
  </interactions>
  <simulation T="1"><TimeSteping h="0.1"><MoreauJeanOSI/></TimeSteping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: unknown element <sistems> in <model>, did you mean <systems>?
nssim: error: m.xml:3: unknown element <LagrangianLinearTDS> in <systems>, did you mean <LagrangianLinearTIDS>?
nssim: error: m.xml:3: unknown element <Q0> in <LagrangianLinearTIDS>, did you mean <q0>?
nssim: error: m.xml:3: unknown element <fext> in <LagrangianLinearTIDS>, did you mean <fExt>?
nssim: error: m.xml:3: <fExt> of <LagrangianLinearTIDS id="ball">: in "-k", column 2: unknown name "k"; declare it as a <parameter>
nssim: error: m.xml:8: unknown element <TimeSteping> in <simulation>, did you mean <TimeStepping>?
>>

# One that nobody knows stands for what is missing, and its id may be referred to.
case strangers-are-told-once
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><CosseratRodDS id="ball"/></systems>
  <interactions>
    <interaction id="g" systems="ball"><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><BinaryCohesiveNSL/></interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.1"><NewMarkAlphaOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <CosseratRodDS> is not allowed in <systems>, expected a system (<LagrangianDS>, <LagrangianLinearTIDS>, <LagrangianLinearDiagonalDS>, <NewtonEulerDS>, <RigidBody2dDS>, <FirstOrderNonLinearDS>, <FirstOrderLinearDS>, <FirstOrderLinearTIDS>), <block>, <netlist>, <repeat>, <frame>
nssim: error: m.xml:4: <BinaryCohesiveNSL> is not allowed in <interaction>, expected a law (<NewtonImpactNSL>, <MultipleImpactNSL>, <NewtonImpactFrictionNSL>, <FremondImpactFrictionNSL>, <CohesiveFrictionNSL>, <CompliantFrictionNSL>, <PluginNSL>, <NewtonImpactRollingFrictionNSL>, <ComplementarityConditionNSL>, <MixedComplementarityConditionNSL>, <EqualityConditionNSL>, <RelayNSL>, <NormalConeNSL>, <PiecewiseLinearNSL>)
nssim: error: m.xml:6: <NewMarkAlphaOSI> is not allowed in <TimeStepping>, expected an integrator (<MoreauJeanOSI>, <MoreauJeanGOSI>, <MoreauJeanDirectProjectionOSI>, <MoreauJeanCombinedProjectionOSI>, <SchatzmanPaoliOSI>, <D1MinusLinearOSI>, <EulerMoreauOSI>, <ZeroOrderHoldOSI>), a one-step problem (<LCP>, <MLCP>, <Relay>, <AVI>, <FrictionContact>, <RollingFrictionContact>, <GenericMechanical>); it belongs in <EventDriven>
>>

case decimal-comma
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="g" value="9,81"/></parameters>
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0,1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <parameter name="g">: attribute value: in "9,81", column 2: found ",", expected a decimal point
nssim: error: m.xml:4: <TimeStepping>: attribute h: in "0,1", column 2: found ",", expected a decimal point
>>

case unknown-solver
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="ball" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <simulation T="1">
    <TimeStepping h="0.1"><MoreauJeanOSI/>
      <LCP solver="lemk"/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <LCP>: attribute solver is "lemk", did you mean "lemke"?
>>

case less-than-in-a-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0><fExt>t < 1 ? 1 : 0</fExt></LagrangianLinearTIDS></systems>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: not well-formed XML: startTag: invalid element name; in a formula write &lt; for <
>>

case and-in-a-formula
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="a" coordinates="x"><q0>1</q0><fExt>t > 1 && 2 > t</fExt></LagrangianLinearTIDS></systems>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: not well-formed XML: xmlParseEntityRef: no name; write &amp; for &
>>

# ---- remedies --------------------------------------------------------------------------------------

case units-and-signs-of-other-worlds
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="L" value="10 cm"/></parameters>
  <systems>
    <LagrangianDS id="a" coordinates="phi">
      <q0>30°</q0>
      <v0>1,5 0</v0>
      <fInt>c*phidot</fInt>
      <fGyr>phi_dot</fGyr>
    </LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="5ms"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <parameter name="L">: attribute value: in "10 cm", column 4: found "cm", expected an operator (* for a product) or the end; write value="10" unit="cm"
nssim: error: m.xml:5: <q0> of <LagrangianDS id="a">: in "30°", column 3: found "°", write *pi/180
nssim: error: m.xml:6: <v0> of <LagrangianDS id="a">: has 3 entries, expected 1: n = 1 by coordinates; a comma separates entries, the decimal sign is a point
nssim: error: m.xml:7: <fInt> of <LagrangianDS id="a">: in "c*phidot", column 1: unknown name "c"; declare it as a <parameter>
nssim: error: m.xml:8: <fGyr> of <LagrangianDS id="a">: in "phi_dot", column 1: unknown name "phi_dot"; the velocity of phi is v_phi
nssim: error: m.xml:11: <TimeStepping>: attribute h: in "5ms", column 2: found "ms", expected an operator (* for a product) or the end; numbers are in SI units, without their names: write 0.005
>>

case units-in-formulas
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="m" value="1"/></parameters>
  <systems>
    <LagrangianDS id="a" coordinates="x">
      <q0>1 m</q0>
      <v0>2 cm</v0>
      <mass>2m</mass>
      <fInt>sin(30deg) + 2 N/mm*x + time</fInt>
      <fGyr>1 kN</fGyr>
    </LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="5*ms"><MoreauJeanOSI theta="2*PI"/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:5: <q0> of <LagrangianDS id="a">: has 2 entries, expected 1: as many as there are names in coordinates; white space separates entries: in a formula write * for a product
nssim: error: m.xml:6: <v0> of <LagrangianDS id="a">: in "cm", column 1: unknown name "cm"; that is a unit: numbers are in SI units, without their names
nssim: error: m.xml:7: <mass> of <LagrangianDS id="a">: in "2m", column 2: found "m", expected an operator (* for a product) or the end
nssim: error: m.xml:8: <fInt> of <LagrangianDS id="a">: in "sin(30deg) + 2", column 7: found "deg", expected "," or the ")" for the "(" of column 4; angles are in rad: write 30*pi/180
nssim: error: m.xml:8: <fInt> of <LagrangianDS id="a">: in "N/mm*x + time", column 1: unknown name "N"; declare it as a <parameter>
nssim: error: m.xml:9: <fGyr> of <LagrangianDS id="a">: in "kN", column 1: unknown name "kN"; that is a unit: numbers are in SI units, without their names
nssim: error: m.xml:12: <TimeStepping>: attribute h: in "5*ms", column 3: unknown name "ms"; that is a unit: numbers are in SI units, without their names
nssim: error: m.xml:12: <MoreauJeanOSI>: attribute theta: in "2*PI", column 3: unknown name "PI"; write pi
>>

case words-of-other-programs
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems><body id="a"><position>0 0 1 1 0 0 0</position><ball r="0.1" density="1"/></body></systems>
  <contacts><NewtonImpactFrictionNSL restitution="0" friction="0.3"/><Ground/></contacts>
  <simulation tend="1"><TimeStepping dt="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: unknown element <body> in <systems>, did you mean <NewtonEulerDS>?
nssim: error: m.xml:2: unknown element <position> in <NewtonEulerDS>, did you mean <q0>?
nssim: error: m.xml:2: unknown element <ball> in <NewtonEulerDS>, did you mean <Sphere>?
nssim: error: m.xml:2: <Sphere>: unknown attribute r, did you mean radius?
nssim: error: m.xml:3: <NewtonImpactFrictionNSL>: unknown attribute restitution, did you mean en?
nssim: error: m.xml:3: <NewtonImpactFrictionNSL>: unknown attribute friction, did you mean mu?
nssim: error: m.xml:3: unknown element <Ground> in <contacts>, did you mean <Plane>?
nssim: error: m.xml:4: <simulation>: unknown attribute tend, did you mean T?
nssim: error: m.xml:4: <TimeStepping>: unknown attribute dt, did you mean h?
>>

case include-missing-is-told-once
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <xi:include href="parts.xml"/>
  <simulation T="1"><TimeStepping h="0.1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:2: <xi:include>: cannot open parts.xml: No such file or directory; write its path from the folder of the file that names it
>>

# A model cannot write to the terminal: an id with a line end or a control sequence of two bytes.
case control-characters-in-a-message
file m.xml <<
<model xmlns="urn:nssim:model:1"><systems><LagrangianDS id="a&#10;nssim: done&#x9b;31m"><q0>0</q0></LagrangianDS></systems></model>
>>
run nssim check m.xml
exit 65
stderr-match ^nssim: error: m\.xml:1: <LagrangianDS id="a nssim: done  31m">

# An attribute that is an element, or belongs to an element below; a function by its name in other languages.
case attributes-that-belong-elsewhere
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <parameters><parameter name="e" value="80%"/></parameters>
  <systems id="all">
    <LagrangianLinearTIDS id="ball" coordinates="x" mass="2">
      <q0>ln(2)</q0>
      <mass>1</mass>
      <fExt>-9.81*pi()</fExt>
    </LagrangianLinearTIDS>
  </systems>
  <simulation T="1" h="0.01">
    <TimeStepping><MoreauJeanOSI/></TimeStepping>
  </simulation>
</model>
>>
run nssim check m.xml
exit 65
stderr-match <parameter name="e">: attribute value: in "80%", column 3: found "%", write a fraction, such as 0\.8 for 80 %$
stderr-match <systems>: unknown attribute id, expected none$
stderr-match <LagrangianLinearTIDS id="ball">: unknown attribute mass, which is an element: <mass>\.\.\.</mass>$
stderr-match unknown function "ln", write log$
stderr-match unknown function "pi", write pi without \(\)$
stderr-match <simulation>: unknown attribute h, which is an attribute of <EventDriven>, <TimeStepping>$

case quantity-without-its-system
run nssim $MODELS/bouncing-ball/bouncing-ball.xml -q --t-end 0.1 -o b.csv && nssim plot b.csv phi -o b.svg
exit 2
stderr-match no quantity "phi"; did you mean "ball\.phi"\?$
