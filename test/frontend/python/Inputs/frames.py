"""Outputs and costs as data frames, arrays of xarray and figures; progress by tqdm. argv: run.pm."""
import io
import sys
from contextlib import redirect_stderr

import matplotlib
import numpy as np

import pmc

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

sim = pmc.compile("""
dim x = 4 over 8 Mpc/h
dim z = 2 over 3 Mpc/h
param steps: int = 20000
input f: field[x]
let r = {low = f, high = 3 * f}
output line = 2 * f
output table (left, right) = (f, f + 1)
output record = r
output plane = map i in [x, z] => index(i, x) + 10 * index(i, z)
let g = loop u = f for i in 0 .. steps => u + 1
output total = sum(g)
""", plan="estimate")
f = np.arange(4.0)
result = sim(f=f)
line = result.line.to_frame()
assert list(line["line"]) == [0, 2, 4, 6] and list(line.index) == [0, 2, 4, 6] and line.index.name == "x"
table = result.to_frame("table")
assert list(table.columns) == ["left", "right"] and list(table["right"]) == [1, 2, 3, 4]
record = result.to_frame("record")
assert sorted(record.columns) == ["high", "low"] and list(record["high"]) == [0, 3, 6, 9]
try:
    result.total.to_frame()
    raise AssertionError("an error is expected")
except ValueError as error:
    print(error)

array = result.plane.to_xarray()
assert array.dims == ("x", "z") and list(array.coords["x"]) == [0, 2, 4, 6] and list(array.coords["z"]) == [0, 1.5]
assert float(array.sel(x=4, z=1.5)) == 12

axes = result.plane.plot(pyplot.figure().gca())
assert np.array_equal(axes.images[0].get_array(), result.plane) and axes.get_xlabel() == "z"
assert axes.images[0].get_extent() == [0, 3, 0, 8]
axes = result.line.plot(pyplot.figure().gca())
assert np.array_equal(axes.lines[0].get_xydata(), [[0, 0], [2, 2], [4, 4], [6, 6]])
axes = result.table.plot(pyplot.figure().gca())
assert np.array_equal(axes.lines[0].get_xydata(), result.table) and axes.get_xlabel() == "left"
# Slices have coordinates and units, too.
array = result.plane[1:, 1].to_xarray()
assert array.dims == ("x",) and list(array.coords["x"]) == [2, 4, 6] and list(array) == [11, 12, 13]
axes = result.line[::-2].plot(pyplot.figure().gca())
assert np.array_equal(axes.lines[0].get_xydata(), [[6, 6], [2, 2]])

assert pmc.explain("dim x = 4\noutput f = white_noise[x](1)\n")["ops"]
costs = pmc.explain(sys.argv[1], n=16)
frame = costs.to_frame()
assert len(frame) == len(costs["ops"]) and "files" in set(frame["part"])
assert list(costs.to_frame("loops")["steps"]) == [3] and costs.to_frame("at_the_peak")["bytes"].max() > 0

sim.progress = True
shown = io.StringIO()
with redirect_stderr(shown):
    sim(f=f)
assert "20000/20000" in shown.getvalue(), shown.getvalue()[-200:]
print("frames agree")
