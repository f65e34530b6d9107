# SPDX-License-Identifier: GPL-3.0-or-later
# Models that are right, in the less common ways to write them.

case plug-in-beside-the-model
skip-unless command -v cc
file Spring.c <<
/* A spring and its stiffness matrix. */
void force(double t, unsigned n, const double *q, const double *v, double *f, unsigned nz, double *z)
{
  (void)t, (void)v, (void)nz, (void)z;
  for (unsigned i = 0; i < n; i++) f[i] = 100 * q[i];
}
void stiffness(double t, unsigned n, const double *q, const double *v, double *K, unsigned nz, double *z)
{
  (void)t, (void)q, (void)v, (void)nz, (void)z;
  for (unsigned i = 0; i < n * n; i++) K[i] = i % (n + 1) ? 0 : 100;
}
>>
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems>
    <LagrangianDS id="a" coordinates="x y">
      <q0>1 0</q0>
      <fInt plugin="Spring:force"/>
      <jacobianFIntq plugin="Spring:stiffness"/>
      <jacobianFIntqDot>0 0; 0 0</jacobianFIntqDot>
    </LagrangianDS>
    <LagrangianDS id="b" coordinates="x">
      <q0>1</q0>
      <fInt plugin="Spring:force"/>
    </LagrangianDS>
  </systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
stdout-match ^good$

case standard-input
stdin <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="a"><q0>1</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check -
stdout-match ^good$

case standard-input-with-an-error
stdin <<
<model xmlns="urn:nssim:model:1">
  <systems><LagrangianLinearTIDS id="a"><q0>b</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check -
exit 65
stderr <<
nssim: error: standard input:2: <q0> of <LagrangianLinearTIDS id="a">: in "b", column 1: unknown name "b"; declare it as a <parameter>
>>

case hint-for-editors-is-no-attribute
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:schemaLocation="urn:nssim:model:1 nssim.xsd">
  <!-- comments and <?instructions?> are skipped -->
  <?editor fold?>
  <systems><LagrangianLinearTIDS id="a"><q0>1 <!-- metre --> 2</q0></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check m.xml
stdout-match 1 system, 2 degrees of freedom

case include-by-link-inside-the-folder
file parts/a.xml <<
<LagrangianLinearTIDS xmlns="urn:nssim:model:1" id="a"><q0>1</q0></LagrangianLinearTIDS>
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems><xi:include href="link%20to%20a.xml"/></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
setup ln -s parts/a.xml 'link to a.xml'
run nssim check m.xml
stdout-match ^good$

case include-from-an-allowed-folder
file elsewhere/a.xml <<
<LagrangianLinearTIDS xmlns="urn:nssim:model:1" id="a"><q0>1</q0></LagrangianLinearTIDS>
>>
file model/m.xml <<
<model xmlns="urn:nssim:model:1" xmlns:xi="http://www.w3.org/2001/XInclude">
  <systems><xi:include href="../elsewhere/a.xml"/></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim check model/m.xml 2>/dev/null; nssim check --allow-include elsewhere model/m.xml
stdout-match ^good$
