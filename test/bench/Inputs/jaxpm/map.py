"""The map of map.pm by JaxPM, and what it costs: a simulation with FastPM's steps in a, planes of the particles in each shell, Born.

    map.py linear.h5 MAP.npy PLANES PIXELS TIMES

Prints seconds, seconds of processors and peak bytes of TIMES evaluations after the one that compiles, as JSON."""
import json
import resource
import sys
import time

import h5py
import jax
import jax.numpy as jnp
import jax_cosmo as jc
import numpy as np
from jaxpm.growth import Gf, dGfa, growth_factor
from jaxpm.lensing import convergence_Born, density_plane
from jaxpm.pm import lpt, pm_forces

BOX, START, BEFORE = 256.0, 0.1, 5
source, target, planes, pixels, times = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
with h5py.File(source) as file:
    linear = jnp.asarray(file["linear"][:], jnp.float32)
n = linear.shape[0]
cosmo = jc.Cosmology(Omega_c=0.3075 - 0.0486, Omega_b=0.0486, Omega_k=0.0, w0=-1.0, wa=0.0, h=0.6774, n_s=0.9667, sigma8=0.8159)
reach = float(jc.background.radial_comoving_distance(cosmo, jnp.array([1 / 2.2]))[0])
chi = reach * (1 - np.arange(planes + 1) / planes)
middles_chi = 0.5 * (chi[1:] + chi[:-1])
scale = np.linspace(0.3, 1, 20001)
distances = np.asarray(jc.background.radial_comoving_distance(cosmo, jnp.asarray(scale)))


def a_of(x):
    return np.interp(-x, -distances, scale)


stops = np.concatenate([np.linspace(START, a_of(chi[0]), BEFORE + 1)[:-1], a_of(chi[:-1]), [1.0]])
lattice = jnp.stack(jnp.meshgrid(*[jnp.arange(n, dtype=jnp.float32)] * 3, indexing="ij"), axis=-1)


def number(f, a):
    return f(cosmo, jnp.atleast_1d(a))[0]


# FastPM's factors (Feng et al. 2016), constants of the program.
def kick(at, begin, end):
    E = np.sqrt(jc.background.Esqr(cosmo, jnp.atleast_1d(at)))[0]
    return float((number(Gf, end) - number(Gf, begin)) / number(dGfa, at) / (at ** 2 * E))


def drift(at, begin, end):
    E = np.sqrt(jc.background.Esqr(cosmo, jnp.atleast_1d(at)))[0]
    slope = (number(growth_factor, at + 1e-4) - number(growth_factor, at - 1e-4)) / 2e-4
    return float((number(growth_factor, end) - number(growth_factor, begin)) / slope / (at ** 3 * E))


middles_a = a_of(middles_chi)
middles = np.sqrt(stops[1:] * stops[:-1])
kicks = [kick(a, stops[0] if i == 0 else middles[i - 1], middles[i]) for i, a in enumerate(stops[:-1])]
drifts = [drift(middles[i], stops[i], stops[i + 1]) for i in range(len(middles))]
side = np.radians(5) * (np.arange(pixels) / pixels - 0.5)
rays = jnp.asarray(np.stack(np.meshgrid(side, side, indexing="ij")))


def convergence(delta):
    dx, p, _ = lpt(cosmo, delta, lattice, a=START, order=2)
    x = lattice + dx
    found = []
    for i, (k, d) in enumerate(zip(kicks, drifts)):
        p = p + k * 1.5 * cosmo.Omega_m * pm_forces(x, mesh_shape=delta.shape)
        moved = x + d * p
        if i >= BEFORE:
            j = i - BEFORE
            # Half way; the shell's near end is where the box is cut.
            half = 0.5 * (x + moved)
            along = jnp.mod(half[..., 2] - chi[j + 1] / BOX * n, n)
            width = (chi[j] - chi[j + 1]) / BOX * n
            # It reads planes half a cell beside where it paints them.
            beside = half - 0.5 * n / pixels
            plane = density_plane(jnp.stack([beside[..., 0], beside[..., 1], along], axis=-1), delta.shape, width / 2, width, pixels)
            found.append({"r": middles_chi[j], "a": middles_a[j], "plane": plane, "dx": BOX / pixels, "dz": width * BOX / n})
        x = moved
    return convergence_Born(cosmo, found, rays, jnp.array([1.2]))[0]


program = jax.jit(convergence)
kappa = program(linear).block_until_ready()
np.save(target, np.asarray(kappa))
begin = time.perf_counter(), time.process_time()
for _ in range(times):
    program(linear).block_until_ready()
print(json.dumps({"seconds": (time.perf_counter() - begin[0]) / times, "processor_seconds": (time.process_time() - begin[1]) / times,
                  "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
