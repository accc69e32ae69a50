"""Second derivatives in f64 against differences of first ones. argv: nbody.pm."""
import sys

import numpy as np

import pmc

sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
random = np.random.default_rng(5)
noise, direction, weight = random.standard_normal((3, 8, 8, 8))
point = dict(noise=noise, omega_m=0.31, weights=[0.5, 3])
step = dict(noise=direction, omega_m=0.2, weights=[0.4, 0.7])


def gradient(h):
    pull = sim.vjp(**{name: np.asarray(value) + h * np.asarray(step[name]) for name, value in point.items()})[1]
    return pull(density=weight, energy=0.3)


after, before = gradient(1e-5), gradient(-1e-5)
product = sim.vjp(**point)[1].jvp(step, density=weight, energy=0.3)
assert list(product) == list(point)
for name in point:
    difference = (after[name] - before[name]) / 2e-5
    scale = np.abs(difference).max()
    assert scale > 1e-3 and np.allclose(product[name], difference, rtol=1e-5, atol=1e-5 * scale), name
print("second derivatives agree")
