# SPDX-License-Identifier: GPL-3.0-or-later
# What of a model is changed from outside: -p of the simulation, --set by paths, words and paths as axes of studies.

# The same bytes as by an editor, whatever is drawn; and the text kept with the result is that of what ran.
case as-by-an-editor
copy cli/ball.xml
file random.py <<
import os, random, re, subprocess, sys
random.seed(int(sys.argv[1]))
base = open("ball.xml").read()
where = {"simulation@T": (r'T="10"', 'T="%s"'), "TimeStepping@h": (r'h="0.005"', 'h="%s"'), "#ball/q0": (r"<q0>1 0", "<q0>%s 0"),
         "model/systems/LagrangianLinearTIDS#ball/v0": ("<v0>0 0", "<v0>%s 0"), "parameter[1]@value": ('value="1"', 'value="%s"'),
         "/parameters/#g@value": ('value="9.81"', 'value="%s"'), "interaction/NewtonImpactNSL@e": (' e="e"', ' e="%s"'),
         "#ball/fExt": ("-m\\*g 0", "%s*m*g 0"), "MoreauJeanOSI@theta": ('theta="0.5"', 'theta="%s"'), "#ball/mass@diag": ("m m", "m %s")}
low = {"simulation@T": (0.3, 0.6), "TimeStepping@h": (0.002, 0.01), "interaction/NewtonImpactNSL@e": (0.1, 0.5), "MoreauJeanOSI@theta": (0.5, 1)}
for run in range(12):
    text, words = base, []
    for path in random.sample(sorted(where), random.randint(1, len(where))):
        value = repr(round(random.uniform(*low.get(path, (0.5, 3))), 4))
        text = re.sub(where[path][0], where[path][1] % value, text)
        words += ["--set", path + "=" + (value + " 0" if path.endswith(("q0", "v0")) else value + "*m*g 0" if "fExt" in path
                                         else "m " + value if "mass" in path else value)]
    open("e.xml", "w").write(text)
    if "simulation@T" not in " ".join(words): words += ["-p", "T=0.5"]; text = text.replace('T="10"', 'T="0.5"')
    open("e.xml", "w").write(text)
    for model, more, out in (("e.xml", [], "a"), ("ball.xml", words, "b")):
        subprocess.run([os.environ["NSSIM"], "-q", model, "-o", out + ".csv"] + more, check=True)
    assert open("a.csv").read() == open("b.csv").read(), words
subprocess.run([os.environ["NSSIM"], "-q", "ball.xml", "-o", "b.h5"] + words, check=True)
print("same")
>>
run python3 random.py 1 && python3 random.py 2
stdout <<
same
same
>>
verify h5dump -d /model/xml b.h5 | grep -q 'T=' && ! h5dump -d /model/xml b.h5 | grep -q 'T="10"'

case options-of-a-run-as-in-a-study
copy cli/ball.xml
run nssim -q ball.xml -p h=0.01 -p T=1 -p solver=pgs -p e=0.5 -o a.csv && sed -n 's/.*"h": \([0-9.]*\).*/\1/p' a.json; nssim -q ball.xml -p ' scheme = D1MinusLinearOSI' -p simulation.T=1 --json | grep -c D1MinusLinearOSI
stdout <<
0.01
1
>>
verify $CASES/measure a.csv 'len(t) == 101'

