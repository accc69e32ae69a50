"""Checks what a notebook of examples/notebooks has printed. argv: its name, a file."""
import re
import sys

name, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()
numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", text.replace("sigma8", "sigma"))]
if name == "posterior":
    for mean, width, truth in (numbers[:3], numbers[3:]):
        assert 0.005 < width < 0.1 and abs(mean - truth) < 4 * width, text
else:
    before, after, correlation = numbers
    least, most = {"network": (0.25, 0.5), "torch": (0.6, 0.05)}[name]
    assert correlation > least and after < most * before, text
