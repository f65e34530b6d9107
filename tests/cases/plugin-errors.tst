# SPDX-License-Identifier: GPL-3.0-or-later
# What goes wrong with plug-ins: one sentence, status 69, and the results so far are there.

case missing-file
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems>
    <LagrangianLinearTIDS id="s">
      <q0>0</q0>
      <fExt plugin="Lub:f"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void f(double t, unsigned n, double *o) { (void)t; while (n) o[--n] = 0; }
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match ^nssim: error: m\.xml:5: .*plug-in "Lub:f": no Lub\.so or Lub\.c in .*did you mean "Lib"\?
absent m.csv

case missing-function
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems>
    <LagrangianLinearTIDS id="s">
      <q0>0</q0>
      <fExt plugin="Lib:force"/>
    </LagrangianLinearTIDS>
  </systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void Force(double t, unsigned n, double *o) { (void)t; while (n) o[--n] = 0; }
>>
run nssim check m.xml
exit 69
stderr-match ^nssim: error: m\.xml:5: .*there is no function "force" in .*Lib\.c; did you mean "Force"\?

case does-not-compile
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void f(void)
{
  nonsense x;
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match Lib\.c does not compile:
stderr-match Lib\.c:3:

case outside-the-folder
file m/m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="../Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void f(double t, unsigned n, double *o) { (void)t; while (n) o[--n] = 0; }
>>
run nssim run m/m.xml -o m.csv
exit 69
stderr-match outside its folder; .*--plugin-path

# A crash at t = 0.005: the rows before it are in the file.
case crash-keeps-the-results
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void f(double t, unsigned n, double *o)
{
  while (n) o[--n] = 0;
  if (t > 0.0055) *(volatile double *)8 = 0;
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match ^nssim: error: m\.xml:[0-9]+: <fExt> of <[A-Za-z]+ id="[a-z]+">: plug-in "Lib:f" crashed \(segmentation fault, SIGSEGV, address 0x8\)
verify grep -c '^0\.00[0-9]' m.csv | grep -x 5
# no row from beyond the crash
content-not m.csv ^0\.00[6-9]

case abort-keeps-the-results
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <assert.h>
void f(double t, unsigned n, double *o)
{
  while (n) o[--n] = 0;
  assert(t < 0.0055);
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match Assertion `t < 0\.0055' failed
stderr-match plug-in "Lib:f" crashed \(abort.*, SIGABRT\)
verify grep -c '^0\.00[0-9]' m.csv | grep -x 5

case nan-names-entry-and-time
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0 0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <math.h>
void f(double t, unsigned n, double *o)
{
  while (n) o[--n] = 0;
  if (t > 0.0055) o[1] = NAN;
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match plug-in "Lib:f" wrote -?nan to entry \[1\] .* t = 0\.006
verify grep -c '^0\.00[0-9]' m.csv | grep -x 5

case exit-is-not-success
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <stdlib.h>
void f(double t, unsigned n, double *o)
{
  while (n) o[--n] = 0;
  if (t > 0.0055) exit(0);
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match plug-in "Lib:f" called exit\(\)

# A gap that fails at the end of a step: the step is not taken, the last good state is that of the row before.
case gap-that-fails-leaves-the-last-state
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s" coordinates="x"><q0>1</q0><v0>-1</v0></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="wall" systems="s">
      <LagrangianScleronomousR><h plugin="Lib:h"/><H>1</H></LagrangianScleronomousR>
      <NewtonImpactNSL e="0"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.125"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
#include <math.h>
void h(unsigned n, const double *q, unsigned m, double *y, unsigned nz, double *z)
{
  y[0] = q[0] > 0.45 ? q[0] : NAN;
}
>>
run nssim run m.xml -o m.csv
exit 69
stderr-match plug-in "Lib:h" wrote -?nan to entry \[0\] .* t = 0\.625
stdout-match 4 steps to t = 0\.5 s
stdout-match final state  s: x = 0\.5,
verify tail -n 1 m.csv | grep '^0\.5,0\.5,'

case gap-by-formula-that-fails-leaves-the-last-state
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s" coordinates="x"><q0>1</q0><v0>-1</v0></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="wall" systems="s">
      <LagrangianScleronomousR><h>sqrt(x-0.45)+3</h></LagrangianScleronomousR>
      <NewtonImpactNSL e="0"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.125"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim run m.xml -o m.csv
exit 70
stderr-match <interaction id="wall">: <h> is not finite at t = 0\.625 s: sqrt\(x - 0\.45\) is nan with x = 0\.375; the last good state, at t = 0\.5 s, is kept
stdout-match 4 steps to t = 0\.5 s
verify tail -n 1 m.csv | grep '^0\.5,0\.5,'

case cone-of-a-plug-in
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s" coordinates="x"><q0>1</q0></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="i" systems="s">
      <LagrangianScleronomousR><h plugin="Lib:h"/><H>1</H></LagrangianScleronomousR>
      <NormalConeNSL><H>1</H><k>-1</k></NormalConeNSL>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.125"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void h(unsigned n, const double *q, unsigned m, double *y, unsigned nz, double *z)
{
  y[0] = q[0];
}
>>
run nssim check m.xml
exit 65
stderr <<
nssim: error: m.xml:4: <interaction id="i">: <h> is a plug-in with the law NormalConeNSL, whose rows are composed with those of the relation, expected formulas
>>
