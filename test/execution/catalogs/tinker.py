"""The halo mass function of Tinker et al. (2008) at a = 1, for masses within spheres of 200 times the mean density."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from analytic import linear_power  # pylint: disable=wrong-import-position

CRITICAL_DENSITY = 2.77536627e11  # Msun/h per (Mpc/h)^3
OMEGA_M = 0.3075  # the default of the library, and the value of linear_power


def particle_mass(n, box):
    """The mass of a particle in Msun/h, for n^3 particles in a box of side `box` in Mpc/h."""
    return OMEGA_M * CRITICAL_DENSITY * (box / n) ** 3


def sigma2(mass, longest=np.inf):
    """The variance of the linear overdensity in spheres that contain `mass` (array, Msun/h) at the mean density. `longest` is the longest wave in Mpc/h."""
    radius = (3 * mass / (4 * np.pi * OMEGA_M * CRITICAL_DENSITY)) ** (1 / 3)
    k = np.geomspace(max(1e-5, 2 * np.pi / longest), 200, 8000)
    kr = np.outer(radius, k)
    window = 3 * (np.sin(kr) - kr * np.cos(kr)) / kr**3
    return np.sum(linear_power()(k) * k**3 * window**2 / (2 * np.pi**2) * np.gradient(np.log(k)), axis=1)


def density_of_halos(edges, longest=np.inf):
    """The number density of halos, in (Mpc/h)^-3, between successive masses `edges` in Msun/h. `longest` is the longest wave in Mpc/h."""
    mass = np.exp(np.linspace(np.log(edges[0]), np.log(edges[-1]), 600))
    variance = sigma2(mass, longest)
    sigma = np.sqrt(variance)
    # Equation 3, with the first row of table 2.
    fraction = 0.186 * ((sigma / 2.57) ** -1.47 + 1) * np.exp(-1.19 / variance)
    by_log = fraction * OMEGA_M * CRITICAL_DENSITY / mass * -np.gradient(np.log(sigma), np.log(mass))
    step = np.log(mass[1] / mass[0])
    total = np.concatenate([[0], np.cumsum(0.5 * (by_log[1:] + by_log[:-1]) * step)])
    return np.diff(np.interp(np.log(edges), np.log(mass), total))
