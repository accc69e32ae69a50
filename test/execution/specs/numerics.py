#!/usr/bin/env python3
"""Compares specs of users, in Inputs, with NumPy and SciPy: friends of friends, mock catalogs, NUTS, forces of P3M, a fit of a table with error
bars, a Gaussian process, and the equations of Kohn and Sham.

    numerics.py PMC FOLDER [CASE...]"""
import re
import sys
from time import process_time

from users import Spec, case, main, near, precisions

import h5py
import numpy as np
from scipy.interpolate import RectBivariateSpline
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import curve_fit, minimize
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from scipy.special import erf, erfc


@case
def friends():
    rng = np.random.default_rng(1)
    centers = rng.uniform(0, 20, (60, 3))
    position = np.concatenate([centers[rng.integers(60, size=700)] + 0.5 * rng.normal(size=(700, 3)), rng.uniform(0, 20, (300, 3))]) % 20
    np.save("position.npy", position.T)
    for flag, _ in precisions({"f64": 0, "f32": 0}):
        spec = Spec("friends", flag)
        spec("--position=position.npy")
        start = process_time()
        pairs = cKDTree(position, boxsize=20).query_pairs(1.2, output_type="ndarray")
        graph = np.zeros((1000, 1000), bool)
        graph[pairs[:, 0], pairs[:, 1]] = True
        count, group = connected_components(graph, directed=False)
        smallest = np.full(count, 1000)
        np.minimum.at(smallest, group, np.arange(1000))
        seconds = process_time() - start
        if (spec.read("label") != smallest[group]).any() or (spec.read("members") != np.bincount(smallest[group], minlength=1000)).any():
            sys.exit("friends: other groups")
    spec.tell(seconds, f"the same {count} groups")


@case
def hod():
    spec = Spec("hod", "--precision=f64")
    spec()
    start = process_time()
    mass = spec.read("mass")
    centrals = 0.5 * (1 + erf((np.log10(mass) - 12.9) / 0.3))
    satellites = centrals * np.where(mass > 10**12.6, np.maximum(mass - 10**12.6, 0) / 10**13.6, 0) ** 1.05
    near("occupations", spec.read("expected"), np.stack([centrals, satellites], -1), 1e-13)
    exists, central, host = spec.read("flags").T
    chosen = exists > 0
    host = host[chosen].astype(int)
    is_central = central[chosen] > 0
    # The numbers of centrals and satellites in bins of mass follow a binomial and a Poisson distribution.
    number = np.digitize(mass, 10 ** np.arange(12, 15, 0.25))
    for what, mean, variance, members in (("centrals", centrals, centrals * (1 - centrals), host[is_central]),
                                          ("satellites", satellites, satellites, host[~is_central])):
        found = np.bincount(number[members], minlength=16)
        scatter = np.sqrt(np.bincount(number, variance, minlength=16))
        off = (found - np.bincount(number, mean, minlength=16)) / np.maximum(scatter, 1)
        if np.abs(off).max() > 4:
            sys.exit(f"hod: the numbers of {what} are off by {np.abs(off).max():.1f} standard deviations")
    # Satellites follow the profile: the enclosed mass of an NFW profile at their radius is uniform.
    place = spec.read("pos")[chosen]
    apart = place - spec.read("centers")[host]
    radius = np.sqrt(((apart - 200 * np.round(apart / 200)) ** 2).sum(1))
    if radius[is_central].max() > 1e-10:
        sys.exit("hod: a central galaxy is not in the center")
    size, c = 0.3 * (mass / 1e13) ** (1 / 3), 9 * (mass / 1e13) ** -0.1
    m = lambda x: np.log(1 + x) - x / (1 + x)
    u = np.sort((m(c[host] * radius / size[host]) / m(c[host]))[~is_central])
    distance = np.abs(u - np.arange(len(u)) / len(u)).max() * np.sqrt(len(u))
    if distance > 2:
        sys.exit(f"hod: the profile of satellites is off: Kolmogorov's statistic is {distance:.2f}")
    tree = cKDTree(place % 200, boxsize=200)
    pairs = np.diff(tree.count_neighbors(tree, np.arange(13) * (1 - 1e-13)))
    pairs[0] -= len(host) if pairs[0] > spec.read("pairs")[0] else 0
    near("pairs", spec.read("pairs"), pairs, 0)
    spec.tell(process_time() - start, f"{len(host)} galaxies, all pairs equal, Kolmogorov's statistic {distance:.2f}")