case paths-that-mean-nothing
copy cli/ball.xml
run for s in '#bal/q0=3' 'ball/q0=3' '#ball@q0=1' 'TimeStepping/h=1' 'simulation/TimeSteping@h=1' 'TimeStepping@hh=2' '#ball/dExt=1' '#ball/C=1' 'parameter@value=2' 'parameter[9]@value=1' 'scheme=D1MinusLinearOS' 'e=2' '#ball/mass=2' 'TimeStepping=4' 'simulation/TimeStepping=4' 'a[=3' '[0]=3' 'solvr=pgs' 'h=' '#ball//q0=1' '@nme=x' '#ball/mass@file=x' 'ball.q0=1' 'ball=1'; do nssim ball.xml --set "$s"; done; nssim ball.xml -p hh=2; nssim ball.xml --set h; nssim ball.xml --set NewtonImpactNSL@e=7
exit 65
stderr <<
nssim: error: #bal/q0: the model has no #bal there, did you mean #ball/q0?
nssim: error: ball/q0: ball is an id, did you mean #ball/q0?
nssim: error: #ball@q0: q0 is an element, not an attribute; did you mean #ball/q0?
nssim: error: TimeStepping/h: h is an attribute, did you mean TimeStepping@h?
nssim: error: simulation/TimeSteping@h: the model has no TimeSteping there, did you mean simulation/TimeStepping@h?
nssim: error: TimeStepping@hh: <TimeStepping> has no attribute hh, did you mean TimeStepping@h?
nssim: error: #ball/dExt: the model has no dExt there, did you mean #ball/fExt?
nssim: error: #ball/C: <C> is allowed in <LagrangianLinearTIDS>, but the file contains none to change; write it there
nssim: error: parameter@value: 3 elements match (lines 7 and 8, ...), expected one; write parameter#m@value for the first
nssim: error: parameter[9]@value: the model has 3 of parameter[9], expected [N] up to that
nssim: error: scheme=D1MinusLinearOS: expected an integrator of <TimeStepping>, did you mean D1MinusLinearOSI?
nssim: error: e is a parameter, expected -p e=VALUE
nssim: error: #ball/mass: ball.xml:15: <mass> of <LagrangianLinearTIDS id="ball"> is given as diag, did you mean #ball/mass@diag?
nssim: error: the model has no parameter or option TimeStepping to be set; `nssim check` lists them
nssim: error: simulation/TimeStepping: <TimeStepping> contains no text, expected an attribute of it: simulation/TimeStepping@h=
nssim: error: a[: expected [N] with a number from 1, such as [2]
nssim: error: [0]: expected [N] with a number from 1, such as [2]
nssim: error: the model has no parameter or option solvr to be set, did you mean solver?
nssim: error: h: no value, expected NAME=VALUE or PATH=VALUE
nssim: error: #ball//q0: expected steps ELEMENT, #ID or ELEMENT#ID with [N] where there are several, separated by /, with @ATTRIBUTE after the last, such as #ball/q0 or simulation/TimeStepping@h
nssim: error: @nme: <model> has no attribute nme, did you mean @name?
nssim: error: #ball/mass@file: ball.xml:15: <mass> of <LagrangianLinearTIDS id="ball"> is given as diag, did you mean #ball/mass@diag?
nssim: error: ball.q0: is not a path, did you mean #ball/q0?
nssim: error: ball: ball is an id, expected a path: #ball/ELEMENT for an element in it, #ball@ATTRIBUTE for an attribute
nssim: error: the model has no parameter or option hh to be set, did you mean h?
nssim: error: --set 'h': expected PATH=VALUE, such as --set '#ball/q0=2 0'
Try 'nssim run --help'.
nssim: error: ball.xml:22: <NewtonImpactNSL>: attribute e is 7, expected a number in [0, 1]: coefficient of restitution
nssim: note: the model with --set NewtonImpactNSL@e=7: line numbers are those of the file, contents are those with --set
>>

case words-as-axes-of-a-study
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
  <override name="T" value="1"/>
  <grid><list name="scheme" values="MoreauJeanOSI, D1MinusLinearOSI"/><list name="solver" values="lemke auto"/></grid>
  <list name="MoreauJeanOSI@theta" values="0.5 0.75"/>
</study>
>>
file b.csv <<
"#ball/v0",solver
1 0,pgs
2 0,
>>
run nssim sweep s.xml -o D -q && cut -d, -f3-7 D/measures.csv; h5dump -d /parameters/solver D/measures.h5 | grep '(0)'; nssim sweep b.csv --model ball.xml -o E -q; nssim sweep b.csv --model ball.xml -o E --dry-run; nssim plot D/measures.csv scheme:ball.x --by solver -o a.svg && nssim plot D/measures.h5 scheme:ball.x --by solver -o b.svg; for f in a b; do grep -o "D1MinusLinearOSI\|lemke" $f.svg; done | sort -u
stdout <<
status,T,scheme,solver,MoreauJeanOSI@theta
complete,1,MoreauJeanOSI,lemke,0.5
complete,1,MoreauJeanOSI,auto,0.5
complete,1,D1MinusLinearOSI,lemke,0.5
complete,1,D1MinusLinearOSI,auto,0.5
complete,1,,,0.5
complete,1,,,0.75
   (0): lemke, auto, lemke, auto, (as the model), (as the model)
1  done  #ball/v0 = 1 0, solver = pgs
2  done  #ball/v0 = 2 0
2 runs, 0 to do
D1MinusLinearOSI
lemke
>>

# units stand at the axes of a sweep's picture, whichever of its tables is named; not where the CSV was written anew
case units-of-a-sweep
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <parameters><parameter name="k" value="10" unit="N/m"/></parameters>
  <systems><LagrangianLinearTIDS id="s" coordinates="x"><q0>1</q0><mass>1</mass><K>k</K></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="1e-2"><MoreauJeanOSI theta="0.5"/></TimeStepping></simulation>
  <measures><measure id="low" kind="min" unit="mm">1000*x</measure></measures>
</model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml">
  <grid><list name="k" values="10 20"/><list name="simulation/TimeStepping/MoreauJeanOSI@theta" values="0.5 1"/></grid>
</study>
>>
skip-unless command -v gnuplot
run nssim sweep s.xml -o D -q && nssim info D/measures.h5 | sed -n 2,3p && nssim info D/measures.csv | sed -n 2,3p && nssim plot D k:low -o a.svg && nssim plot D/measures.csv k:low -o b.svg && cd D && nssim plot measures.csv k:low -o c.svg && nssim plot measures.h5 k:low -o d.svg && touch -d 2000-01-01 measures.h5 && nssim plot measures.csv k:low -o e.svg && for f in ../a ../b c d e; do grep -o ">\(k\|low\)\( .*\)\?</text>" $f.svg | sort -u | paste -sd' '; done
stdout <<
  status       measures of a sweep
  rows         4, one for each run
  status       measures of a sweep
  rows         4, one for each run
>k [N/m]</text> >low [mm]</text>
>k [N/m]</text> >low [mm]</text>
>k [N/m]</text> >low [mm]</text>
>k [N/m]</text> >low [mm]</text>
>k</text> >low</text>
>>

# an entry of a vector is not set by itself
case entries-of-vectors-are-not-set
file m.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <parameters><vector name="k" values="1 2 3"/><parameter name="a" value="2"/></parameters>
  <systems><FirstOrderLinearTIDS id="s"><x0>k[1]</x0></FirstOrderLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.5"><EulerMoreauOSI/></TimeStepping></simulation>
</model>
>>
run for p in 'k[1]=5' 'k[7]=5' 'a[0]=5'; do nssim m.xml -p "$p" -q -o -; done; nssim m.xml -p 'k=4 5 6' -q -o - --record s.x | tail -1
stdout <<
1,5
>>
stderr <<
nssim: error: k[1]: k is a vector and is set as a whole, expected -p k="VALUES", now "1 2 3"
nssim: error: k[7]: k is a vector and is set as a whole, expected -p k="VALUES", now "1 2 3"
nssim: error: a[0]: a is one number, expected -p a=VALUE
>>

# systems of a <repeat> change together; a system that is not there is not one of them
case paths-to-what-is-repeated
file m.xml <<
<model xmlns="urn:nssim:model:1" name="n">
  <systems><repeat index="i" from="1" to="3"><LagrangianLinearTIDS id="b{i}a" coordinates="x"><q0>i</q0><mass>1</mass></LagrangianLinearTIDS></repeat></systems>
  <simulation T="1"><TimeStepping h="0.5"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run for s in '#b2a/q0=5' 'systems/repeat/LagrangianLinearTIDS#b12a@id=x' '#bza/q0=1' '#b2/q0=1'; do nssim m.xml --set "$s"; done; nssim m.xml -q --set '#b{i}a/q0=2*i' -o - --record 'b*.q' | tail -1
stdout <<
1,2,4,6
>>
stderr <<
nssim: error: #b2a/q0: b2a is generated by a <repeat>, whose elements change together, did you mean #b{i}a/q0?
nssim: error: systems/repeat/LagrangianLinearTIDS#b12a@id: b12a is generated by a <repeat>, whose elements change together, did you mean systems/repeat/LagrangianLinearTIDS#b{i}a@id?
nssim: error: #bza/q0: the model has no #bza
nssim: error: #b2/q0: the model has no #b2
>>
