# SPDX-License-Identifier: GPL-3.0-or-later
# nssim explain, nssim schema: the language as its table tells it. tests/io/test_language.c holds the contents.

case overview
run nssim explain
stdout-match ^system$
stdout-match ^  LagrangianLinearTIDS +M dv
stderr <<
>>

case attribute
run nssim explain MoreauJeanOSI.theta
stdout <<
<MoreauJeanOSI>
  theta
      weight of the end of the step
      real in [0, 1], default 0.5
>>

case value
run nssim explain '<LagrangianDS>.fExt'; nssim explain LagrangianDS.fExt
stdout-match written as text, file=, plugin=; formulas of t, z, parameters and indices

case include-by-its-short-name
run nssim explain include
stdout-match ^<xi:include>, model part$

case json-of-all
run nssim explain --json >all.json
verify python3 -c 'import json; e = {x["name"]: x for x in json.load(open("all.json"))}; assert e["LCP"]["attributes"][1]["default"] == "1e-10"; assert e["interaction"]["children"][1]["group"] == "law"'

case json-of-one-attribute
run nssim explain LCP.storage --json >one.json
verify python3 -c 'import json; a = json.load(open("one.json")); assert a["choices"] == ["auto", "dense", "sparse"], a'

case man-page-is-clean
skip-unless command -v groff
run nssim explain --man >nssim-model.5; groff -man -Tutf8 -ww nssim-model.5 2>&1 >/dev/null
stdout <<
>>

case unknown-element
run nssim explain LagrangianTIDS
exit 2
stderr-match unknown element 'LagrangianTIDS'; did you mean 'LagrangianDS'\?

case value-without-its-element
run nssim explain fInt; nssim explain accumulation; nssim explain theta
stdout-match ^3 elements have fInt\.$
stdout-match ^<LagrangianDS>
stdout-match ^  <fInt>$
stdout-match ^      internal force, on the left-hand side$
stdout-match ^<EventDriven>$
stdout-match ^      word, one of: stick time-stepping stop, default stick$
stdout-match ^accumulation, one of `nssim list events`
stdout-match ^      weight of the end of the step in f$
stdout-match ^<MoreauJeanOSI>, <MoreauJeanGOSI>, <MoreauJeanDirectProjectionOSI>,$

case unknown-attribute
run nssim explain LCP.tolerence
exit 2
stderr-match <LCP> has no 'tolerence'; did you mean 'LCP.tolerance'\?

case two-elements
run nssim explain LCP model
exit 2

case full-device
skip-unless test -w /dev/full
run nssim explain >/dev/full
exit 74

case schema-is-the-one-that-is-built
run nssim schema >nssim.xsd; cmp nssim.xsd $BUILD/schemas/nssim.xsd
stdout <<
>>

case schema-refuses
skip-unless command -v xmllint
file m.xml <<
<model xmlns="urn:nssim:model:1">
  <systems/>
  <simulation><TimeStepping h="1"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
run nssim schema >nssim.xsd; xmllint --noout --schema nssim.xsd m.xml
exit 3
stderr-match attribute 'T' is required

# other words: what `nssim list` has by that name, and where texts hold it
case words-of-lists-and-texts
run nssim explain Sat; nssim explain 70; nssim explain lemke; nssim explain restitution; nssim explain interrupted; nssim explain signal; nssim explain lexicographic
stdout-match ^sat, one of `nssim list functions`: sat\(x, a, b\)
stdout-match ^70, one of `nssim list statuses`: numerical failure
stdout-match one of `nssim list solvers`
stdout-match ^'restitution' is in these names and texts; `nssim explain NAME` describes an element, `nssim list TOPIC` a topic:$
stdout-match ^  NewtonImpactNSL\.e +coefficient of restitution$
stdout-match ^interrupted, one of `nssim list results`: status of a run: a signal or a limit
stdout-match ^  results: interrupted +status of a run: a signal
stdout-match ^  solvers: lemke +Lemke's complementary pivoting

# a name that was not finished: the elements of that name first, each once
case parts-of-names
run nssim explain newtonimpact | sed -n '2,4p' | cut -d' ' -f3; nssim explain newtonimpact | grep -c '^  NewtonImpactNSL '
stdout <<
NewtonImpactNSL
NewtonImpactFrictionNSL
NewtonImpactRollingFrictionNSL
1
>>

# names of events, and of what formulas read of one
case words-of-events
run for w in event.impulse event.energy_lost event.velocity_before event.velocity_after impact slip; do nssim explain $w; done | cut -d: -f1,2; nssim explain event.foo
exit 2
stdout <<
event.impulse, one of `nssim list events`: in formulas with event=
event.energy_lost, one of `nssim list events`: in formulas with event=
event.velocity_before, one of `nssim list events`: in formulas with event=
event.velocity_after, one of `nssim list events`: in formulas with event=
impact, one of `nssim list events`: kind of event
slip, one of `nssim list events`: kind of event
>>
stderr-match <event> has no 'foo'

case words-that-nothing-knows
run nssim explain xyzzy
exit 2
stderr <<
nssim: error: unknown element 'xyzzy'; `nssim explain` lists them
Try 'nssim explain --help'.
>>

# most write but the beginning of a name
case mistyped-beginning
run nssim explain NewtonImpct
exit 2
stderr-match unknown element 'NewtonImpct'; did you mean 'NewtonImpactNSL'\?