@case
def nuts():
    effect, error = np.array([28, 8, -3, 7, -1, 1, 18, 12.0]), np.array([15, 10, 16, 11, 9, 11, 10, 18.0])
    np.save("effect.npy", effect), np.save("error.npy", error)
    spec = Spec("nuts", "--precision=f64")
    printed = spec("--effect=effect.npy", "--error=error.npy")
    start = process_time()
    # The effects are integrated analytically. The remaining density of mu and log tau is computed on a grid.
    mu, log_tau = np.meshgrid(np.linspace(-20, 30, 801), np.linspace(-9, 5, 801), indexing="ij")
    tau = np.exp(log_tau)
    variance = error**2 + tau[..., None] ** 2
    log_p = -0.5 * ((effect - mu[..., None]) ** 2 / variance + np.log(variance)).sum(-1) - 0.5 * (mu / 5) ** 2 - np.log(1 + (tau / 5) ** 2) + log_tau
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    truth = [(p * mu).sum(), (p * log_tau).sum()]
    scatter = [np.sqrt((p * (mu - truth[0]) ** 2).sum()), np.sqrt((p * (log_tau - truth[1]) ** 2).sum())]
    seconds = process_time() - start
    numbers = [float(word) for word in re.findall(r"[\d.]+", printed.replace("R-hat", ""))]
    chains = [spec.read("mu"), np.log(spec.read("tau"))]
    if max(numbers[:2]) > 1.01 or min(numbers[2:4]) < 1000:
        sys.exit(f"nuts: the chains have not converged: {printed}")
    for name, chain, mean, width, size in zip(("mu", "log tau"), chains, truth, scatter, numbers[2:4]):
        off = (chain.mean() - mean) / (width / np.sqrt(size))
        if abs(off) > 4 or abs(chain.std() / width - 1) > 0.1:
            sys.exit(f"nuts: the mean of {name} is {chain.mean():.3f} instead of {mean:.3f} (by {off:.1f} errors), its width {chain.std():.3f} of {width:.3f}")
    spec.tell(seconds, f"the means are {chains[0].mean():.3f} and {chains[1].mean():.3f}, of a grid {truth[0]:.3f} and {truth[1]:.3f}")


def ewald(at):
    """Forces of unit charges in a box of 1 on a neutral background."""
    alpha, force = 6.0, np.zeros_like(at)
    d = at[:, None] - at[None]
    d -= np.round(d)
    for shift in np.ndindex(3, 3, 3):
        v = d + np.array(shift) - 1
        r = np.sqrt((v**2).sum(-1))
        with np.errstate(divide="ignore", invalid="ignore"):
            size = (erfc(alpha * r) / r + 2 * alpha / np.sqrt(np.pi) * np.exp(-((alpha * r) ** 2))) / r**2
        size[r < 1e-12] = 0
        force += (size[..., None] * v).sum(1)
    for m in np.ndindex(29, 29, 29):
        k = 2 * np.pi * (np.array(m) - 14)
        k2 = k @ k
        if 0 < k2 < (2 * np.pi * 14) ** 2:
            phase = np.exp(1j * at @ k)
            force += 4 * np.pi / k2 * np.exp(-k2 / (4 * alpha**2)) * np.imag(phase * phase.conj().sum())[:, None] * k
    return force


@case
def p3m():
    at = np.random.default_rng(2).uniform(size=(100, 3))
    np.save("charges.npy", at.T)
    start = process_time()
    truth = ewald(at)
    seconds = process_time() - start
    for flag, bound in precisions({"f32": 1e-3, "f64": 1e-3}):
        spec = Spec("p3m", flag)
        spec("--position=charges.npy")
        error = near("p3m", spec.read("force"), truth, bound)
    spec.tell(seconds, f"forces of Ewald's sum to {error:.1e} of the largest")


