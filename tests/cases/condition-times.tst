# SPDX-License-Identifier: GPL-3.0-or-later
# Conditions of events in event-driven runs.

# When conditions of t, or of t and the state, begin to hold does not depend on the rows of the output: grids that meet the times and
# grids that do not tell the same, of first order and of mechanics. A condition whose time is within rounding of a row was missed.
case conditions-do-not-see-the-grid
timeout 300
file look.py <<
import os, subprocess
first = '<FirstOrderLinearDS id="s" states="x"><x0>0.05</x0><A>0</A><b>1</b></FirstOrderLinearDS>'
mechanics = '<LagrangianLinearTIDS id="s" coordinates="x"><q0>0.05</q0><v0>1</v0><mass>1</mass></LagrangianLinearTIDS>'
conditions = {
    "sin(2*pi*t) > 0": (1, 2, 3, 4), "t > 1": (1,), "t >= 1": (1,), "cos(pi*t) < 0": (0.5, 2.5, 4.5), "mod(t, 1) > 0.5": (0.5, 1.5, 2.5, 3.5, 4.5),
    "floor(t) > 2.5": (3,), "step(t - 3) > 0.5": (3,), "sin(pi*t) > 0 && t > 0.5": (0.5, 2, 4), "abs(t - 2) < 1": (1,), "s.x > 1": (0.95,),
    "max(t - 1, t - 3) > 0": (1,), "sin(2*pi*t) > 0 && s.x > 0.5": (0.45, 1, 2, 3, 4), "s.x > 0.5 && sin(2*pi*t) > 0": (0.45, 1, 2, 3, 4),
    "min(sin(2*pi*t), s.x - 0.5) > 0": (0.45, 1, 2, 3, 4), "max(-sin(2*pi*t), 0.5 - s.x) < 0": (0.45, 1, 2, 3, 4),
    "!(sin(2*pi*t) <= 0 || s.x <= 0.5)": (0.45, 1, 2, 3, 4), "t < 0.46 && s.x > 0.5": (0.45,), "sin(2*pi*t) <= 0 || s.x < 0.05 + 1e-7 || s.x > 0.5": (0.45,),
    "min(sin(2*pi*t), s.x - 0.5)": (0.45, 1, 2, 3, 4)}
# Each condition alone, and all of them at once.
def run(system, h, these):
    events = "".join(f'<event id="e{k}" when="{when.replace("&", "&amp;").replace("<", "&lt;")}"/>' for k, when in enumerate(these))
    with open("m.xml", "w") as f:
        f.write(f'<model xmlns="urn:nssim:model:1" name="m"><systems>{system}</systems><simulation T="4.75"><EventDriven h="{h}"><CVodeOSI/>'
                f'</EventDriven></simulation><events>{events}</events></model>')
    subprocess.run(["nssim", "-q", "m.xml", "-o", "m.h5"], capture_output=True)
    lines = subprocess.run(["nssim", "info", "m.h5", "--events"], capture_output=True, text=True).stdout.split("\n")
    for k, when in enumerate(these):
        found, times = [float(x.split(",")[0]) for x in lines if ",user," in x and x.split(",")[2] == f"e{k}"], conditions[when]
        if len(found) != len(times) or any(abs(a - b) > 1e-9 for a, b in zip(found, times)):
            print(system[1:6], when, h, len(these), found)
for system in first, mechanics:
    for when in conditions:
        run(system, 0.13, [when])
    for h in 0.1, 0.25, 0.13, 0.0317:
        run(system, h, list(conditions))
print("all")
>>
run python3 look.py
stdout <<
all
>>
