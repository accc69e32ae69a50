"""Units and coordinates of slices, columns and copies of outputs."""
import copy
import pickle

import numpy as np

import pmc

sim = pmc.compile("""
dim x = 4 over 8 Mpc/h
dim z = 2 over 3 Mpc/h
input f: field[x]
output units (near, far) = (f, f * 1 Mpc/h)
output plane = map i in [x, z] => (index(i, x) + 10 * index(i, z)) * 1 km/s
""", plan="estimate")
result = sim(f=np.arange(4.0))
plane = result.plane


def check(part, dims, values, **coords):
    assert (part.name, part.unit, part.dims) == ("plane", "km/s", dims), (part.name, part.unit, part.dims)
    assert np.array_equal(part, values), part
    assert {dim: list(found) for dim, found in part.coords.items()} == coords, part.coords


check(plane[1:, 1], ("x",), [11, 12, 13], x=[2, 4, 6])
check(plane[..., 0][::-2], ("x",), [3, 1], x=[6, 2])
check(plane[1:][::2][-1], ("z",), [3, 13], z=[0, 1.5])
check(plane[::2][1:], ("x", "z"), [[2, 12]], x=[4], z=[0, 1.5])
check(plane[::2].T, ("z", "x"), [[0, 2], [10, 12]], z=[0, 1.5], x=[0, 4])
check(plane.transpose(-1, 0)[1], ("x",), [10, 11, 12, 13], x=[0, 2, 4, 6])
for same in (plane.copy(), plane.T.T, plane[...], plane.astype("f4"), copy.copy(plane), copy.deepcopy(plane),
             pickle.loads(pickle.dumps(plane))):
    check(same, ("x", "z"), plane, x=[0, 2, 4, 6], z=[0, 1.5])
check(pickle.loads(pickle.dumps(plane[2:])), ("x", "z"), plane[2:], x=[4, 6], z=[0, 1.5])

far = result.units[:, 1]
assert (far.name, far.unit, far.dims, list(far.coords["x"])) == ("far", "Mpc/h", ("x",), [0, 2, 4, 6]), far.unit
assert (result.units[:, :1].columns, result.units[:, :1].unit) == (("near",), "1"), result.units[:, :1].unit
assert result.units[1].columns == ("near", "far") and result.units[1].unit == result.units.unit
# Elements that are chosen by conditions or lists of indices have no coordinates.
assert (plane[plane > 3].dims, plane[[0, 1]].dims, plane[[0, 1]].unit) == ((), (), "km/s")
# Results of operations may have other units. Therefore they are plain arrays.
assert {type(one) for one in (plane + 1, plane.sum(axis=0), np.sqrt(plane))} == {np.ndarray}

# Coordinates of spectra: wavenumbers of NumPy's transforms, and those of bins.
spectra = pmc.compile("""
use spectra
dim x = 6 over 12 Mpc/h
dim y = 5 over 10 Mpc/h
input f: field[x, y]
let (k, P, modes) = power_spectrum(f)
output half = fft(f)
output whole = fft(f + 0i)
output table (k, P) = (k, P)
output record = {k = k, P = P}
output falling (k, P) = (-k, P)
output level (k, P) = (0 * k, P)
""", plan="estimate")
found = spectra(f=np.random.default_rng(2).standard_normal((6, 5)))
kx, ky = 2 * np.pi * np.fft.fftfreq(6, 2), 2 * np.pi * np.fft.fftfreq(5, 2)
half = 2 * np.pi * np.fft.rfftfreq(5, 2)
near = lambda part, **coords: part.coords.keys() == coords.keys() and all(
    np.allclose(part.coords[dim], one, rtol=1e-14, atol=0) for dim, one in coords.items())
assert near(found.half, kx=kx, ky=half), found.half.coords
assert near(found.whole, kx=kx, ky=ky), found.whole.coords
assert near(found.whole[1::2, 3], kx=kx[1::2]) and near(found.half.T[2], kx=kx)
k = np.asarray(found.record.k)
assert len(k) > 1 and near(found.table, bin=k) and near(found.table[1:, 1], bin=k[1:])
assert near(found.record.P, bin=k) and near(found.record.k, bin=k)
assert near(found.falling) and near(found.level)
assert near(pickle.loads(pickle.dumps(found.record.P[:2])), bin=k[:2])
print("fields agree")
