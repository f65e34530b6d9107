# SPDX-License-Identifier: GPL-3.0-or-later
# nssim solve, and run --dump-problems.

replace ^  time        .*s$ => TIME

case solve-published-problems
setup for f in $TOP/tests/data/lcp/*.dat $TOP/tests/data/problems/*; do b=${f##*/}; gzip -cdf $f >${b%.gz}; done
run for f in *.dat; do nssim solve $f --json >j; echo $? $f $(python3 -c 'import json; j = json.load(open("j")); print(j["solved"], j["residual"] is not None and j["residual"] <= 1e-10, j["z"] is not None and len(j["z"]) == j["unknowns"])'); done
stdout <<
0 BuckConverter_mlcp.dat True True True
0 BuckFirstStep_mlcp.dat True True True
0 PDSym_mlcp.dat True True True
0 PD_mlcp.dat True True True
0 RCD_mlcp.dat True True True
0 Rectangular_mlcp.dat True True True
0 deltasigma_mlcp.dat True True True
0 deudeu_mlcp.dat True True True
0 diodeBridge20_mlcp.dat True True True
0 diodeBridge_mlcp.dat True True True
0 lcp_CPS_1.dat True True True
0 lcp_CPS_2.dat True True True
0 lcp_CPS_4.dat True True True
0 lcp_CPS_5.dat True True True
0 lcp_Pang_isolated_sol.dat True True True
70 lcp_Pang_isolated_sol_perturbed.dat False False False
0 lcp_deudeu.dat True True True
0 lcp_deudeu_block.dat True True True
0 lcp_exp_murty.dat True True True
0 lcp_mmc.dat True True True
0 lcp_ortiz.dat True True True
0 lcp_ortiz_block.dat True True True
0 lcp_trivial.dat True True True
0 lcp_trivial_block.dat True True True
0 m2n1_mlcp.dat True True True
0 relay1.dat True True True
0 relay2_mlcp.dat True True True
0 relay_2x2.dat True True True
0 relay_simple2.dat True True True
0 step_1x1.dat True True True
0 step_2x2.dat True True True
>>
stderr <<
nssim: warning: Rectangular_mlcp.dat:7: the first record has an M of 3 x 2, which does not fit the sizes before it; the second record is used
nssim: error: lcp_Pang_isolated_sol_perturbed.dat: not solved: there is no solution: in row 0 w is -0.0001 or less for every z within the bounds, but must be >= 0
>>

