"""svg_axes.py PAGE: the axes of the pictures in a page have names with units, and labels that are round numbers at equal distances."""

import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
pictures = {label: re.findall(r"<text ([^>]*)>([^<]*)</text>", body) for label, body in re.findall(r'<svg [^>]*aria-label="([^"]*)"[^>]*>(.*?)</svg>', page, re.S)}
names = {"timeline of ranks": [r"time since the start \[(h|min|s|ms|µs)\]"], "memory over time": [r"memory \[[KMG]iB\]", r"time since the start \[(h|min|s|ms|µs)\]"],
         "loss of s": ["iteration", "loss, logarithmic"]}
for picture, wanted in names.items():
    texts = [text for _, text in pictures[picture]]
    for name in wanted:
        assert any(re.fullmatch(name, text) for text in texts), (picture, name, texts)
# Along x, texts below the axis with one y.
for picture in names:
    ticks = {}
    for attributes, text in pictures[picture]:
        x, y = (float(re.search(rf'\b{key}="([-0-9.]+)"', attributes)[1]) for key in "xy")
        if re.fullmatch("[0-9.]+", text) and "middle" in attributes:
            ticks.setdefault(y, []).append((x, float(text)))
    (row,) = ticks.values()
    assert len(row) >= 3 and row[0][1] == 0, (picture, row)
    step = row[1][1]
    digits = f"{step:.0e}"[0]
    assert digits in "125", (picture, step)
    for i, (x, value) in enumerate(row):
        assert abs(value - i * step) < 1e-6 * step, (picture, row)
        # Places are rounded to a tenth, and so is the distance of the first two.
        assert abs(x - row[0][0] - i * (row[1][0] - row[0][0])) < 0.15 * (i + 1), (picture, row)
