# SPDX-License-Identifier: GPL-3.0-or-later
# Models with plug-ins run.

case example-of-the-manual
skip-unless command -v cc
setup page=$TOP/man/nssim-plugin.7; sed -n '/^<model/,/^<\/model>/p' $page >ball.xml; { echo '#include <nssim/plugin.h>'; sed -n '/^NSSIM_PLUGIN("Ball/,/^}/{/^\.[A-Z]/d; s/\\-/-/g; p}' $page; } >BallPlugin.c
run nssim run ball.xml -o ball.csv
# q(0.4) = 1 - g t^2 / 2: the scheme is exact for a constant force
verify awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ball.x") k = i } END { d = $k - 0.2152; print $0; exit !(k && $1 > 0.3999 && d < 1e-13 && d > -1e-13) }' ball.csv

# The double pendulum by functions in C and by formulas: the same motion, the rounding apart.
case pendulum-as-by-formulas
skip-unless command -v cc
file plugin.xml <<
<model xmlns="urn:nssim:model:1" name="pendulum">
  <systems>
    <LagrangianDS id="p" coordinates="a b">
      <q0>2 1</q0>
      <v0>0.5 -1</v0>
      <mass plugin="PendulumPlugin:mass"/>
      <fInt plugin="PendulumPlugin:fInt"/>
      <fGyr plugin="PendulumPlugin:fGyr"/>
      <jacobianFIntq plugin="PendulumPlugin:jacobianFIntq"/>
      <jacobianFIntqDot plugin="PendulumPlugin:jacobianFIntqDot"/>
      <jacobianFGyrq plugin="PendulumPlugin:jacobianFGyrq"/>
      <jacobianFGyrqDot plugin="PendulumPlugin:jacobianFGyrqDot"/>
    </LagrangianDS>
  </systems>
  <simulation t0="0" T="1"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
file formula.xml <<
<model xmlns="urn:nssim:model:1" name="pendulum">
  <systems>
    <LagrangianDS id="p" coordinates="a b">
      <q0>2 1</q0>
      <v0>0.5 -1</v0>
      <mass>1.5 0.4*cos(a-b); 0.4*cos(a-b) 0.32</mass>
      <fInt>1.5*9.81*sin(a) 0.4*9.81*sin(b)</fInt>
      <fGyr>0.4*sin(a-b)*v_b^2 -0.4*sin(a-b)*v_a^2</fGyr>
    </LagrangianDS>
  </systems>
  <simulation t0="0" T="1"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
setup cp $TOP/plugins/PendulumPlugin.c .
run nssim run plugin.xml -o plugin.csv && nssim run formula.xml -o formula.csv
verify paste -d, plugin.csv formula.csv | awk -F, 'NR > 1 { for (i = 1; i <= 5; i++) { d = $i - $(i + NF / 2); if (d < 0) d = -d; if (d > m) m = d } } END { print "largest difference", m; exit !(NR > 1000 && m < 1e-8) }'

# Without Jacobians: differenced, and said.
case missing-jacobians-are-differenced
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="pendulum">
  <systems>
    <LagrangianDS id="p" coordinates="a b">
      <q0>2 1</q0>
      <mass plugin="PendulumPlugin:mass"/>
      <fInt plugin="PendulumPlugin:fInt"/>
      <fGyr plugin="PendulumPlugin:fGyr"/>
    </LagrangianDS>
  </systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
setup cp $TOP/plugins/PendulumPlugin.c .
run nssim check m.xml
stdout-match by finite differences in 1 system: fInt, fGyr of p
stdout-match PendulumPlugin-.*\.so: ABI 1, "PendulumPlugin 1\.0"

case found-by-path
setup mkdir lib; echo 'void f(double t, unsigned n, double *o) { (void)t; while (n) o[--n] = 1; }' >f.c; cc -fPIC -shared -o lib/Lib.so f.c
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f"/></LagrangianLinearTIDS></systems>
  <simulation t0="0" T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI theta="0.5"/><LCP/></TimeStepping></simulation>
</model>
>>
run nssim run m.xml --plugin-path lib -o a.csv && NSSIM_PLUGIN_PATH=/nowhere:lib nssim run m.xml -o b.csv
verify tail -n 1 a.csv >a; tail -n 1 b.csv >b; cmp a b

# Rows on standard output are data: what a plug-in prints goes to the messages.
case plugin-prints-beside-the-rows
skip-unless command -v cc
file P.c <<
#include <stdio.h>
#include <unistd.h>
void f(double t, unsigned n, double *f, unsigned nz, double *z);
void f(double t, unsigned n, double *f, unsigned nz, double *z)
{
  (void)nz, (void)z;
  for (unsigned i = 0; i < n; i++) f[i] = 0;
  printf("by printf, t = %g\n", t);
  if (write(1, "by write\n", 9) < 0) f[0] = 1;
}
>>
file m.xml <<
<model xmlns="urn:nssim:model:1"><systems><LagrangianLinearTIDS id="a" coordinates="x"><q0>0</q0><mass>1</mass><fExt plugin="P:f"/></LagrangianLinearTIDS></systems>
<simulation T="1"><TimeStepping h="0.25"><MoreauJeanOSI/></TimeStepping></simulation></model>
>>
run nssim -q m.xml -o - --record a.q
stdout <<
time,a.x
0,0
0.25,0
0.5,0
0.75,0
1,0
>>
stderr-match ^by printf, t = 0\.
stderr-match ^by write