@case
def camb():
    rng = np.random.default_rng(3)
    k, z = np.geomspace(1e-3, 2, 300), np.linspace(0, 2, 21)

    def power(k, z):
        linear = 2e4 * (k / 0.02) / (1 + (k / 0.02) ** 2.4) * (1 + 0.05 * np.sin(k * 110) * np.exp(-((k / 0.2) ** 2)))
        growth = 1 / (1 + 0.9 * z + 0.2 * z**2)
        return linear * growth * (1 + 3 * growth * k / (k + 0.3))

    with h5py.File("theory.h5", "w") as file:
        file["k"], file["z"], file["P"] = k, z, power(k[:, None], z)
    at = np.geomspace(0.02, 0.5, 40)
    error = 0.02 * power(at, 0.8)
    data = 1.1 * power(at, 0.8) + error * rng.normal(size=40)
    np.save("data.npy", np.stack([at, data, error], -1))
    spec = Spec("camb", "--precision=f64")
    printed = spec("--theory=theory.h5", "--data=data.npy")
    start = process_time()
    spline = RectBivariateSpline(k, z, power(k[:, None], z))
    best, covariance = curve_fit(lambda k, A, z: A * spline.ev(k, z), at, data, (1, 0.5), error, absolute_sigma=True)
    seconds = process_time() - start
    A, redshift, least, A_error, z_error, correlated = (float(word) for word in printed.split())
    sigma = np.sqrt(np.diag(covariance))
    off = np.abs([A - best[0], redshift - best[1]]) / sigma
    curvature = np.array([A_error, z_error]) / sigma - 1
    expected = (((data - best[0] * spline.ev(at, best[1])) / error) ** 2).sum()
    # The errors of curve_fit neglect the second derivatives of the model.
    if off.max() > 0.01 or np.abs(curvature).max() > 0.1 or abs(least - expected) > 1e-3 * expected or abs(correlated / covariance[0, 1] - 1) > 0.2:
        sys.exit(f"camb: {printed}, expected {best} with the errors {sigma}, chi^2 {expected}, and the covariance {covariance[0, 1]}")
    spec.tell(seconds, f"off by {off.max():.0e} errors, which differ by {np.abs(curvature).max():.1%}")


@case
def gaussian_process():
    rng = np.random.default_rng(4)
    point = np.sort(rng.uniform(0, 10, 512))
    value = np.sin(point) + 0.3 * np.sin(4 * point) + 0.1 * rng.normal(size=512)
    np.save("point.npy", point), np.save("value.npy", value)
    spec = Spec("gaussian_process", "--precision=f64")
    found = [float(word) for word in spec("--point=point.npy", "--value=value.npy").split()]
    start = process_time()

    def covariance(u, a, b):
        return np.exp(2 * u[1]) * np.exp(-0.5 * ((a[:, None] - b) / np.exp(u[0])) ** 2)

    def energy(u):
        factor = cho_factor(covariance(u, point, point) + np.exp(2 * u[2]) * np.eye(512), lower=True)
        return 0.5 * value @ cho_solve(factor, value) + np.log(np.diag(factor[0])).sum()

    best = minimize(energy, (0, 0, -1), method="BFGS").x
    K = covariance(best, point, point) + np.exp(2 * best[2]) * np.eye(512)
    near_points = covariance(best, np.linspace(0, 10, 50), point)
    predicted = near_points @ np.linalg.solve(K, value)
    deviation = np.sqrt(np.exp(2 * best[1]) - (near_points * np.linalg.solve(K, near_points.T).T).sum(1))
    seconds = process_time() - start
    near("gaussian_process: parameters", found[:3], np.exp(best), 1e-4)
    near("gaussian_process: energy", found[3], energy(best), 1e-8)
    off = max(near("gaussian_process: predictions", spec.read("predicted"), predicted, 1e-4), near("gaussian_process: errors", spec.read("deviation"), deviation, 1e-4))
    spec.tell(seconds, f"predictions differ by {off:.0e} of the largest")


@case
def kohn_sham():
    spec = Spec("kohn_sham", "--precision=f64")
    rounds, electrons, lowest = (float(word) for word in spec().split())
    start = process_time()
    n_points, h = 128, 16 / 128
    r = h * np.arange(n_points) - 8
    kinetic = np.diag(np.full(n_points, 1 / h**2)) - 0.5 / h**2 * (np.eye(n_points, k=1) + np.eye(n_points, k=-1))
    repulsion = 1 / np.sqrt((r[:, None] - r) ** 2 + 1)
    n = np.exp(-(r**2)) / np.sqrt(np.pi) * 4
    for _ in range(300):
        energies, orbitals = np.linalg.eigh(kinetic + np.diag(0.5 * r**2 + h * repulsion @ n - np.cbrt(3 / np.pi * n)))
        new = 2 / h * (orbitals[:, :2] ** 2).sum(1)
        n, change = n + 0.3 * (new - n), h * np.abs(new - n).sum()
        if change < 1e-9:
            break
    seconds = process_time() - start
    near("kohn_sham: electrons", electrons, 4, 1e-9)
    off = near("kohn_sham: density", spec.read("density"), n, 1e-8)
    near("kohn_sham: energies", spec.read("energies"), np.linalg.eigvalsh(kinetic + np.diag(0.5 * r**2 + h * repulsion @ n - np.cbrt(3 / np.pi * n))), 1e-8)
    spec.tell(seconds, f"{rounds:.0f} rounds, the density differs by {off:.0e} of the largest")


main()
