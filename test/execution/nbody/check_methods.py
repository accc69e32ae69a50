#!/usr/bin/env python3
"""Replays the simulations of methods.pm in NumPy: check_methods.py FOLDER"""
import os
import sys
from types import SimpleNamespace

import h5py
import numpy as np
from scipy.integrate import quad

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
import replay  # pylint: disable=wrong-import-position

out, n, box = sys.argv[1], 12, 60.0
cosmo = SimpleNamespace(omega_m=0.35, omega_k=0.05, w0=-0.9, wa=0.0)
growth = replay.Growth(cosmo, "true")


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def force(x, boost):
    """The gradient of the inverse Laplacian of the overdensity, with FastPM's kernels: it points away from masses."""
    m = boost * n
    potential = -replay.inverse_laplacian(m, box) * replay.forward(replay.paint(x % box, m, box))
    return replay.readout([replay.backward(1j * k * potential, m) for k in replay.gradient_kernel(m, box, "fd4")], x % box, m, box)


q = replay.lattice(n, box)
psi1, psi2 = replay.lpt_displacements(read("delta"), box)
E = lambda a: replay.efunc(cosmo, a)
D1, D2 = growth.D1, growth.D2
lpt_disp = lambda a: D1(a) * psi1 + D2(a) * psi2
lpt_mom = lambda a: a ** 2 * E(a) * (growth.f1(a) * D1(a) * psi1 + growth.f2(a) * D2(a) * psi2)
times = np.linspace(0.2, 0.8, 4)

# BullFrog: a velocity v = dx/dD whose kick keeps D psi1 + F psi2', F = -3/7 D2; the slope of F by D from differences.
slope = lambda a: -3 / 7 * (D2(a * 1.0001) - D2(a / 1.0001)) / (D1(a * 1.0001) - D1(a / 1.0001))
disp, v = lpt_disp(0.2), lpt_mom(0.2) / growth.Gf(0.2)
for a, b in zip(times, times[1:]):
    h, middle = (D1(b) - D1(a)) / 2, (D1(a) + D1(b)) / 2
    disp = disp + h * v
    # What the force gives to the second order at displacements middle psi1 + (F + h F') psi2', in units of v.
    seen = (-3 / 7 * D2(a) + h * slope(a)) / middle - middle
    alpha = (slope(b) - seen) / (slope(a) - seen)
    v = alpha * v + (1 - alpha) * -force(q + disp, 1) / middle
    disp = disp + h * v
frog = disp, v * growth.Gf(0.8)

# COLA as it is published: what is beyond perturbation theory, with its own kicks and drifts.
N = -2.5
r, p = np.zeros_like(q), np.zeros_like(q)
state = [0.2, *np.sqrt(times[:-1] * times[1:]), 0.8]
for i, a in enumerate(times):
    left, right = state[i], state[i + 1]
    lpt_force = -(D1(a) * psi1 + (D2(a) + 7 / 3 * D1(a) ** 2) * psi2)
    rate = -1.5 * cosmo.omega_m / (a ** 2 * E(a)) * (force(q + lpt_disp(a) + r, 2) - lpt_force)
    p = p + (right ** N - left ** N) / (N * a ** (N - 1)) * rate
    if i < 3:
        r = r + p / right ** N * quad(lambda u: u ** N / (u ** 3 * E(u)), a, times[i + 1])[0]
cola = lpt_disp(0.8) + r, lpt_mom(0.8) + p

for name, (disp, mom) in (("frog", frog), ("cola", cola)):
    for what, expected in (("disp", disp), ("mom", mom)):
        off = np.max(np.abs(read(f"{name}_{what}").reshape(-1, 3) - expected)) / np.max(np.abs(expected))
        print(f"{name} {what}: off by {off:.1e}")
        assert off < 1e-6, f"{name} {what} is off by {off:g} of its largest"
