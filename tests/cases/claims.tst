# SPDX-License-Identifier: GPL-3.0-or-later
# No command writes on top of what it reads, or of another of its outputs, whatever the file is called.

case pictures-and-pages-onto-what-they-read
skip-unless command -v gnuplot
copy cli/ball.xml
setup nssim -q ball.xml --t-end 0.1 -o a.h5; nssim -q ball.xml --t-end 0.1 -o a.csv; ln -s a.h5 a.svg; ln a.h5 a.html; ln -s a.json b.svg; ln a.events.csv c.svg; ln -s ../$(basename "$PWD")/a.csv d.svg; sha256sum a.* >before
run nssim plot a.h5 ball.x -o a.svg; echo $?; nssim plot a.csv ball.x -o b.svg; echo $?; nssim plot a.csv ball.x -o c.svg; echo $?; nssim plot a.csv ball.x -o d.svg; echo $?
stdout <<
73
73
73
73
>>
stderr <<
nssim: error: a.svg: writing it would destroy a.h5, which is read; give the output another name
nssim: error: b.svg: writing it would destroy a.json, which is read; give the output another name
nssim: error: c.svg: writing it would destroy a.events.csv, which is read; give the output another name
nssim: error: d.svg: writing it would destroy a.csv, which is read; give the output another name
>>
verify sha256sum -c --quiet before

case page-onto-the-result
copy cli/ball.xml
setup nssim -q ball.xml --t-end 0.1 -o a.h5; ln a.h5 a.html; echo 'three' >three.html; sha256sum a.h5 three.html >before
run nssim view a.h5 --three three.html -o a.html; echo $?; nssim view a.h5 --three three.html -o ./three.html; echo $?
stdout <<
73
73
>>
stderr-match a\.html: writing it would destroy a\.h5, which is read; give the output another name$
stderr-match \./three\.html: writing it would destroy three\.html, which the page needs
verify sha256sum -c --quiet before

case nothing-is-written-over-a-model
skip-unless command -v gnuplot
copy cli/ball.xml
setup nssim -q ball.xml --t-end 0.1 -o a.h5; cp ball.xml b.csv; ln -s ball.xml c.svg; ln -s ball.xml f.html; (echo '<!-- a long comment'; seq 9000; echo '-->'; cat ball.xml | tail -n +2) >d.csv; cp ball.xml e.json; sha256sum *.xml b.csv d.csv e.json >before
run nssim plot a.h5 ball.x -o c.svg; echo $?; nssim export a.h5 -o b.csv; echo $?; nssim -q ball.xml -o b.csv; echo $?; nssim -q ball.xml -o d.csv; echo $?; nssim -q ball.xml -o e.csv; echo $?; nssim view a.h5 --three a.h5 -o f.html; echo $?
stdout <<
73
73
73
73
73
73
>>
stderr-match ^nssim: error: b\.csv: is a model; remove it first, or give the output another name$
stderr-match ^nssim: error: e\.json: is a model
stderr-match ^nssim: error: f\.html: is a model
absent e.csv
verify sha256sum -c --quiet before

case export-onto-companions
copy cli/ball.xml
setup nssim -q ball.xml --t-end 0.1 -o a.csv; sha256sum a.* >before
run nssim export a.csv -o a.json; echo $?; nssim export a.csv --events -o a.events.csv; echo $?; nssim export a.csv --csv -o ./a.csv; echo $?; nssim export a.csv -o fine.json; echo $?; nssim export a.csv -o fine.json; echo $?
stdout <<
73
73
73
0
0
>>
stderr <<
nssim: error: a.json: writing it would destroy a.json, which is read; give the output another name
nssim: error: a.events.csv: writing it would destroy a.events.csv, which is read; give the output another name
nssim: error: ./a.csv: writing it would destroy a.csv, which is read; give the output another name
>>
verify sha256sum -c --quiet before

case compare-onto-what-it-reads
skip-unless command -v gnuplot
copy cli/ball.xml
setup nssim -q ball.xml --t-end 0.1 -o a.csv; nssim -q ball.xml --t-end 0.1 -o b.h5; ln -s a.csv p.svg; ln b.h5 j.xml; sha256sum a.* b.h5 >before
run nssim compare -q a.csv b.h5 --plot p.svg; echo $?; nssim compare -q a.csv b.h5 --junit j.xml; echo $?; nssim compare -q a.csv b.h5 --plot x.svg --junit x.svg; echo $?; nssim compare -q a.csv b.h5 --junit a.json; echo $?
stdout <<
73
73
73
73
>>
stderr-match p\.svg: writing it would destroy a\.csv, which is read
stderr-match j\.xml: writing it would destroy b\.h5, which is read
stderr-match x\.svg: would be both the picture and the report, expected two files; give one of them another name
stderr-match a\.json: writing it would destroy a\.json, which is read
verify sha256sum -c --quiet before

case outputs-of-a-run-on-top-of-each-other
copy cli/ball.xml
run for k in a.csv a.json ./a.events.csv a.json.new; do nssim -q ball.xml -o a.csv --checkpoint $k --checkpoint-every 1; echo $?; done; nssim -q ball.xml -o a.h5 --checkpoint a.h5.new --checkpoint-every 1; echo $?; ln -s a.json k.ckpt; nssim -q ball.xml -o a.csv --checkpoint k.ckpt; echo $?; ln -s a.events.csv k.prev; nssim -q ball.xml -o a.csv --checkpoint k; echo $?; ls
stdout <<
2
73
73
73
73
73
73
ball.xml
k.ckpt
k.prev
>>
stderr-match a\.csv: the checkpoint and the output cannot be one file
stderr-match a\.json: would be both the companion of the output and the checkpoint, expected two files; give one of them another name$
stderr-match a\.events\.csv and \./a\.events\.csv are the same file, expected two files; remove the link or give another name$

case checkpoint-onto-a-file-of-the-model
copy cli/ball.xml
setup sha256sum ball.xml >before; ln -s ball.xml k; ln -s ball.xml l.prev
run nssim -q ball.xml --checkpoint ball.xml; echo $?; nssim -q ball.xml --checkpoint k; echo $?; nssim -q ball.xml --checkpoint l; echo $?
stdout <<
73
73
73
>>
stderr-match ball\.xml: writing it would destroy ball\.xml, which the model is read from
stderr-match k: writing it would destroy ball\.xml
stderr-match l\.prev: writing it would destroy ball\.xml
verify sha256sum -c --quiet before

case solutions-onto-problems
file lcp-a.dat <<
1
2
-1
>>
setup ln lcp-a.dat lcp-b.dat; ln -s lcp-a.dat c.json; sha256sum lcp-a.dat >before
run nssim solve lcp-a.dat --copy lcp-b.dat; echo $?; nssim solve lcp-a.dat -o c.json; echo $?
exit any
stderr-match lcp-b\.dat: writing it would destroy the problem; give the output another name
stderr-match c\.json: writing it would destroy the problem
verify sha256sum -c --quiet before

case sweep-onto-its-study
copy cli/ball.xml
setup mkdir d; printf 'e\n0.5\n0.6\n' >d/measures.csv; cp ball.xml d/manifest; sha256sum d/* >before
run nssim sweep d/measures.csv --model ball.xml -o d; echo $?; nssim sweep d/measures.csv --model d/manifest -o d; echo $?
stdout <<
73
73
>>
stderr-match d/measures\.csv: writing it would destroy d/measures\.csv, which the study is read from
stderr-match d/manifest: writing it would destroy d/manifest, which the model is read from
verify sha256sum -c --quiet before
