"""projections.py FOLDER: what the maps of sky.pm show, against the directions of their pixels."""

import os
import sys

import numpy

from values import figure_of

folder = sys.argv[1]


def shown(name):
    """The values of a map, and where their pixels are: x to the right, y up, from -1 to 1."""
    figure = figure_of(os.path.join(folder, name + ".png"))
    columns, rows = figure["columns"], figure["rows"]
    values = numpy.frombuffer(figure["values"], "f4").reshape(columns, rows).astype(float)
    # Means of whole squares of the picture's pixels, the last ones may be smaller.
    size = {"mollweide": (1000, 500), "polar": (800, 800)}[figure["projection"]]
    each = -(-max(size) // 192)
    def middles(cells, all):
        begin = numpy.arange(cells) * each
        return (begin + numpy.minimum(begin + each, all)) / all - 1
    return values, *numpy.meshgrid(middles(columns, size[0]), middles(rows, size[1]), indexing="ij")


heights, x, y = shown("sky")
inside = x**2 + y**2 < 0.95**2
theta = numpy.arcsin(numpy.clip(y, -1, 1))
z = (2 * theta + numpy.sin(2 * theta)) / numpy.pi
longitude = -numpy.pi * x / numpy.cos(theta)
assert numpy.isnan(heights[x**2 + y**2 > 1.05**2]).all() and numpy.isfinite(heights[inside]).all()
pixel = numpy.sqrt(4 * numpy.pi / 3072)
side = numpy.sqrt(numpy.maximum(0, 1 - z**2))
for name, expected in (("sky", z), ("sky_x", side * numpy.cos(longitude)), ("sky_y", side * numpy.sin(longitude))):
    wrong = numpy.abs(shown(name)[0] - expected)[inside]
    assert wrong.max() < pixel and wrong.mean() < 0.35 * pixel, (name, wrong.max(), wrong.mean(), pixel)

# Every number of a cell that is seen alone.
def cells(name, first, second, counts, wide):
    values, x, y = shown(name)
    a, b = first(x, y) * counts[0], second(x, y) * counts[1]
    alone = (x**2 + y**2 < 0.9) & wide(x, y) & (abs(a % 1 - 0.5) < 0.2) & (abs(b % 1 - 0.5) < 0.2)
    assert alone.sum() > 500
    whole = numpy.floor(a) + 100 * numpy.floor(b)
    assert (abs(values - whole)[alone] < 0.5).mean() > 0.99, name


cells("globe", lambda x, y: (-numpy.pi * x / numpy.sqrt(numpy.maximum(1e-9, 1 - y**2)) % (2 * numpy.pi)) / (2 * numpy.pi),
      lambda x, y: 0.5 + numpy.arcsin(numpy.clip((2 * numpy.arcsin(numpy.clip(y, -1, 1)) + numpy.sin(2 * numpy.arcsin(numpy.clip(y, -1, 1)))) / numpy.pi, -1, 1)) / numpy.pi,
      (64, 32), lambda x, y: abs(y) < 0.6)
cells("disc", lambda x, y: numpy.arctan2(y, x) % (2 * numpy.pi) / (2 * numpy.pi), numpy.hypot, (48, 24),
      lambda x, y: numpy.hypot(x, y) > 0.5)
