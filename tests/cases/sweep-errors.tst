# SPDX-License-Identifier: GPL-3.0-or-later
# Studies that are wrong: what is said.

case no-model
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" >
<list name="e" values="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: <study>: attribute model is missing, expected a path: the model, relative to the study and inside its folder; write for instance model="model.xml"
>>

case model-missing
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="other.xml">
<list name="e" values="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: <study>: cannot open other.xml: No such file or directory; write its path from the folder of the file that names it
>>

case model-outside
copy cli/ball.xml
file sub/s.xml <<
<study xmlns="urn:nssim:model:1" model="../ball.xml">
<list name="e" values="1"/>
</study>
>>
run nssim sweep sub/s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: sub/s.xml:1: <study>: sub/../ball.xml lies outside the model's folder, expected a file inside it; move it there or give --allow-include with its folder
>>

case model-outside-allowed
copy cli/ball.xml
file sub/s.xml <<
<study xmlns="urn:nssim:model:1" model="../ball.xml">
<list name="e" values="1"/>
</study>
>>
run nssim sweep sub/s.xml --dry-run --allow-include .
stdout <<
1  run  e = 1
1 runs, 1 to do
>>

case doctype
copy cli/ball.xml
file s.xml <<
<!DOCTYPE study>
<study xmlns="urn:nssim:model:1" model="ball.xml">
<list name="e" values="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: a DOCTYPE is not allowed in a study (it could name other files), expected none; remove it, and write &lt; and &amp; for < and &
>>

case no-axis
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<override name="e" value="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: <study>: the axis is missing, expected one of: <grid>, <zip>, <list>, <range>, <random>, <latinHypercube>, <sobol>, <halton>
>>

case unknown-element
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<lst name="e" values="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: unknown element <lst> in <study>, did you mean <list>?
>>

case unknown-parameter
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<list name="ee" values="1"/>
<list name="hh" values="1"/>
<list name="gibberish" values="1"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <list name="ee">: ball.xml has no parameter or simulation option ee, did you mean e?
nssim: error: s.xml:3: <list name="hh">: ball.xml has no parameter or simulation option hh, did you mean h?
nssim: error: s.xml:4: <list name="gibberish">: ball.xml has no parameter or simulation option gibberish; `nssim check ball.xml` lists its parameters
>>

case vector-is-no-number
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m"><parameters><parameter name="k" value="1"/><vector name="u" values="1 k"/></parameters>
<systems><FirstOrderLinearTIDS id="s"><x0>1 0</x0><b>u[0] u[1]</b></FirstOrderLinearTIDS></systems>
<simulation T="1"><TimeStepping h="0.1"><EulerMoreauOSI/></TimeStepping></simulation></model>
>>
file s.xml <<
<study xmlns="urn:nssim:model:1" model="m.xml">
<list name="u[1]" values="1 2"/>
<list name="u" values="1 2"/>
<list name="k" values="1 2"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <list name="u[1]">: u is a vector, expected a parameter that is one number; a <parameter> can be a value of <vector name="u">
nssim: error: s.xml:3: <list name="u">: u is a vector, expected a parameter that is one number; a <parameter> can be a value of <vector name="u">
>>

case varied-in-a-number
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<grid>
  <list name="e" values="0.5 0.6"/>
  <range name="m" from="e" to="2" count="3"/>
</grid>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:4: <range name="m">: "e" uses e, which varies (s.xml:3); use <override> for dependent values
>>

case range-errors
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<range name="e" from="0" to="1" count="3" scale="log"/>
<range name="e" from="0" to="1" count="1"/>
<range name="e" from="0" to="1/0" count="3"/>
<range name="e" from="0" to="1" count="2.5" scale="cubic"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <range name="e">: goes from 0 to 1, expected two nonzero numbers of the same sign, for scale="log"
nssim: error: s.xml:3: <range name="e">: attribute count is 1, expected a whole number in [2, 10000000]: number of values
nssim: error: s.xml:4: <range name="e">: attribute to is inf, expected a finite number: last value
nssim: error: s.xml:5: <range name="e">: attribute count is 2.5, expected a whole number in [2, 10000000]: number of values
>>

case list-errors
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<list name="e" values=""/>
<list name="e" values="1 2; 3 4"/>
<list name="e" values="1 nan"/>
<list name="e" values="1 foo"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <list name="e">: attribute values is empty, expected a text: numbers separated by white space or commas, in SI units, or words; write for instance values="0.1 0.2"
nssim: error: s.xml:3: <list name="e">: attribute values is 2 x 2, expected one number or a row of them: one after the other, without semicolons
nssim: error: s.xml:4: <list name="e">: attribute values: in "nan", column 1: unknown name "nan"; declare it as a <parameter>
nssim: error: s.xml:5: <list name="e">: attribute values: in "foo", column 1: unknown name "foo"; declare it as a <parameter>
>>

case twice-in-a-grid
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<grid>
  <list name="e" values="0.5 0.6"/>
  <list name="e" values="0.7"/>
</grid>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:4: <list name="e">: gives e a value a second time (first at line 3), expected once
>>

case zip-of-other-lengths
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<zip>
  <list name="e" values="0.5 0.6"/>
  <list name="m" values="1 2 3"/>
