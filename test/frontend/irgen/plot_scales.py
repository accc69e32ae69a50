"""Compiles a plot for each combination of scales: plot_scales.py PMC SPEC."""

import itertools
import subprocess
import sys

compiler, path = sys.argv[1:]
CHOICES = ("", "log", "linear")
plots = list(itertools.product(CHOICES, repeat=3))
with open(path, "w", encoding="utf-8") as file:
    file.write("dim x = 8\nlet f = map q in [x] => index(q, x) + 1\n")
    for i, words in enumerate(plots):
        options = " ".join(f"{name} {word}" for name, word in zip(("scale", "xscale", "yscale"), words) if word)
        file.write(f"plot p{i} = (f, f) {options}\n")
lines = subprocess.run([compiler, "--emit=pm", path], capture_output=True, text=True, check=True).stdout.splitlines()
for i, (both, x, y) in enumerate(plots):
    line = next(line for line in lines if f'pm.plot "p{i}"' in line)
    found = ('xscale = "log"' in line, f'"p{i}" log(' in line)
    expected = ((x or both) == "log", (y or both) == "log")
    assert found == expected, (plots[i], found, expected, line)
