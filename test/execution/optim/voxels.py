#!/usr/bin/env python3
"""least_squares against SciPy's `leastsq`, voxel by voxel: parameters to a small part of their errors, and costs.

    voxels.py PMC FOLDER MESHES..."""
import os
import subprocess
import sys

import h5py
import numpy as np
from scipy.optimize import least_squares

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
use optim
dim v = 6, w = 5 over 20 mm
dim t = 12 over 0.24 s
mesh ranks(row = 1, col = 1)
layout v -> row, w -> col
input S: field[v, w, t]
let time = map i in [t] => 0.02 s + i[t]
let gain = map i in [t] => 1 + 0.1 * number(i[t], 1 s)
let field = map q in [v] => 0.5 + 0.1 * index(q, v)
fn model(p, a) = (p[0] * exp(-p[1] * a.time) + p[2] * field) * a.gain
let fit = least_squares(model, S, (1.0, map q in [v, w] => 15 Hz, 0.0), {time = time, gain = gain}, iterations = 40)
output amplitude = fit.p[0]
output rate = fit.p[1] / 1 Hz
output offset = fit.p[2]
output cost = fit.cost
let still = least_squares((p, a) => p[0] + 0 * number(p[1], 1 Hz), S, (1.0, 7 Hz), time)
output mean_signal = still.p[0]
output kept = still.p[1] / 1 Hz
let one = least_squares((p, time) => p[0] * exp(-p[1] * time), S[v = 1, w = 2], (1.0, 15 Hz), time)
print "one {:.12e} {:.12e}", one.p[0], one.p[1] / 1 Hz
fn rates(S) = sum(least_squares((p, time) => p[0] * exp(-p[1] * time), S, (1.0, 15 Hz), time).p[1] / 1 Hz)
output slope = grad(rates)(S)
"""
time = 0.02 + 0.02 * np.arange(12)
gain = 1 + 0.1 * 0.02 * np.arange(12)
field = 0.5 + 0.1 * np.arange(6)


def model(p, v):
    return (p[0] * np.exp(-p[1] * time) + p[2] * field[v]) * gain


def fitted(function, start):
    return least_squares(function, start, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15, x_scale=np.maximum(np.abs(start), 0.1))


def check(where, signal, folder, text, bound):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][...].astype(float)
    found = np.stack([read(name) for name in ("amplitude", "rate", "offset")], -1)
    cost, slope = read("cost"), read("slope")
    for v, w in np.ndindex(6, 5):
        fit = fitted(lambda p: model(p, v) - signal[v, w], [1, 15, 0])
        errors = 0.01 * np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
        off = np.abs(found[v, w] - fit.x) / errors
        assert off.max() < bound, (where, v, w, found[v, w], fit.x, off)
        assert abs(cost[v, w] / (2 * fit.cost) - 1) < bound, (where, v, w, cost[v, w], 2 * fit.cost)
        two = fitted(lambda p: p[0] * np.exp(-p[1] * time) - signal[v, w], [1, 15])
        decay = np.exp(-two.x[1] * time)
        rows = np.stack([decay, -two.x[0] * time * decay])
        # The second-order term of the normal equations, too.
        second = np.array([[np.zeros(12), -time * decay], [-time * decay, two.x[0] * time**2 * decay]]) @ two.fun
        expected = np.linalg.solve(rows @ rows.T + second, rows)[1]
        assert np.abs(slope[v, w] - expected).max() < 30 * bound * np.abs(expected).max(), (where, v, w, slope[v, w], expected)
    assert np.abs(read("mean_signal") - signal.mean(-1)).max() < 1e-2 * bound and np.all(read("kept") == 7), where
    one = fitted(lambda p: p[0] * np.exp(-p[1] * time) - signal[1, 2], [1, 15])
    assert np.abs(np.array(text.split()[1:], dtype=float) / one.x - 1).max() < bound, (where, text, one.x)


def main():
    random = np.random.default_rng(1)
    amplitude, rate, offset = random.uniform(0.5, 2, (6, 5)), random.uniform(8, 25, (6, 5)), random.uniform(0, 0.2, (6, 5))
    signal = np.stack([[model((amplitude[v, w], rate[v, w], offset[v, w]), v) for w in range(5)] for v in range(6)])
    signal += 0.01 * random.standard_normal(signal.shape)
    pmc, folder = sys.argv[1:3]
    os.makedirs(folder, exist_ok=True)
    data = os.path.join(folder, "signal.npy")
    np.save(data, signal)
    for mesh, _, out, text in meshes.runs("voxels", SPEC, ["--S=" + data]):
        check(mesh, signal, out, text, 1e-4)
    single = os.path.join(folder, "single")
    subprocess.run([*pmc.split(), "-O0", os.path.join(folder, "voxels.pm"), "-o", single], check=True)
    text = subprocess.run([single, "--quiet", "--S=" + data, "--out", single + ".out"], check=True, stdout=subprocess.PIPE, text=True).stdout
    check("f32", signal, single + ".out", text, 2e-3)


main()