</zip>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <zip>: contains axes of 2 and of 3 points, expected the same number in each
>>

case too-many-runs
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<grid>
  <range name="e" from="0" to="1" count="10000"/>
  <range name="m" from="1" to="2" count="10000"/>
</grid>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <grid>: makes 100000000 runs, expected at most 10000000 (and 100000000 numbers in all)
>>

case sobol-dimensions
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<sobol count="4">
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
  <uniform name="e" from="0" to="1"/>
</sobol>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <sobol>: has 41 dimensions, expected at most 40; use <latinHypercube> for more
>>

case distributions
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<random count="0"><uniform name="e" from="0" to="1"/></random>
<random count="3" seed="-1"><normal name="e" mean="0" deviation="0"/></random>
<random count="3"><normal name="e" mean="0" deviation="1" from="20"/></random>
<latinHypercube count="3"><uniform name="e" from="-1" to="1" scale="log"/></latinHypercube>
<halton count="2"/>
</study>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:2: <random>: attribute count is 0, expected a whole number in [1, 10000000]: number of points
nssim: error: s.xml:3: <random>: attribute seed is -1, expected a whole number in [0, 2147483647]: seed of the generator: the same seed gives the same points
nssim: error: s.xml:4: <normal name="e">: is truncated to [20, inf], which contains less than a millionth of the distribution; expected a wider interval
nssim: error: s.xml:5: <uniform name="e">: goes from -1 to 1, expected two nonzero numbers of the same sign, for scale="log"
nssim: error: s.xml:6: <halton>: the distribution is missing, expected one of: <uniform>, <normal>, <lognormal>
>>

case a-model-for-a-study
copy cli/ball.xml
file s.xml <<
<model xmlns="urn:nssim:model:1"><systems/></model>
>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: the root element is <model>, expected <study xmlns="urn:nssim:model:1">; name the model in a study: <study model="FILE">
>>

case a-study-for-a-model
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<list name="e" values="1"/>
</study>
>>
run nssim s.xml
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml:1: the root element is <study>, expected <model xmlns="urn:nssim:model:1">; a study is run by `nssim sweep`
>>

case empty
copy cli/ball.xml
file s.xml <<

>>
run nssim sweep s.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.xml: the file is empty, expected a study that begins <study xmlns="urn:nssim:model:1">
>>

case model-option-beside-a-study
copy cli/ball.xml
file s.xml <<
<study xmlns="urn:nssim:model:1" model="ball.xml">
<list name="e" values="1"/>
</study>
>>
run nssim sweep s.xml --model ball.xml --dry-run
exit 2
stdout <<
>>
stderr <<
nssim: error: --model applies only to studies that are tables; s.xml contains its model
>>

case table-without-model
copy cli/ball.xml
file s.csv <<
e
1
>>
run nssim sweep s.csv --dry-run
exit 2
stdout <<
>>
stderr <<
nssim: error: s.csv: a table does not contain the model; give it with --model FILE
>>

case table-unknown-name
copy cli/ball.xml
file s.csv <<
e,mm,gibberish
1,2,3
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv:1: ball.xml has no parameter or simulation option mm, did you mean m?
nssim: error: s.csv:1: ball.xml has no parameter or simulation option gibberish; `nssim check ball.xml` lists its parameters
>>

case table-names-twice
copy cli/ball.xml
file s.csv <<
e,e
1,2
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv:1: e names two columns, expected one
>>

case table-cells
copy cli/ball.xml
file s.csv <<
e,m
1,2
1
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv:3: 1 cells, expected 2 as in the first line
>>

case table-quote
copy cli/ball.xml
file s.csv <<
e,m
1,"2
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv:2: a quote is not closed, expected another "
>>

case table-after-quote
copy cli/ball.xml
file s.csv <<
e,m
1,"2"x
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv:2: text follows a quoted cell, expected a comma or the end of the line
>>

case table-without-runs
copy cli/ball.xml
file s.csv <<
e,m
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv: the table has no line after its names, expected one run per line
>>

case table-empty
copy cli/ball.xml
file s.csv <<
# nothing
>>
run nssim sweep s.csv --model ball.xml --dry-run
exit 65
stdout <<
>>
stderr <<
nssim: error: s.csv: the table is empty, expected names in its first line
>>

case no-study
copy cli/ball.xml
file t <<
x
>>
run nssim sweep none.xml --dry-run
exit 66
stdout <<
>>
stderr <<
nssim: error: cannot open none.xml: No such file or directory
>>

case no-folder
copy cli/ball.xml
file t <<
x
>>
run nssim sweep s.xml
exit 2
stdout <<
>>
stderr <<
nssim: error: no -o DIR given: expected the folder of the sweep (--dry-run needs none)
Try 'nssim sweep --help'.
>>

case bad-share
copy cli/ball.xml
file t <<
x
>>
run nssim sweep s.xml -o D --share 3/2
exit 2
stdout <<
>>
stderr <<
nssim: error: --share '3/2': expected I/N with I from 1 to N, such as 2/8
Try 'nssim sweep --help'.
>>

case status-of-no-sweep
copy cli/ball.xml
file t <<
x
>>
run nssim sweep status .
exit 66
stdout <<
>>
stderr <<
nssim: error: ./manifest: No such file or directory; expected the folder of a sweep
>>
