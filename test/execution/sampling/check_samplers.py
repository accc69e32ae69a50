#!/usr/bin/env python3
"""Compares the chains of samplers.pm with moments from formulas and quadrature, and their diagnostics with NumPy: check_samplers.py FOLDER"""
import sys

import numpy as np

SIGMAS = 4.5  # of the Monte Carlo error, for some 60 moments
failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def chains_of(f, over_chain):
    return f if over_chain else f[None]


def tau_of(x):
    """The autocorrelation time of chains x[chain, draw] (Stan's reference manual, 16.4), by sums over lags."""
    m, n = x.shape
    off = x - x.mean(axis=1, keepdims=True)
    cov = np.array([np.mean([off[c, : n - t] @ off[c, t:] / n for c in range(m)]) for t in range(n)])
    within = cov[0] * n / (n - 1)
    total = within * (n - 1) / n + (np.var(x.mean(axis=1), ddof=1) if m > 1 else 0)
    rho = 1 - (within - cov) / total
    rho[0] = 1
    pairs = rho[0: 2 * (n // 2): 2] + rho[1: 2 * (n // 2): 2]
    stop = np.argmax(pairs < 0) if np.any(pairs < 0) else len(pairs)
    return max(2 * np.sum(np.minimum.accumulate(pairs[:stop])) - 1, 1 / np.log10(m * n))


def ess(x):
    return x.size / tau_of(x)


def rhat(x):
    h = x.shape[1] // 2
    halves = np.concatenate([x[:, :h], x[:, -h:]])
    within = np.mean(np.var(halves, axis=1, ddof=1))
    return np.sqrt((h - 1) / h + np.var(halves.mean(axis=1), ddof=1) / within)


def moment(name, values, truth, bias=0.0):
    """The mean of the values of one chain is the truth, but for the Monte Carlo error and a bias."""
    bound = SIGMAS * np.std(values) / np.sqrt(ess(values[None])) + bias
    error = np.mean(values) - truth
    if not abs(error) <= bound:
        failed.append(f"{name}: the mean {np.mean(values):.4f} differs from {truth:.4f} by more than {bound:.4f}")


def moments(name, values, mean, variance, bias=0.0):
    moment(name, values, mean, bias * np.sqrt(variance))
    moment(name + ", variance", (values - mean) ** 2, variance, bias * variance)


def close(name, found, truth, bound):
    error = np.max(np.abs(found - truth))
    if not error <= bound:
        failed.append(f"{name}: off by {error:.3g}, expected at most {bound:.3g}")


chain = read("normal_chain")
for i in range(6):
    moments(f"normal {i}", chain[:, i], 0, 1)
moment("normal, covariance", chain[:, 0] * chain[:, 1], 0.9)
# The standard deviations from about 100 states of warm-up, and the acceptance that the step size is for.
close("the scale", read("normal_scale"), 1, 0.3)
close("the acceptance", np.mean(read("normal_accept")), 0.9, 0.08)

chain = read("whitened_chain")
for i in range(6):
    moments(f"whitened {i}", chain[:, i], 0, 1)
moment("whitened, covariance", chain[:, 0] * chain[:, 1], 0.995)
if not read("whitened_step")[0] > 0.4:
    failed.append(f"a dense metric has the step {read('whitened_step')[0]:.3f}, expected about 0.7, as without a correlation")
chain = read("adjusted_chain")
for i in range(6):
    moments(f"mams {i}", chain[:, i], 0, 1)
moment("mams, covariance", chain[:, 0] * chain[:, 1], 0.9)
close("the acceptance of mams", np.mean(read("adjusted_accept")), 0.87, 0.12)

v, x = read("funnel_v"), read("funnel_x")
moments("funnel v", v, 0, 9)
moment("funnel x", x[:, 0] / np.exp(v / 2), 0)

chain = read("banana_chain")
moments("banana x", chain[:, 0], 0, 1)
moments("banana y", chain[:, 1], 1, 3)

# Eight schools: mu and theta are integrated analytically, tau by quadrature.
y, s = np.array([28, 8, -3, 7, -1, 1, 18, 12.0]), np.array([15, 10, 16, 11, 9, 11, 10, 18.0])
tau = np.linspace(0, 100, 40001)
var = s ** 2 + tau[:, None] ** 2
precision = np.sum(1 / var, axis=1) + 1 / 25
center = np.sum(y / var, axis=1) / precision
weight = np.exp(-0.5 * np.sum(np.log(var), axis=1) - 0.5 * np.log(precision)
                - 0.5 * (np.sum(y ** 2 / var, axis=1) - center ** 2 * precision)) / (1 + (tau / 5) ** 2)
weight /= weight.sum()
mu_mean = weight @ center
moments("schools mu", read("school_mu"), mu_mean, weight @ (center ** 2 + 1 / precision) - mu_mean ** 2)
moment("schools tau", read("school_tau"), weight @ tau)

# 1 + 2 Beta(2, 4).
moments("bounded", read("inside_chain"), 1 + 2 / 3, 4 * 8 / (36 * 7))

# The Wiener filter: white noise w with the prior and B w + noise as data, B from its action in Fourier space.
data = read("data")
n, h = 4, 2.0
k = 2 * np.pi * np.fft.fftfreq(n, h)
k2 = k[:, None] ** 2 + k[None] ** 2
factor = np.where(k2 > 0, np.sqrt(4 / (1 + k2) / h ** 2), 0)
B = np.array([np.fft.ifft2(factor * np.fft.fft2(e.reshape(n, n))).real.ravel() for e in np.eye(n * n)]).T
covariance = np.linalg.inv(np.eye(n * n) + B.T @ B / 0.49)
mean = covariance @ B.T @ data.ravel() / 0.49
chain = read("field_chain").reshape(-1, n * n)
for i in range(n * n):
    moments(f"field {i}", chain[:, i], mean[i], covariance[i, i], 0.02)

chain = read("turned_chain")
for i in (0, 3):
    moments(f"complex {i}, real", chain[:, i].real, 1, 0.25)
    moments(f"complex {i}, imaginary", chain[:, i].imag, 2, 0.25)
moment("complex, covariance", (chain[:, 0].real - 1) * (chain[:, 0].imag - 2), 0)

chains, chain = read("chains"), read("normal_chain")
close("ess of chains", read("ess_of"), [ess(chains[:, :, i]) for i in range(6)], 1e-8)
close("ess of a chain", read("ess_one"), [ess(chain[None, :, i]) for i in range(6)], 1e-8)
close("rhat of chains", read("rhat_of"), [rhat(chains[:, :, i]) for i in range(6)], 1e-12)
close("rhat of a chain", read("rhat_one"), [rhat(chain[None, :, i]) for i in range(6)], 1e-12)
close("rhat is near 1", read("rhat_of"), 1, 0.05)
print("\n".join(failed))
sys.exit(bool(failed))
