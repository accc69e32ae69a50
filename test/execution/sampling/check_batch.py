#!/usr/bin/env python3
"""Computes the chains of batch.pm in NumPy, one after the other: check_batch.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound=1e-5):
    error = np.max(np.abs(found - truth)) if np.shape(found) == np.shape(truth) else np.inf
    if not error <= bound:
        failed.append(f"{name}: off by {error:.3g}, expected at most {bound:.3g}")


def energy(s):
    return 0.25 * np.sum(s ** 4) + 0.5 * (s[0] - 2 * s[1]) ** 2


def gradient(s):
    return s ** 3 + (s[0] - 2 * s[1]) * np.array([1, -2, 0])


def turn(u, g, time):
    """Robnik et al. (2023), eq. 11, in hyperbolic functions."""
    size = np.linalg.norm(g)
    e = -g / size
    delta = time * size / (len(u) - 1)
    down = e @ u
    below = np.cosh(delta) + down * np.sinh(delta)
    return (u + e * (np.sinh(delta) + down * (np.cosh(delta) - 1))) / below, (len(u) - 1) * np.log(below)


def leap(s, u, L, step):
    u = u - 0.5 * step * L.T @ gradient(s)
    s = s + step * L @ u
    return s, u - 0.5 * step * L.T @ gradient(s), 0.0


def glide(s, u, L, step):
    u, a = turn(u, L.T @ gradient(s), step / 2)
    s = s + step * L @ u
    u, b = turn(u, L.T @ gradient(s), step / 2)
    return s, u, a + b


def adjusted(s, u, L, step, count, most, random, move, kinetic):
    """The state after a trajectory, and its acceptance, error and divergence. A chain that diverges waits for the others."""
    start, before, grown = s, energy(s) + kinetic(u), 0
    for _ in range(count):
        s, u, more = move(s, u, L, step)
        grown += more
        error = energy(s) + kinetic(u) + grown - before
        if not error < most:
            return start, 0, most, 1
    accept = np.exp(min(-error, 0))
    return (s if random < accept else start), accept, error, 0


class Averaging:
    """Algorithm 5 of Hoffman & Gelman (2014)."""

    def __init__(self, step, target):
        self.step, self.target = step, target
        self.restart()

    def restart(self):
        self.mu, self.log_mean, self.bias, self.t = np.log(10 * self.step), 0, 0, 0

    def update(self, accept, errors, last):
        self.t += 1
        eta = 1 / (self.t + 10)
        self.bias = (1 - eta) * self.bias + eta * (self.target - accept)
        x = self.mu - np.sqrt(self.t) / 0.05 * self.bias
        weight = self.t ** -0.75
        self.log_mean = weight * x + (1 - weight) * self.log_mean
        self.step = np.exp(self.log_mean if last else x)


class ByErrors:
    """The step size at which the mean square of the errors of all chains is d times the variance."""

    def __init__(self, step, variance):
        self.step, self.variance, self.pairs = step, variance, []

    def restart(self):
        self.pairs = []

    def update(self, accept, errors, last):
        xi = errors ** 2 / (3 * self.variance) + 1e-8
        weight = np.exp(-0.5 * (np.log(xi) / 9) ** 2)
        self.pairs.append((np.mean(weight * xi) / self.step ** 6, np.mean(weight)))
        decay = (149 / 151) ** np.arange(len(self.pairs))[::-1]
        sums = decay @ np.array(self.pairs)
        self.step = (sums[1] / sums[0]) ** (1 / 6)


def run(tuner, transition, warmup, dense, fixed=None, thin=1):
    """All states, statistics, and the factor of the steps."""
    s, L = start.copy(), np.eye(3) if fixed is None else np.diag(fixed)
    own = first / np.linalg.norm(first, axis=1, keepdims=True)
    seen, states, statistics = [], [], []
    for t in range(warmup + thin * 30):
        numbers = np.zeros((4, 4))
        for c in range(4):
            s[c], own[c], *numbers[c] = transition(s[c], own[c], t, c, tuner.step, L)
        if t < warmup:
            tuner.update(np.mean(numbers[:, 1]), numbers[:, 2], t == warmup - 1)
            begin, end = int(0.15 * warmup), warmup - int(0.1 * warmup)
            if begin <= t < end:
                seen.append(s.copy())
            if t == end - 1 and fixed is None:
                x = np.concatenate(seen)
                C = len(x) / (len(x) + 5) * np.cov(x.T) + 5e-3 / (len(x) + 5) * np.eye(3)
                L = np.linalg.cholesky(C) if dense else np.diag(np.sqrt(np.diag(C)))
            if t == end - 1:
                tuner.restart()
        states.append(s.copy())
        statistics.append(numbers)
    pick = warmup - 1 + thin * np.arange(1, 31)
    return np.array(states)[pick].swapaxes(0, 1), np.array(statistics), L


def mams(length, leaps, most):
    def transition(s, own, t, c, step, L):
        wide = max(2 * length * np.sqrt(3) / step - 1, 1)
        count = int(min(max(1 + np.floor(wide * randoms[t, 0]), 1), leaps))
        u = momenta[t, c] / np.linalg.norm(momenta[t, c])
        s, *found = adjusted(s, u, L, step, count, most, accepts[t, c], glide, lambda u: 0)
        return s, own, count, *found
    return transition


def hmc(leaps, jitter, most):
    def transition(s, own, t, c, step, L):
        step = step * (1 + jitter * (2 * randoms[t, 1] - 1))
        s, *found = adjusted(s, momenta[t, c], L, step, leaps, most, accepts[t, c], leap, lambda u: 0.5 * u @ u)
        return s, own, leaps, *found
    return transition


def mclmc(s, u, t, c, step, L):
    before = energy(s)
    s, u, grown = glide(s, u, L, step)
    u = u + np.sqrt(np.expm1(2 * step / (1.3 * np.sqrt(3))) / 3) * momenta[t, c]
    return s, u / np.linalg.norm(u), 1, 1, energy(s) - before + grown, 0


first, momenta, accepts, randoms = (read(name) for name in ("first", "momenta", "accepts", "randoms"))
chains, steps = read("chains"), read("steps").ravel()
start = 0.5 + 0.3 * np.arange(3)[None] - 0.2 * np.arange(4)[:, None]
cases = {
    "mams": (Averaging(0.1, 0.8), mams(0.7, 4, 2.5), 40, False), "dense mams": (Averaging(0.1, 0.9), mams(1, 1000, 1000), 40, True),
    "hmc": (Averaging(0.03, 0.7), hmc(3, 0.3, 2.5), 40, False), "dense hmc": (Averaging(0.03, 0.8), hmc(2, 0.2, 1000), 40, True),
    "langevin": (Averaging(0.03, 0.574), hmc(1, 0, 1000), 60, False, 0.5 + 0.1 * np.arange(3), 2),
    "mclmc": (ByErrors(0.6, 2e-3), mclmc, 40, False)}
roots = {"dense mams": read("root_of_mams"), "dense hmc": read("root_of_hmc")}
scales = dict(zip(("mams", "hmc", "mclmc"), np.moveaxis(read("scales"), -1, 0)))
divergences = 0
for i, (name, (tuner, *case)) in enumerate(cases.items()):
    states, statistics, L = run(tuner, *case)
    check(name, chains[..., i], states)
    check(f"step of {name}", steps[i], tuner.step)
    if name in roots:
        check(f"factor of {name}", roots[name], L)
    if name in scales:
        check(f"scale of {name}", scales[name], np.diag(L))
        numbers = read(f"numbers_of_{name}")
        # The first sample includes the sums of the warm-up.
        expected = statistics[case[1]:].swapaxes(0, 1)
        check(f"numbers of {name}", numbers[:, 1:, :4], expected[:, 1:])
        all_before = statistics[: case[1] + 1]
        check(f"gradients of the warm-up of {name}", numbers[:, 0, 0], all_before[:, :, 0].sum(axis=0))
        check(f"acceptance of the warm-up of {name}", numbers[:, 0, 1], all_before[:, :, 1].mean(axis=0))
        check(f"energies of {name}", numbers[..., 4], np.apply_along_axis(energy, 2, states))
        divergences += numbers[:, :, 3].sum()
    if name == "mams":
        check("the last state", read("last"), states[:, -1])
    moved = np.mean(np.any(np.diff(chains[..., i], axis=1) != 0, axis=-1))
    if not 0.2 < moved:
        failed.append(f"{name} moved in {moved:.2f} of all states")
if divergences == 0:
    failed.append("no trajectory diverged, expected some")
print("\n".join(failed))
sys.exit(bool(failed))
