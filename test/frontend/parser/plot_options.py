"""Each option of a plot ends each kind of expression before it: plot_options.py PMC FOLDER"""

import os
import subprocess
import sys

pmc, folder = sys.argv[1:]
# An option, and how the tree shows it.
OPTIONS = {'title "t"': 'title "t"', 'xlabel "t"': 'xlabel "t"', 'ylabel "t"': 'ylabel "t"', 'clabel "t"': 'clabel "t"',
           "scale log": "scale log", "xscale log": "xscale log", "yscale log": "yscale log", "colors gray": "colors gray",
           "projection mollweide": "projection mollweide", "histogram": "histogram", "shared": "shared", "points p": "points: Ref p",
           "xrange a .. b": "xrange: Range", "yrange -1 .. 2 km": "yrange: Range", "crange (a) .. 3": "crange: Range",
           "xunit mm": "xunit in [", "yunit Mpc/h": "yunit in [Mpc/h]", "cunit (km/s)^2": "cunit in [", "in h/Mpc": " in [h/Mpc]",
           "contours c": "contours: Ref c", "band (p, q)": "band: Tuple", 'labels ("a", "b")': 'label "a" label "b"'}
EXPRESSIONS = ("a", "a / 2", "2 a", "2", "a[x = 2]", "f(a)", "-a", "r with {a = 1}", "if c then a else b", "(a, b)", "a^2", "2 km", "r.a",
               "loop v = a for i in 0 .. 3 => 2 v", "map q in a => 2 a")


def trees(lines):
    """The tree of each line, a plot."""
    path = os.path.join(folder, "plot.pm")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run([pmc, "--emit=ast", path, "-o", "-"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode} of these plots:\n" + "\n".join(lines) + "\n" + done.stderr)
    found = done.stdout.split("\n  Plot")[1:]
    assert len(found) == len(lines), done.stdout
    return [one.strip("\n") for one in found]


wrong = 0
for expression in EXPRESSIONS:
    without = trees([f"plot {expression} {option}" for option in OPTIONS])
    with_brackets = trees([f"plot ({expression}) {option}" for option in OPTIONS])
    for (option, shown), found, expected in zip(OPTIONS.items(), without, with_brackets, strict=True):
        if found != expected or shown not in found:
            print(f"plot {expression} {option}: found\n{found}\nexpected, with '{shown}'\n{expected}")
            wrong += 1
print(f"{len(EXPRESSIONS)} expressions, {len(OPTIONS)} options")
sys.exit(wrong > 0)
