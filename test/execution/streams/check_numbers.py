"""Samples of streams against NumPy: from one file of each kind and from folders, on several meshes.

    check_numbers.py PROGRAM FOLDER
"""
import json
import os
import subprocess
import sys

import h5py
import numpy as np

program, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
random = np.random.default_rng(3)
data = random.normal(size=(7, 6, 5))
waves = random.normal(size=(9, 5, 6)) + 1j * random.normal(size=(9, 5, 6))
ints = random.integers(-(2**40), 2**40, size=(3, 6))
FIRST = 2


def path(name):
    return os.path.join(folder, name)


def split(name, array, names):
    os.makedirs(path(name), exist_ok=True)
    for part, sample in zip(names, array):
        if part.endswith(".npy"):
            np.save(os.path.join(path(name), part), sample)
        else:
            with h5py.File(os.path.join(path(name), part), "w") as file:
                file["sample"] = sample
    return path(name)


with h5py.File(path("packed.h5"), "w") as packed:
    packed.create_dataset("set/data", data=data, chunks=(2, 4, 3), compression="gzip", shuffle=True)
    packed.create_dataset("waves", data=waves, chunks=(1, 5, 6))
    packed.create_dataset("ints", data=ints.astype(">i8"))
with h5py.File(path("plain.h5"), "w") as plain:
    plain["data"] = data.astype(np.float64)
np.save(path("data.npy"), data)
np.save(path("waves.npy"), waves)
np.save(path("ints.npy"), ints)
# Numbers in names count by their value: 2 before 10, and 009 before 10.
few = split("few", data, [f"map_{3 * i}.npy" for i in range(7)])
many = split("many", waves, [f"{i:03}.h5" for i in range(9)])
rows = split("rows", ints, ["a009.npy", "a10.npy", "b1.npy"])
# Of files with maps and labels one dataset each.
labeled = os.path.join(folder, "labeled")
os.makedirs(labeled, exist_ok=True)
for i, sample in enumerate(data):
    with h5py.File(os.path.join(labeled, f"{i}.h5"), "w") as file:
        file["set/map"] = sample
        file["label"] = float(i)
with open(os.path.join(few, "README"), "w", encoding="utf-8") as note:
    note.write("no sample")

order = (5 * np.arange(4) + FIRST) % 7
w = np.full((6, 5), 0.5)
state = np.ones((6, 5))
for sample in data:
    state = state * sample + 0.5
expected = {
    "one": data[FIRST], "several": data[order], "behind": data[::2],
    "shown": np.roll(data[order], -1, axis=1) - data[order][:, :, 2:3],
    "last": waves[-1], "counts": [7, 9, 3], "whole": ints[FIRST],
    "sums": np.einsum("i,ixy->xy", np.arange(1, 8), data),
    "pairs": sum(data[2 * i] * data[2 * i + 1] for i in range(3)),
    "batches": sum(data[(4 * i + np.arange(4)) % 7] for i in range(5)),
    "means": data.mean(axis=(1, 2)),
    "slope": 2 * data[FIRST] * (w * data[FIRST] - 1),
    "slope_of_all": 3 * 0.7**2 * (data**2).sum(),
    "along": 6 * 0.7**2 * (data**2).sum(),
    "slope_by_start": 2 * state * data.prod(axis=0),
}
flags = [
    ["--data=" + path("packed.h5:/set/data"), "--waves=" + path("waves.npy"), "--ranks_of=" + rows],
    ["--data=" + few, "--waves=" + many, "--ranks_of=" + path("packed.h5:/ints")],
    ["--data=" + path("data.npy"), "--waves=" + path("packed.h5:/waves"), "--ranks_of=" + path("ints.npy")],
    ["--data=" + labeled + ":/set/map", "--waves=" + many, "--ranks_of=" + rows],
]
for files, mesh in zip(flags, ((1, 1), (2, 2), (3, 1), (1, 2))):
    out = path("out")
    subprocess.run([program, "--quiet", "--threads=1", "--out", out, *files, f"--mesh=row={mesh[0]},col={mesh[1]}",
                    "--transport=threads"], check=True)
    for name, want in expected.items():
        with h5py.File(os.path.join(out, name + ".h5")) as file:
            got = file[name][()]
        error = np.abs(got - want).max() / max(1, np.abs(want).max())
        if np.shape(got) != np.shape(want) or not error < 1e-13:
            sys.exit(f"{name} on {mesh} from {files}: off by {error}")
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        streams = json.load(file)["streams"]
    print(mesh, streams["data"])