# A file that is no library stands before LAPACK: problems of up to 100 rows end as they do with it, to the tolerance, published ones and
# dense LCPs (definite; of half the rank; the same and skew); a full matrix of more rows says what is missing.
case solve-without-lapack
timeout 120
file make.py <<
import random
for i, n in enumerate(range(25, 101, 5)):
    r = random.Random(n)
    A = [[r.uniform(-1, 1) for _ in range(n if i % 3 == 0 else n // 2)] for _ in range(n)]
    M = [[sum(a * b for a, b in zip(x, y)) for y in A] for x in A]
    for j in range(n):
        for k in range(j if i % 3 == 2 else 0):
            s = r.uniform(-1, 1)
            M[j][k] += s
            M[k][j] -= s
    z = [r.random() if r.random() < 0.5 else 0 for _ in range(n)]
    q = [(0 if x or r.random() < 0.3 else r.random()) - sum(a * b for a, b in zip(row, z)) for x, row in zip(z, M)]
    with open(f"lcp_{n}.dat", "w") as f:
        print(n, 0, n, n, f"{n} {n}", *(" ".join(map(repr, row)) for row in M + [q]), sep="\n", file=f)
>>
file both.py <<
import glob, json, os, subprocess
def solve(f, env):
    p = subprocess.run(["nssim", "solve", f, "--json"], capture_output=True, text=True, env={**os.environ, **env})
    return p.returncode, json.loads(p.stdout)
large = 0
for f in sorted(glob.glob("**/*.dat", recursive=True)):
    a, x = solve(f, {})
    if not (24 < x["unknowns"] <= 100 or "deltasigma" in f):
        continue
    b, y = solve(f, {"LD_LIBRARY_PATH": "lib"})
    large += x["unknowns"] <= 100
    if x["unknowns"] > 100 and b == 66:
        print(f, "needs it" if "liblapack.so.3 cannot be loaded" in y["message"] else y["message"])
    elif a != b or x["solved"] != y["solved"] or (y["solved"] and not y["residual"] <= y["tolerance"]):
        print(f, a, b, x["residual"], y["residual"])
print(large, "of 25 to 100 rows")
>>
setup mkdir lib && echo no >lib/liblapack.so.3 && python3 make.py
setup for f in $TOP/tests/data/lcp/*.dat $TOP/tests/data/problems/* $TOP/tests/data/friction/*/*.dat*; do d=$(basename $(dirname $f)); b=${f##*/}; mkdir -p $d; gzip -cdf $f >$d/${b%.gz}; done
run python3 both.py
stdout <<
problems/deltasigma_mlcp.dat needs it
25 of 25 to 100 rows
>>

# M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3)
case solve-table
file lcp.dat <<
2 0 2 2 2 2 2 1 1 2 -5 -6
>>
run nssim solve lcp.dat --solver lemke
stdout <<
lcp.dat: LCP by its name, 2 unknowns, dense
  status      solved
  solver      lemke
  iterations  3
  residual    <= 0, tolerance 1e-10
TIME
     row  z                 w
       0  1.33333333        0
       1  2.33333333        0
>>
stderr <<
>>

case solve-outputs
file lcp.dat <<
2 0 2 2 2 2 2 0 0 4 -5 -6
>>
run for f in txt json h5; do nssim solve lcp.dat --solver lemke -o out.$f >/dev/null; done
content out.txt <<
# problem    lcp.dat
# family     lcp
# unknowns   2
# status     solved
# solver     lemke
# iterations 3
# residual   0
# tolerance  1e-10
# row z w
0 2.5 0
1 1.5 0
>>
verify python3 -c 'import json; j = json.load(open("out.json")); assert list(j) == "problem family unknowns storage solved status message solver iterations residual tolerance seconds z w".split() and j["solved"] and j["z"] == [2.5, 1.5] and j["w"] == [0, 0], j'

case solve-hdf5
skip-unless command -v h5dump
file lcp.dat <<
2 0 2 2 2 2 2 0 0 4 -5 -6
>>
file lcp-unsolvable.dat <<
1 0 1 1 1 1 0 -1
>>
run nssim solve lcp.dat -o out.h5 >/dev/null; nssim solve lcp-unsolvable.dat -o none.h5 >/dev/null
exit 70
verify h5dump -m %.17g -w 200 -d z out.h5 | grep -q '(0): 2.5, 1.5$' && h5dump -a status out.h5 | grep -q '"solved"'
verify h5dump -n none.h5 | grep -q dataset; test $? = 1

case solve-unsolved-outputs-have-no-solution
file lcp.dat <<
1 0 1 1 1 1 0 -1
>>
run for f in txt json h5; do nssim solve lcp.dat -o out.$f >/dev/null; done
exit 70
stderr-match lcp\.dat: not solved: there is no solution: in row 0 w is -1 or less for every z within the bounds, but must be >= 0$
content-match out.txt ^# status     not solved$
content-match out.txt ^# message    there is no solution
content-not out.txt ^[0-9]
verify python3 -c 'import json; j = json.load(open("out.json")); assert not j["solved"] and j["z"] is None and j["w"] is None and "no solution" in j["message"], j'

# feasible nowhere, but no single row says so: nothing is claimed of the problem that is not known
case solve-ray-is-no-proof
file lcp.dat <<
2 0 2 2 2 2 1 -1 -1 1 -2 1
>>
run nssim solve lcp.dat --solver lemke
exit 70
stdout-match ^  status      not solved$
stdout-not ^ +row
stderr-match not solved: lemke ended on a secondary ray after [0-9]+ iterations: there is no solution if M is copositive-plus, for example positive semi-definite; otherwise there may be one$

case solve-limit-is-said
setup gzip -cd $TOP/tests/data/problems/diodeBridge20_mlcp.dat.gz >mlcp.dat
run nssim solve mlcp.dat --solver lemke --max-iterations 1
exit 70
stderr-match ^nssim: error: mlcp\.dat: not solved: lemke reached its limit after 1 iteration; it is not known whether there is a solution; raise --max-iterations or use another --solver$

case solve-box-contradiction
file relay.dat <<
2 0 2 2 2 2 1 1 1 1 0 -9 -1 -1 1 inf
>>
file relay-impossible.dat <<
2 0 2 2 2 2 1 1 1 -1 0 -9 -1 -1 1 inf
>>
run nssim solve relay.dat >/dev/null; echo $?; nssim solve relay-impossible.dat
exit 70
stdout-match ^0$
stderr-match not solved: there is no solution: in row 1 w is -7 or less for every z within the bounds

case solve-family-by-folder-and-option
file Relay/a.dat <<
1 0 1 1 1 1 1 -5 -1 1
>>
file b.dat <<
1 0 1 1 1 1 1 -5 -1 1
>>
run nssim solve Relay/a.dat && (cd Relay && nssim solve a.dat) && nssim solve b.dat --family relay && nssim solve - --family lcp <b.dat && nssim solve b.dat
exit 2
stdout-match ^Relay/a\.dat: relay by its folder, 1 unknown, dense$
stdout-match ^a\.dat: relay by its folder, 1 unknown, dense$
stdout-match ^b\.dat: relay as --family says, 1 unknown, dense$
stdout-match ^standard input: LCP as --family says, 1 unknown, dense$
stderr <<
nssim: error: b.dat: neither its name nor that of its folder determines the family of the problem: give --family lcp, mlcp, relay, avi, soclcp, fc2d, fc3d, fc, gfc, rfc2d, rfc3d, rfc, grfc or gmp
>>

# the point of a triangle that is nearest to (2, 2)
case solve-polyhedron
file avi.dat <<
2
0 2 2  2 2  1 0 0 1
-2 -2
3
0 3 2  3 2  -1 1 0  -1 0 1
-1 0 0
>>
run nssim solve avi.dat -o avi.txt
stdout-match ^avi\.dat: AVI by its name, 2 unknowns, dense$
stdout-match ^  status      solved$
stdout-match ^       1  0\.5               -1\.5$
stdout-match ^     row  mu$
stdout-match ^       0  1\.5$
content-match avi.txt ^1 0\.5 -1\.5\n\n\n# row mu\n0 1\.5\n1 0\n2 0\n$
verify nssim solve avi.dat --json | python3 -c 'import json, sys; j = json.load(sys.stdin); assert j["mu"] == [1.5, 0, 0] and j["z"] == [0.5, 0.5], j'
run nssim solve avi.dat --solver lemke
exit 2
stderr-match --solver lemke: solves problems on boxes, expected auto for one on a polyhedron$

# 1 <= z <= 0
case solve-empty-polyhedron
file avi.dat <<
1
0 1 1  1 1  1  -2
2
0 2 1  2 1  1 -1
1 0
>>
run nssim solve avi.dat
exit 70
stdout-match ^  status      not solved$
stderr-match ^nssim: error: avi\.dat: not solved: 

case solve-many-rows-are-cut
setup python3 -c 'n = 30; print(n, 2, n, n, 1, "CSparse\ntriplet: %d-by-%d, nzmax: %d nnz: %d" % (n, n, n, n)); [print(i, i, ":", 1 + i) for i in range(n)]; print(*[-1] * n)' >lcp.dat
run nssim solve lcp.dat
stdout-match 30 unknowns, sparse$
stdout-match ^  \.\.\. 10 more: -o solution\.txt \(\.json, \.h5\) writes all$
stdout-match ^      19  0\.05              0$
stdout-not ^      20

case solve-wrong-files
file lcp.dat <<
2
0 2 2
2 2
1 0
0 x
>>
file lcp2.dat <<
1 0 1 1 1 1 nan 1
>>
file lcp3.dat <<
1000000000 0 1000000000 1000000000 1000000000 1000000000
>>
run for f in lcp.dat lcp2.dat lcp3.dat; do nssim solve $f; echo $?; done; mkdir d; nssim solve d; echo $?; nssim solve lcp9.dat
exit 66
stdout <<
65
65
65
66
>>
stderr <<
nssim: error: lcp.dat:5: found "x", expected number 4 of the 4 of M: a finite number
nssim: error: lcp2.dat:1: found "nan", expected number 1 of the 1 of M: a finite number
nssim: error: lcp3.dat:1: the rest of the file can contain at most 23 numbers, expected the 1000000000 of q; the file is truncated, or belongs to a different family
nssim: error: d: is a folder, expected a problem file
nssim: error: lcp9.dat: cannot read: No such file or directory
>>

case solve-endless-file
skip-unless test -c /dev/zero
timeout 60
run head -c 1100000000 /dev/zero | nssim solve - --family lcp
exit 65
stderr <<
nssim: error: standard input: longer than 1073741824 bytes, expected a smaller file
>>

case solve-usage
file lcp.dat <<
1 0 1 1 1 1 1 1
>>
run nssim solve; nssim solve lcp.dat lcp.dat; nssim solve lcp.dat --solver lemk; nssim solve lcp.dat --family lpc; nssim solve lcp.dat --tolerance 0; nssim solve lcp.dat --max-iterations 1.5; nssim solve lcp.dat -o out.dat; nssim solve lcp.dat --jsn
exit 2
stdout <<
>>
stderr-match no file given: expected a problem such as lcp\.dat$
stderr-match two files, 'lcp\.dat' and 'lcp\.dat': expected one$
stderr-match --solver 'lemk': no such solver; did you mean 'lemke'\?$
stderr-match --family 'lpc': expected lcp, mlcp, relay, avi, soclcp, fc2d, fc3d, fc, gfc, rfc2d, rfc3d, rfc, grfc or gmp$
stderr-match --tolerance '0': expected a number above 0, such as 1e-8$
stderr-match --max-iterations '1\.5': expected a whole number from 1 to 2147483647$
stderr-match -o 'out\.dat': expected a name that ends in \.json, \.h5 or \.txt$
stderr-match did you mean '--json'\?

case solve-solver-that-does-not-take-the-problem
setup python3 -c 'n = 30; print(n, 2, n, n, 1, "CSparse\ntriplet: %d-by-%d, nzmax: %d nnz: %d" % (n, n, n, n)); [print(i, i, ":", 1 + i) for i in range(n)]; print(*[-1] * n)' >lcp.dat
run nssim solve lcp.dat --solver enumeration
exit 2
stdout <<
>>
stderr-match enumeration.* 30 .*auto

case solve-output-spares-the-problem
file lcp.txt <<
1 0 1 1 1 1 1 -1
>>
run ln -s lcp.txt out.txt; nssim solve lcp.txt -o out.txt
exit 73
stderr <<
nssim: error: out.txt: writing it would destroy the problem; give the output another name
>>
content lcp.txt <<
1 0 1 1 1 1 1 -1
>>

case solve-output-cannot-be-made
file lcp.dat <<
1 0 1 1 1 1 1 -1
>>
run for f in txt json h5; do nssim solve lcp.dat -o no/out.$f >/dev/null; echo $?; done
stdout <<
73
73
73
>>
stderr-match no/out\.txt: cannot create: No such file or directory; create its folder first$
stderr-match no/out\.json: cannot create: No such file or directory; create its folder first$
stderr-match no/out\.h5: cannot create: No such file or directory; create its folder first$

# ---- problems of a run ----

case dump-failed
copy cli/contradiction.xml
run nssim -q contradiction.xml --dump-problems d; echo $?; ls d; nssim solve d/*
exit 70
stdout-match ^70$
stdout-match ^lcp-step00000000\.dat$
stdout-match ^d/lcp-step00000000\.dat: LCP by its name, 2 unknowns, dense$
stderr-match d/lcp-step00000000\.dat: not solved
content-match d/lcp-step00000000.dat ^-1\.8999999999999999 1\.1000000000000001$
content-match d/lcp-step00000000.dat ^# nssim \$VERSION contradiction\.xml: step 0 from t = 0 s, problem 1 in it; not solved by auto, [0-9]+ iterations, residual 0\.655$

case dump-nothing-failed
run nssim $MODELS/bouncing-ball/bouncing-ball.xml --dump-problems d >/dev/null; ls d
stdout <<
>>
stderr-match ^nssim: note: d: no problem written$

# each of the first 100 problems of the beads, solved again alone
case dump-all-and-solve-again
run nssim $MODELS/bead-column/bead-column.xml --dump-problems d --dump-when all >/dev/null; ls d | wc -l; for f in d/*; do nssim solve $f >/dev/null || echo $f; done
stdout <<
100
>>
stderr-match ^nssim: note: d: 100 problems are written, further ones are omitted; --dump-most=N sets another limit$
stderr-match ^nssim: note: d: 100 problems written, [0-9]+ omitted$

case dump-beyond-the-limit-the-failed-one
copy cli/contradiction.xml
setup sed -i 's/<q0>0/<q0>1/; s/<H>1<\/H><e>-1/<H>1<\/H><e>0/; s/<H>-1<\/H><e>-1/<H>-1<\/H><e>-0.05/' contradiction.xml
run nssim -q contradiction.xml --dump-problems d --dump-when all --dump-most 2 --t-end 2; echo $?; for f in d/*; do nssim solve $f >/dev/null; echo $?; done
stdout <<
70
0
0
70
>>

# a relay, complementarity and equalities side by side, blocks, a polyhedron, contacts with friction, velocities and impulses
# together: each alone, from the guess in the file to the outcome of the run
case dump-families
timeout 60
run for m in relay-oscillator ideal-switch bead-column-1000 disk-heap; do nssim -q $MODELS/$m/$m.xml --max-steps 300 --dump-problems d --dump-when all --dump-most 20 -o o.csv 2>/dev/null; done; nssim -q $MODELS/slider-crank/slider-crank.xml --t-end 0.02 --dump-problems d --dump-when all --dump-most 20 -o o.csv 2>/dev/null; for m in first-order unreduced; do nssim -q $TOP/tests/memory/$m.xml --dump-problems d --dump-when all --dump-most 20 -o o.csv 2>/dev/null; done; ls d | sed 's/-.*//' | sort | uniq -c; for f in d/*; do nssim solve $f --json >j; python3 -c 'import json, re, sys; j = json.load(open("j")); s = open(sys.argv[1]).read(); assert "nssim-guess" in s and "solved by %s, %d iterations, residual %.3g\n" % (j["solver"], j["iterations"], j["residual"]) in s, j' $f || echo $f; done
stdout <<
     20 avi
     40 fc2d
     14 lcp
     20 mlcp
     20 relay
>>

# projected Gauss-Seidel takes many sweeps where several beads meet
case dump-slow
setup sed 's/<LCP\/>//; s/<MoreauJeanOSI theta="0.5"\/>/&<LCP solver="pgs"\/>/' $MODELS/bead-column/bead-column.xml >m.xml
run nssim -q m.xml --dump-problems d --dump-when slow --dump-most 5; cat d/* | grep -c '^# .*solved by pgs, [0-9][0-9][0-9]* iterations'
stdout <<
5
>>

case dump-options
copy cli/contradiction.xml
run nssim contradiction.xml --dump-when all; nssim contradiction.xml --dump-problems d --dump-when never; nssim contradiction.xml --dump-problems d --dump-most 0; nssim contradiction.xml --dump-problems ''; nssim contradiction.xml --dump-problems no/d >/dev/null; echo $?; nssim contradiction.xml --dump-problems contradiction.xml; echo $?
stdout <<
73
73
>>
stderr-match --dump-when and --dump-most require --dump-problems DIR$
stderr-match --dump-when 'never': expected failed, slow or all$
stderr-match --dump-most '0': expected a whole number from 1$
stderr-match --dump-problems '': expected a folder$
stderr-match no/d: cannot create the folder: No such file or directory; create its parent folder first$
stderr-match contradiction\.xml: is not a folder, expected one for the problems$

case dump-never-replaces-the-model
copy cli/contradiction.xml
run mkdir d; ln -s ../contradiction.xml d/lcp-step00000000.dat; nssim -q contradiction.xml --dump-problems d
exit 70
stderr-match warning: d/lcp-step00000000\.dat: writing it would destroy contradiction\.xml, which the model is read from; give the output another name; no more problems are written$
verify cmp contradiction.xml $CASES/cli/contradiction.xml

# W = diag(1, 2, 2), q = (-1, 3, 4), mu = 0.5: the contact slides, r = (1, -0.3, -0.4)
case solve-friction
file fc3d.dat <<
3 1  0 3 3 3 3  1 0 0 0 2 0 0 0 2  -1 3 4  0.5
>>
run nssim solve fc3d.dat -o fc.txt --copy fc.hdf5
stdout <<
fc3d.dat: friction 3D by its name, 3 unknowns, blocks
  status      solved
  solver      cases
  iterations  1
  residual    <= 1.6e-17, tolerance 1e-08
TIME
     row  r                 u
       0  1                 0
       1  -0.3              2.4
       2  -0.4              3.2
>>
content-match fc.txt ^# row r u\n0 1 0\n1 -0\.
verify nssim solve fc.hdf5 --json | python3 -c 'import json, sys; j = json.load(sys.stdin); assert j["family"] == "fc3d" and j["r"][0] == 1 and abs(j["u"][2] - 3.2) < 1e-15, j'
verify nssim solve fc.hdf5 --copy again.dat >/dev/null && grep -v '#' again.dat >a && nssim solve fc3d.dat --copy first.dat >/dev/null && grep -v '#' first.dat | cmp - a
verify for s in nsgs newton jean-moreau regular proximal extragradient admm; do nssim solve fc3d.dat --solver $s | grep -q "solver      $s$" || exit 1; done

# A mass of 2 on the ground: v = M^-1 (q + H r)
case solve-global-friction
file gfc.dat <<
2 1  0 2 2 2 2  2 0 0 2  0 2 2 2 2  0 1 1 0  0.2 -2  0 0  0.5
>>
run nssim solve gfc.dat -o gfc.json
stdout-match ^gfc\.dat: global friction by its name, 2 unknowns, sparse$
stdout-match ^       0  2 +0$
stdout-match ^     row  v$
verify python3 -c 'import json; j = json.load(open("gfc.json")); assert j["solved"] and j["r"][0] == 2 and len(j["v"]) == 2 and abs(j["v"][0]) < 1e-15, j'

# W = diag(1, 2, 2, 4, 4), q = (-1, 3, 4, 0, 2), mu = 0.5, mu_r = 0.1: the contact slides and rolls, r = (1, -0.3, -0.4, 0, -0.1)
case solve-rolling-friction
file rfc3d.dat <<
5 1  0 5 5 5 5  1 0 0 0 0  0 2 0 0 0  0 0 2 0 0  0 0 0 4 0  0 0 0 0 4  -1 3 4 0 2  0.5  0.1
>>
run nssim solve rfc3d.dat --copy again-rfc.dat --json >r.json
verify python3 -c 'import json; j = json.load(open("r.json")); assert j["family"] == "rfc3d" and all(abs(a - b) < 1e-15 for a, b in zip(j["r"] + j["u"], [1, -.3, -.4, 0, -.1, 0, 2.4, 3.2, 0, 1.6])), j'
verify for s in nsgs newton jean-moreau regular proximal extragradient admm; do nssim solve rfc3d.dat --solver $s | grep -q "solver      $s$" || exit 1; done
verify nssim solve --family rfc again-rfc.dat --json | python3 -c 'import json, sys; j = json.load(sys.stdin); assert j["r"][0] == 1, j'
verify nssim solve rfc3d.dat --copy x.hdf5 >/dev/null 2>&1; test $? -eq 65 && nssim solve rfc3d.dat --copy x.hdf5 2>&1 | grep -q 'rolling friction only with the velocities of the bodies; expected a name that ends in .dat'

# A disc of mass 2 and inertia 1, radius 1, rolling at v = (1, 0), w = 1: mu_r r_N = 0.2 slows it down, v_x = w = 14/15
case solve-global-rolling-friction
file grfc.dat <<
3 1  0 3 3 3 3  2 0 0 0 2 0 0 0 1  0 3 3 3 3  0 1 0  1 0 -1  0 0 1  2 -2 1  0 0 0  0.5  0.1
>>
run nssim solve grfc.dat --json >r.json && nssim solve grfc.dat --copy r.hdf5 >/dev/null && nssim solve r.hdf5
stdout-match ^r\.hdf5: global rolling friction by its content, 3 unknowns, sparse$
verify python3 -c 'import json; j = json.load(open("r.json")); assert abs(j["r"][0] - 2) < 1e-15 and abs(j["r"][2] + 0.2) < 1e-15 and abs(j["v"][0] - 14 / 15) < 1e-15 and abs(j["v"][2] - 14 / 15) < 1e-15, j'

# Two joints on one mass that want different velocities
case solve-contradictory-joints
file gmp.dat <<
1 2 2  4 2 2  1 2  1 2  3 4  0 2 4  0 1 0 1  0 1  1 1  2 1  3 1  -1 -1.5  2 2
>>
run nssim solve gmp.dat
exit 70
stderr-match not solved: the equalities contradict each other: some depend on others, but require velocities that differ by 0\.5; there is no solution if W is positive semi-definite$

case solve-published-friction
timeout 60
setup cp -r $TOP/tests/data/friction/* . && gunzip -f */*.gz
run for f in FrictionContact/* GenericMechanical/*; do nssim solve $f --json >j || echo $f; python3 -c 'import json; j = json.load(open("j")); assert j["solved"] and j["residual"] <= 1e-8, j'; done
stdout <<
>>
stderr <<
>>

# Published contacts, each method of one contact: within the tolerance, not by exact cases first
case solve-friction-contact-solvers
setup cp -r $TOP/tests/data/friction/* . && gunzip -f */*.gz
run for s in auto quartic alart-curnier jean-moreau projection; do for f in FrictionContact/FrictionContact3D*.dat FrictionContact/Rover1039.dat FrictionContact/FC2D*.dat FrictionContact/Confeti-ex13*; do for b in nsgs auto; do nssim solve $f --solver $b --contact-solver $s --json | python3 -c 'import json, sys; j = json.load(sys.stdin); print(sys.argv[1], sys.argv[2], j["solver"] if j["residual"] <= 1e-8 else "not solved")' $b $s; done; done; done | sort | uniq -c
stdout <<
      1 auto alart-curnier newton
      4 auto alart-curnier nsgs
      3 auto auto cases
      2 auto auto nsgs
      1 auto jean-moreau newton
      4 auto jean-moreau nsgs
      1 auto projection newton
      4 auto projection nsgs
      1 auto quartic newton
      4 auto quartic nsgs
      5 nsgs alart-curnier nsgs
      5 nsgs auto nsgs
      5 nsgs jean-moreau nsgs
      5 nsgs projection nsgs
      5 nsgs quartic nsgs
>>

# in a run: what slides on the incline comes to the same place by each, to the tolerance of the problems over its steps
case contact-solvers-in-a-run
run for s in auto quartic alart-curnier jean-moreau projection; do sed "s/<MoreauJeanOSI[^>]*\/>/&<FrictionContact solver='nsgs' contactSolver='$s'\/>/" $MODELS/incline/incline.xml >m.xml; nssim -q m.xml -o $s.csv || echo $s; done; cmp -s auto.csv projection.csv || echo not the same bytes; for s in quartic alart-curnier jean-moreau projection; do nssim compare auto.csv $s.csv --atol 1e-7 --rtol 0 --only '*.q' >/dev/null || echo $s; done
stdout <<
not the same bytes
>>

case solve-friction-wrong-contact-solver
file fc3d.dat <<
3 1  0 3 3 3 3  1 0 0 0 2 0 0 0 2  -1 3 4  0.5
>>
file lcp.dat <<
1  0 1 1 1 1  1 -1
>>
run nssim solve fc3d.dat --contact-solver quartics; nssim solve fc3d.dat --solver newton --contact-solver quartic; nssim solve lcp.dat --contact-solver quartic
exit 2
stderr-match --contact-solver 'quartics': no such solver; did you mean 'quartic'\?$
stderr-match --contact-solver quartic: selects how nsgs and auto sweep over contacts, which solver newton does not do; remove one of them$
stderr-match --contact-solver quartic: the problem is a LCP problem, expected one with friction; remove the option$

case solve-friction-wrong-solver
file fc3d.dat <<
3 1  0 3 3 3 3  1 0 0 0 2 0 0 0 2  -1 3 4  0.5
>>
run nssim solve fc3d.dat --solver lemke; echo $?; nssim solve fc3d.dat --solver pivot; echo $?; nssim solve fc3d.dat --family fc2d
exit 65
stdout <<
2
2
>>
stderr-match --solver lemke: does not solve problems with friction; `nssim list solvers` shows which do$
stderr-match solver pivot: supports only contacts in the plane; expected solver "auto"$
stderr-match fc3d\.dat:1: found "3", expected 2, d, the rows of a contact$

# ---- limits and signals ----

# 20 rows, no solution, all supports: half a second at least.
case solve-ends-at-a-limit-of-time
setup python3 -c 'import random; r = random.Random(3); n = 20; M = [[r.gauss(0, 1) - 4 * (i == j) for j in range(n)] for i in range(n)]; q = [-abs(r.gauss(0, 1)) for i in range(n)]; print(n, 0, n, n, n, n, *[M[i][j] for j in range(n) for i in range(n)], *q)' >lcp.dat
run nssim solve lcp.dat --solver enumeration --max-wall 0.05 -o out.txt --json >out.json; echo $?; timeout -s INT 0.3 nssim solve lcp.dat --solver enumeration -o stopped.json >table; timeout -s TERM 0.3 nssim solve lcp.dat --solver enumeration >/dev/null; nssim solve lcp.dat --solver enumeration --max-wall 1e-9s >/dev/null
exit 75
stdout <<
75
>>
verify python3 -c 'import json; j = json.load(open("out.json")); assert not j["solved"] and 0 < j["residual"] < 1 and len(j["z"]) == len(j["w"]) == 20 and j["seconds"] < 1 and "--max-wall of 0.05 s" in j["message"], j'
verify python3 -c 'import json; j = json.load(open("stopped.json")); assert not j["solved"] and 0 < j["residual"] < 1 and len(j["z"]) == 20 and "signal 2 (Interrupt)" in j["message"], j'
content-match out.txt ^# status     not solved, the best iterate$
content-match table ^  status      not solved, the best iterate$
stderr-match not solved: ended by --max-wall of 0\.05 s after .* s; the best iterate has a residual of 0\.[0-9]+, tolerance 1e-10; it is not known whether there is a solution$
stderr-match not solved: ended by signal 15 \(Terminated\) after

case solve-json-whatever-happens
file bad.dat <<
2 0 2 2 2 2 2 1
>>
file lcp.dat <<
2 0 2 2 2 2 2 1 1 2 -5 -6
>>
run for w in "bad.dat --family lcp" none.dat "lcp.dat --solver nsgs" "lcp.dat --solver nobody" "--family lcp" "lcp.dat --max-wall soon" "lcp.dat --what"; do nssim solve --json $w >j; echo $? $(python3 -c 'import json; j = json.load(open("j")); print(j["solved"], j["exit"], j["status"])'); done
stdout <<
65 False 65 failed
66 False 66 failed
2 False 2 failed
2 False 2 failed
2 False 2 failed
2 False 2 failed
2 False 2 failed
>>
stderr-match --max-wall 'soon': expected a time, such as 60, 2min or 1h

# ---- second-order cones ----

# M = 1: z is the projection of -q on { |x_T| <= x_0/2 } and on a half-line
case solve-soclcp
file soclcp.dat <<
4 2 0 4 4 4 4 1 0 0 0  0 1 0 0  0 0 1 0  0 0 0 2
0.5 3 4 -3
0 3 4
0.5 1
>>
run nssim solve soclcp.dat --copy soclcp-again.dat -o z.txt; nssim solve soclcp-again.dat --json >j; nssim solve soclcp.dat --solver lemke
exit 2
stdout-match ^soclcp\.dat: SOCLCP by its name, 4 unknowns, dense$
verify python3 -c 'import json; j = json.load(open("j")); z = [1.6, -0.48, -0.64, 1.5]; assert j["solved"] and j["family"] == "soclcp" and all(abs(a - b) < 1e-9 for a, b in zip(j["z"], z)), j'
stderr-match --solver lemke: expected auto for a problem on second-order cones$

case solve-soclcp-faults
file soclcp-1.dat <<
2 1 0 2 2 2 2 1 0 0 1 1 1
0 1 1
>>
file soclcp-2.dat <<
2 2 0 2 2 2 2 1 0 0 1 1 1
0 2 2 1 1
>>
file soclcp-3.dat <<
2 1 0 2 2 2 2 1 0 0 1 1 1
0 2 -1
>>
run for f in 1 2 3; do nssim solve soclcp-$f.dat; echo $?; done
stdout <<
65
65
65
>>
stderr-match soclcp-3\.dat.*: cone 0 has tau = -1, expected a number of at least 0$
stderr-match soclcp-2\.dat.*: the last cone begins at row 2 of 2, expected a row for it$
