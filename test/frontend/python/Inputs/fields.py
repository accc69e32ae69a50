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
print("fields agree")
