"""Writes chains to files for ArviZ, and reads them with ArviZ, or with h5py without it: chains.py FOLDER"""
import importlib.util
import sys

import h5py
import numpy as np

import pmc

found = pmc.read(sys.argv[1])
pmc.write_inference_data("more.nc", found.more)
pmc.write_inference_data("together.nc", found.together)
pmc.write_inference_data("one.nc", found.one, name="f")
try:
    pmc.write_inference_data("none.nc", {"energy": np.zeros(3)})
    sys.exit("a run without chains is accepted")
except pmc.Error as error:
    print(error)


def raw(path, group, name):
    with h5py.File(path) as file:
        return file[group][name][()], [dim[0].name.rsplit("/", 1)[-1] for dim in file[group][name].dims]


def same(path, group, name, truth, dims):
    array, names = raw(path, group, name)
    assert np.array_equal(array, truth) and names == dims, (path, group, name, names)


same("more.nc", "posterior", "mean", found["more/chain/mean"], ["chain", "draw"])
same("more.nc", "posterior", "f_imag", found["more/chain/f"].imag, ["chain", "draw", "f_imag_x", "f_imag_y"])
same("more.nc", "sample_stats", "lp", -np.asarray(found["more/energy"]), ["chain", "draw"])
same("more.nc", "sample_stats", "n_steps", found["more/gradients"], ["chain", "draw"])
same("together.nc", "posterior", "mean", found["together/chain/mean"], ["chain", "draw"])
same("together.nc", "posterior", "f_real", found["together/chain/f"].real, ["chain", "draw", "f_real_x", "f_real_y"])
same("together.nc", "sample_stats", "acceptance_rate", found["together/accept"], ["chain", "draw"])
same("one.nc", "posterior", "f", np.asarray(found["one/chain"])[None], ["chain", "draw", "f_x"])
if importlib.util.find_spec("arviz"):
    import arviz
    data = arviz.from_netcdf("more.nc")
    assert data.posterior["mean"].dims == ("chain", "draw") and data.posterior["mean"].shape == (3, 40), data
    assert np.array_equal(data.posterior["f_real"], found["more/chain/f"].real)
    assert np.array_equal(data.sample_stats.diverging, found["more/diverged"] > 0)
    assert float(arviz.rhat(data)["mean"]) > 0.9
    assert arviz.from_netcdf("one.nc").posterior["f"].shape == (1, 40, 4)
    print("ArviZ opens them")
print("the same chains")
