# SPDX-License-Identifier: GPL-3.0-or-later
"""study.py DIR KIND -- a table of measures as a sweep leaves it: KIND map (e, mu, height) or logistic (A, samples)."""
import os
import sys

folder, kind = sys.argv[1:]
os.makedirs(folder)
with open(os.path.join(folder, "measures.csv"), "w") as f:
    run = 0
    if kind == "map":
        f.write("run,key,status,e,mu,height\n")
        for i in range(8):
            for k in range(5):
                good = run != 11  # one run has failed
                # a key may look like a number, the next one not
                f.write(f"{run},{'123e4' if not run else 'ab%02x' % run},{'complete' if good else 'failed'},"
                        f"{0.1 + 0.1 * i:.17g},{0.05 * k:.17g},{i * (k + 1) if good else 1e9}\n")
                run += 1
    else:
        n = 12
        f.write("run,key,status,A,e," + ",".join(f"samples[{i}]" for i in range(n)) + "\n")
        for i in range(50):
            r, x, xs = 2.8 + 0.02 * i, 0.4, []
            for k in range(400 + n):
                x = r * x * (1 - x)
                if k >= 400:
                    xs.append(f"{x:.17g}")
            f.write(f"{run},k{run},complete,{r:.17g},0.5," + ",".join(xs) + "\n")
            run += 1
