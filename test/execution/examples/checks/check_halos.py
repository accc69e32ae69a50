"""Looks at halos and what is made of them: check_halos.py SCRIPT HALOS TRAINED FOUND INITIAL OTHER

SCRIPT is halos.py; its groups of friends are those of a search without trees. HALOS is what it wrote, TRAINED and FOUND what train.pm and reconstruct.pm
wrote. The masses that the networks tell are NumPy's, they go with those of halos, and so do the initial conditions with INITIAL, in another universe than the
one that was learnt from. OTHER was trained on other ranks, to the same masses."""

import importlib.util
import itertools
import os
import sys

import h5py
import numpy

script, halos, trained, found, initial, other = sys.argv[1:]
complaints = []


def read(out, name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def groups(position, box, length):
    """The same by going through all pairs again and again: sorted numbers of particles, and a label for each."""
    away = position[:, None] - position
    near = (((away - box * numpy.round(away / box)) ** 2).sum(2)) <= length**2
    label = numpy.arange(len(position))
    while True:
        lower = numpy.where(near, label, len(label)).min(1)
        if (lower == label).all():
            return label
        label = lower


def smoothed(f, radius, k2):
    return numpy.fft.ifftn(numpy.fft.fftn(f) * numpy.exp(-0.5 * k2 * radius**2)).real


def correlation(a, b, k, most):
    """Of the waves of two fields up to `most`."""
    a, b = numpy.fft.fftn(a), numpy.fft.fftn(b)
    chosen = (k > 0) & (k < most)
    power = (abs(a[chosen]) ** 2).sum() * (abs(b[chosen]) ** 2).sum()
    return (a[chosen] * b[chosen].conj()).real.sum() / numpy.sqrt(power)


# Clumps, one of them across an edge, and single particles.
spec = importlib.util.spec_from_file_location("halos", script)
friends = importlib.util.module_from_spec(spec)
spec.loader.exec_module(friends)
random = numpy.random.default_rng(1)
clumps = [centre + 0.3 * random.standard_normal((20, 3)) for centre in random.uniform(0, 10, (8, 3))]
position = numpy.mod(numpy.concatenate([*clumps, random.uniform(0, 10, (200, 3)), 0.3 * random.standard_normal((20, 3))]), 10.0)
label = groups(position, 10.0, 0.4)
centre, size = friends.friends_of_friends(position, 10.0, 0.4)
first, sizes = numpy.unique(label, return_counts=True)
if sorted(size) != sorted(sizes):
    complaints.append(f"the groups have {sorted(size)[-5:]} particles at most, expected {sorted(sizes)[-5:]}")
for one in first:
    members = position[label == one]
    middle = members[0] + numpy.mean((members - members[0] + 5) % 10 - 5, axis=0)
    off = abs((centre - middle + 5) % 10 - 5).max(1).min()
    if not off < 1e-9:
        complaints.append(f"no group is at {middle}, the nearest is {off:.1e} away")

with h5py.File(halos) as file:
    catalogue, mass = file["catalogue"][()], file["mass"][()]
box, n = 100.0, len(mass)
if not abs(mass.sum() / catalogue[:, 3].sum() - 1) < 1e-12:
    complaints.append("the mesh has not the mass of the halos")
# A window of clouds in cells is sinc^2 along each direction: of the fundamental wave along z.
wave = numpy.exp(-2j * numpy.pi * numpy.arange(n) / n)
lump = numpy.zeros((4, 3))
lump[:, 2] = numpy.arange(4) * box / n / 4
mean = sum(friends.painted(p[None], numpy.ones(1), n, box).sum((0, 1)) @ wave * numpy.exp(2j * numpy.pi * p[2] / box) for p in lump) / 4
fine = numpy.arange(4) / 4
cloud = sum(((1 - f) + f * wave[1]) * numpy.exp(2j * numpy.pi * f / n) for f in fine) / 4
if not abs(mean - cloud) < 1e-12:
    complaints.append(f"halos are painted as {mean}, expected {cloud}")

# The networks.
density, told = read(trained, "density"), read(trained, "told")
with h5py.File(os.path.join(trained, "net.h5")) as file:
    net = {}
    file["net"].visititems(lambda name, item: net.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
one = 2 * numpy.pi * numpy.fft.fftfreq(n, box / n)
k2 = one[:, None, None] ** 2 + one[:, None] ** 2 + one**2
k = numpy.sqrt(k2)
window = numpy.sinc(one * box / n / (2 * numpy.pi)) ** 2
sharp = numpy.fft.ifftn(numpy.fft.fftn(density) / (window[:, None, None] * window[:, None] * window)).real
three = smoothed(density, 3.0, k2)
seen = numpy.stack([sharp, three, three - smoothed(density, 3.6, k2)])
seen = (seen - net["centre"][:, None, None, None]) / net["width"][:, None, None, None]
cells = numpy.zeros((30, n, n, n))
for taps in itertools.product(range(3), repeat=3):
    moved = numpy.roll(seen, [1 - t for t in taps], axis=(1, 2, 3))
    cells += numpy.einsum("oc,cxyz->oxyz", net["likely/first/weight"][(..., *taps)], moved)


def layer(f, name):
    return numpy.einsum("oc,cxyz->oxyz", net[name + "/weight"], f) + net[name + "/bias"][:, None, None, None]


def elu(f):
    return numpy.where(f > 0, f, numpy.expm1(f))


cells = numpy.maximum(cells + net["likely/first/bias"][:, None, None, None], 0)
likely = 1 / (1 + numpy.exp(-layer(numpy.maximum(layer(cells, "likely/second"), 0), "likely/third")[0]))
heavy = 10 * (1 + elu(layer(elu(layer(elu(layer(seen, "heavy/first")), "heavy/second")), "heavy/third"))[0])
error = abs(told - likely * heavy).max() / abs(told).max()
if not error < 1e-10:
    complaints.append(f"the masses are off by {error:.1e} from those of NumPy")
difference = abs(told - read(other, "told")).max() / abs(told).max()
if not difference < 1e-9:
    complaints.append(f"on other ranks the masses differ by {difference:.1e}")

where, chance, masses, typical = read(trained, "errors")
if not where < 0.7 * chance or not masses < 0.8 * typical:
    complaints.append(f"the networks have errors of {where:.3f} and {masses:.3f}, {chance:.3f} and {typical:.3f} without them")

with h5py.File(initial) as file:
    truth = file["initial"][()]
r = [correlation(truth, read(found, "found"), k, most) for most in (0.15, 0.25)]
print(f"friends, networks; correlation of the initial field {r[0]:.3f} below 0.15 h/Mpc, {r[1]:.3f} below 0.25")
if not r[0] > 0.93 or not r[1] > 0.85:
    complaints.append("the initial conditions are not those of the halos")
if complaints:
    sys.exit("\n".join(complaints))
