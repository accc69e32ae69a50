"""Checks the sizes of pages: the size of the map, plus texts of about the same size on every page. sides.py FOLDER"""

import os
import sys


def size(name):
    with open(os.path.join(sys.argv[1], name + ".layout"), encoding="utf-8") as file:
        role, _, _, width, height, _ = file.readline().rstrip("\n").split("\t")
    assert role == "page"
    return float(width), float(height)


# The longest side of a map is 400.
for name, width, height in (("high", 200, 400), ("wide", 400, 200)):
    found, square = size(name), size("square")
    for side, wanted, own, of_square in zip(("width", "height"), (width, height), found, square):
        assert abs((of_square - own) - (400 - wanted)) < 40, f"{name}: {side} {own}, that of a square map {of_square}, expected {400 - wanted} less"
