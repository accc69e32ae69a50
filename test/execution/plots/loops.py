"""loops.py FOLDER STEPS [LIKE]: the files of loops.pm against NumPy, and those of another run."""

import glob
import os
import struct
import sys

import numpy

from png import chunks, pixels, size

folder, steps = sys.argv[1], int(sys.argv[2])


def names(pattern):
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, pattern)))


def load(name):
    return numpy.load(os.path.join(folder, name))


def equal(name, value):
    assert numpy.allclose(load(name), value, rtol=1e-5, atol=1e-6), name


f = load("power_002.npy")
assert names("power_*") == ["power_002.npy", "power_005.npy"]
fifth = load("power_005.npy")
f = numpy.sign(fifth) * numpy.sqrt(f)
u = f
assert names("density*") == [f"density_{i:03}.npy" for i in range(0, steps, 2)], names("density*")
for i in range(steps):
    if i % 2 == 0:
        equal(f"density_{i:03}.npy", u)
    u = 0.5 * u + 0.5 * numpy.roll(u, -1, axis=0)
equal("last.npy", u)
assert names("cell*") == [f"cell_{i:03}_{j:03}.npy" for i in (0, 1) for j in (10, 11)]
for count, name in enumerate(names("cell*")):
    equal(name, f + count)
top, count = f.max(), 0
while top > 0.5:
    equal(f"halved_{count:03}.npy", top)
    top, count = 0.5 * top, count + 1
assert len(names("halved*")) == count
assert [float(load(name)) for name in names("quartered*")] == [16, 4]

frames = names("waves_*.png")
assert frames == [f"waves_{i:03}.png" for i in range(steps)], frames
assert names("waves.png") == (["waves.png"] if steps else [])
if steps:
    # An animation of all frames, each at the top left of a page as large as the largest.
    shown, order = [], []
    found = chunks(os.path.join(folder, "waves.png"))
    for kind, body in found:
        if kind == "fcTL":
            number, width, height, left, top, delay, per, dispose, blend = struct.unpack(">IIIIIHHBB", body)
            assert (width, height) == struct.unpack(">II", found[0][1][:8]) and (left, top) == (0, 0) and delay / per >= 0.1
            order.append(number)
            shown.append(b"")
        elif kind == "IDAT":
            shown[-1] += body
        elif kind == "fdAT":
            order.append(struct.unpack(">I", body[:4])[0])
            shown[-1] += body[4:]
    assert order == list(range(len(order))) and found[1][0] == "acTL"
    assert struct.unpack(">II", found[1][1]) == (steps, 0) and len(shown) == steps
    for name, data in list(zip(frames, shown))[:2]:
        own = chunks(os.path.join(folder, name))
        width, height = size(os.path.join(folder, name))
        frame = pixels(own[0][1], b"".join(body for kind, body in own if kind == "IDAT"))
        page = pixels(found[0][1], data)
        assert [row[:3 * width] for row in page[:height]] == frame, name
        assert all(set(row) == {255} for row in page[height:])

if len(sys.argv) > 3:
    like = sys.argv[3]
    written = names("*.npy") + names("*.png")
    assert \
        set(written) == {name for name in os.listdir(like) if name.endswith((".npy", ".png"))}
    for name in written:
        with open(os.path.join(folder, name), "rb") as a, open(os.path.join(like, name), "rb") as b:
            assert a.read() == b.read(), name