# A plug-in that ends the process: the rows before are kept, and the status says what it was. Its children are its own.
case plug-in-that-ends-the-process
skip-unless command -v cc
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="how" value="0"/></parameters>
  <systems><LagrangianDS id="ball" coordinates="x"><q0>1</q0><z>how</z><fExt plugin="P:force"/></LagrangianDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file P.c <<
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char *words[] = {"true", NULL};
static int once;
void force(double t, unsigned n, double *f, unsigned nz, double *z)
{
  int how = (int)z[0];
  f[0] = -9.81;
  if (t < 0.5) return;
  if (how == 1) exit(0);
  if (how == 2) _exit(0);
  if (how == 3) _Exit(3);
  if (how == 4) quick_exit(0);
  if (how == 11) pthread_exit(NULL);
  if (how == 12) execl("/bin/true", "true", (char *)NULL);
  if (how == 13) execlp("true", "true", (char *)NULL);
  if (how == 14) execle("/bin/true", "true", (char *)NULL, environ);
  if (how == 15) execve("/bin/true", words, environ);
  if (how == 16) execvp("true", words);
  if (how == 8 && !once++) fork(); /* both come back */
  if (how == 9 && !once++) system("exit 1");
  if (how < 5 || how > 10 || (how > 7 && how < 10)) return;
  pid_t child = fork();
  if (child == 0 && how == 10) execlp("true", "true", (char *)NULL);
  if (child == 0 && how == 5) _exit(1);
  if (child == 0 && how == 6) exit(1);
  if (child == 0) abort();
  waitpid(child, 0, 0);
}
>>
run for how in 1 2 3 4; do nssim m.xml -q -p how=$how -o a$how.csv; echo $? $(wc -l <a$how.csv); nssim m.xml -q -p how=$how -o a$how.h5; echo $?; nssim compare -q a$how.csv a$how.h5; done; for how in 0 5 6 7 8 9 10; do nssim m.xml -q -p how=$how -o b$how.csv; echo $? $(wc -l <b$how.csv); done; for how in 5 6 7 8 9 10; do cmp b0.csv b$how.csv; done && echo same; for how in 11 12 13 14 15 16; do nssim m.xml -q -p how=$how -o c.csv; echo $? $(wc -l <c.csv); nssim m.xml -q -p how=$how -o c.h5; echo $?; done
stdout <<
69 51
69
69 51
69
69 51
69
69 51
69
0 102
0 102
0 102
0 102
0 102
0 102
0 102
same
69 51
69
69 51
69
69 51
69
69 51
69
69 51
69
69 51
69
>>
stderr-match plug-in "P:force" called exit\(\) with status 3, which would end the run in the middle of a step; the results up to here are kept
stderr-match plug-in "P:force" called pthread_exit\(\), which would
stderr-match plug-in "P:force" called exec\(\), which would
stderr-not in a thread of its own

# A plug-in that writes 0 to the row of slip of h and does not give H would have no friction: it is told. With H, nothing is told.
case rows-of-slip-without-derivative
skip-unless command -v cc
file Ramp.c <<
#include <nssim/plugin.h>
void gap(unsigned N, const double *Q, unsigned m, double *out, unsigned nz, double *z) { (void)N, (void)m, (void)nz, (void)z; out[0] = Q[1]; out[1] = 0; }
void slip(unsigned N, const double *Q, unsigned m, double *out, unsigned nz, double *z) { (void)N, (void)m, (void)nz, (void)z; out[0] = Q[1]; out[1] = Q[0]; }
void rows(unsigned N, const double *Q, unsigned m, double *out, unsigned nz, double *z) { (void)N, (void)Q, (void)m, (void)nz, (void)z; out[0] = 0; out[1] = 1; out[2] = 1; out[3] = 0; }
>>
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="d" coordinates="x y"><q0>0 0</q0><v0>1 0</v0><mass diag="2 2"/><fExt>0 -20</fExt></LagrangianLinearTIDS></systems>
  <interactions><interaction id="g" systems="d">
    <LagrangianScleronomousR><h plugin="Ramp:gap"/></LagrangianScleronomousR><NewtonImpactFrictionNSL en="0" mu="0.3" size="2"/></interaction></interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run for f in gap slip 'gap"/><H plugin="Ramp:rows'; do sed "s|Ramp:gap|Ramp:$f|" m.xml >f.xml; nssim -q f.xml -o - | tail -1 | cut -d, -f4 | cut -c1-5; done
stdout <<
1
0
0
>>
stderr <<
nssim: warning: f.xml:3: <interaction id="g">: row 1 of h does not depend on the coordinates at t0: there is no slip in its direction, and no friction; give <H>, or write the displacement in this direction
>>
