# SPDX-License-Identifier: GPL-3.0-or-later
# doc/studies.md says what works: its blocks of shell are run, those of long studies alone are not.

case studies-commands-work
skip-unless command -v gnuplot
timeout 120
run export NSSIM_DATA_DIR=$TOP; sed -n '/^```sh$/,/^```$/{/^```/!p}' $TOP/doc/studies.md >all.sh && sed 's/^nssim compare other.*/& || test $? = 1/' all.sh >run.sh && sh -e run.sh >log
exit 0
exists map.svg
exists diff.svg
exists report.xml
content-match curves.svg Height after one second
content-match curves.svg R \[m\]
content-match log ^same: A = ball\.h5, B = ball\.h5$
verify python3 -c 'import json; json.load(open("ball.json"))["columns"]' && for f in *.svg ball.pvd ball.xmf report.xml; do python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' $f || exit 1; done && test $(wc -l <study.csv) = 161

# every model of the long studies is one that comes with nssim
case studies-examples-exist
skip-unless test -d $MODELS/monte-carlo-study
run for n in $(sed -n 's/^nssim example //p' $TOP/doc/studies.md); do test -d $MODELS/$n || echo "no $n"; done; sed -n 's/^nssim sweep \([a-z].*\.xml\) .*/\1/p' $TOP/doc/studies.md | grep / | while read f; do test -f $MODELS/$f || echo "no $f"; done
stdout <<
>>
