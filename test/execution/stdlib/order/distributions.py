#!/usr/bin/env python3
"""Random fields: their distributions by chi-square and Kolmogorov-Smirnov tests against SciPy's, correlations between cells, streams
and seeds, and the same bits on every mesh.

    distributions.py PMC FOLDER MESHES..."""
import os
import sys

import h5py
import numpy as np
import scipy.special
import scipy.stats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

ROWS, COLUMNS = 96, 1000
MEANS = 0.3 * 1.1 ** np.arange(ROWS)
SHAPES = 0.05 * 1.08 ** np.arange(ROWS)
CHANCES = (np.arange(ROWS) + 1) / (ROWS + 1)
SPEC = f"""
use random
dim x = {ROWS}, y = {COLUMNS}, c = 6
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let mean = map q in [x] => 0.3 * 1.1^index(q, x)
let shape = map q in [x] => 0.05 * 1.08^index(q, x)
let chance = map q in [x] => (index(q, x) + 1) / {ROWS + 1}
let weight = map q in [c] => mod(int(index(q, c)), 3) * (1 + index(q, c))
output even = uniform[x, y](5)
output next_seed = uniform[x, y](6)
output named = uniform[x, y](split(5, "other"))
output numbered = uniform[x, y](split(5, "other", 1))
output whole = integers[x, y](7, split(5, "whole"))
output counts = poisson_counts[x, y](mean, split(5, "poisson"))
output waits = gamma[x, y](shape, split(5, "gamma"))
output slopes = jvp(s => gamma[x, y](s, split(5, "gamma")))(shape, tangent = 1 + 0 * shape)[1]
output pulled = grad(s => sum(gamma[x, y](s, split(5, "gamma")) * white_noise[x, y](9)))(shape)
output noise = white_noise[x, y](9)
output few = binomial[x, y](12, chance, split(5, "few"))
output many = binomial[x, y](300, chance, split(5, "many"))
output sure = binomial[x, y](9, 1, 3) + binomial[x, y](9, 0, 4)
output none = poisson_counts[x, y](0 * mean, 3)
output chosen = choice[x, y](weight, split(5, "choice"))
output only = choice[y](map q in [c] => if index(q, c) == 4 then 1.0 else 0.0, 8)
output line = uniform[y](5) - (map q in [y] => random(split(5, int(index(q, y)))))
print "gradient {{}}", sum(grad(u => sum(poisson_counts[x, y](u, 3) * u) - sum(poisson_counts[x, y](u, 3)) + 0 * sum(gamma[x, y](u, 3)))(mean) -
  sum(poisson_counts[x, y](mean, 3), over = y))
"""
# Of so many tests, one of 10^7 is about the least p-value by chance.
LEAST = 1e-6


def of_counts(found, probabilities):
    """The p-value of chi-square, where values that are expected less than 8 times are joined."""
    expected = probabilities * found.size
    seen = np.bincount(found.astype(int).ravel(), minlength=len(expected))[:len(expected)]
    kept = expected >= 8
    if kept.sum() < 2:
        return 1.0
    rest = found.size - seen[kept].sum(), found.size - expected[kept].sum()
    seen, expected = (np.append(v[kept], r) for v, r in zip((seen, expected), rest))
    if expected[-1] < 8:
        seen, expected = seen[:-1], expected[:-1] * seen[:-1].sum() / expected[:-1].sum()
    return scipy.stats.chisquare(seen, expected).pvalue


def of_rows(found, distribution, largest):
    """The least p-value of the rows' distributions, and that of all of them together, by Fisher's method."""
    values = [of_counts(row, distribution(i, np.arange(largest + 1))) for i, row in enumerate(found)]
    return min(values) * len(values), scipy.stats.combine_pvalues(np.maximum(values, 1e-300)).pvalue


def correlation(a, b):
    """The p-value of the correlation of independent numbers, which is normal for so many."""
    r = np.corrcoef(a.ravel(), b.ravel())[0, 1]
    return 2 * scipy.stats.norm.sf(abs(r) * np.sqrt(a.size))


def p_values(read):
    even = read("even").astype(float)
    yield "uniform", scipy.stats.kstest(even.ravel(), "uniform").pvalue
    cells = (even * 16).astype(int)
    for name, shift in (("rows", (1, 0)), ("columns", (0, 1)), ("diagonals", (1, 1))):
        pairs = 16 * cells + np.roll(cells, shift, (0, 1))
        yield "pairs along " + name, of_counts(pairs, np.full(256, 1 / 256))
        yield "correlation along " + name, correlation(even, np.roll(even, shift, (0, 1)))
    for other in ("next_seed", "named", "numbered"):
        yield "correlation with " + other, correlation(even, read(other))
        yield "distribution of " + other, scipy.stats.kstest(read(other).ravel(), "uniform").pvalue
    yield "correlation of streams", correlation(read("named"), read("numbered"))
    yield "integers", of_counts(read("whole"), np.full(7, 1 / 7))
    for kind, i in (("worst row of ", 0), ("all rows of ", 1)):
        yield kind + "poisson_counts", of_rows(read("counts"), lambda r, k: scipy.stats.poisson.pmf(k, MEANS[r]), 4000)[i]
        yield kind + "few binomial", of_rows(read("few"), lambda r, k: scipy.stats.binom.pmf(k, 12, CHANCES[r]), 12)[i]
        yield kind + "many binomial", of_rows(read("many"), lambda r, k: scipy.stats.binom.pmf(k, 300, CHANCES[r]), 300)[i]
    parts = scipy.stats.gamma.cdf(read("waits").astype(float), SHAPES[:, None])
    yield "gamma", scipy.stats.kstest(parts.ravel(), "uniform").pvalue
    yield "worst row of gamma", min(scipy.stats.kstest(row, "uniform").pvalue for row in parts) * ROWS
    weights = np.arange(6) % 3 * np.arange(1, 7)
    yield "choice", of_counts(read("chosen"), weights / weights.sum())


def gamma_slopes(x):
    """dx/da of gamma distributed numbers at a fixed value of the cumulative distribution, by differences."""
    a = SHAPES[:, None]
    low, high = scipy.special.gammainc(a, x), scipy.special.gammaincc(a, x)

    def at(h):
        return np.where(low < 0.5, scipy.special.gammaincinv(a * (1 + h), low), scipy.special.gammainccinv(a * (1 + h), high))
    return (8 * (at(1e-4) - at(-1e-4)) - at(2e-4) + at(-2e-4)) / (12e-4 * a)


def main():
    first = {}
    for mesh, _, out, text in meshes.runs("random", SPEC):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        if not first:
            for name, p in p_values(read):
                print(f"{name}: p = {p:.3g}")
                assert p > LEAST, f"{name}: the distribution has a p-value of {p:.3g}, expected more than {LEAST}"
            even = read("even")
            assert 0 < even.min() and even.max() < 1, "uniform: numbers must be between 0 and 1"
            assert set(np.unique(read("whole"))) == set(range(7)), "integers: all values must occur"
            assert (read("sure") == 9).all() and (read("none") == 0).all(), "certain results"
            assert (read("only") == 4).all() and not np.isin(read("chosen"), (0, 3)).any(), "choice: weights of 0"
            assert (read("line") == 0).all(), "uniform of one dim: random(split(seed, i))"
            waits = read("waits").astype(float)
            expected = gamma_slopes(waits)
            # Below, the numbers are rounded to multiples of the least one.
            error = np.abs(read("slopes") - expected)[waits > 1e-30] / (np.abs(expected) + 1e-3)[waits > 1e-30]
            assert error.max() < 1e-6, f"gamma: the derivative by the shape is off by {error.max()} of its value"
            pulled = (expected * read("noise")).sum(1)
            assert np.abs(read("pulled") - pulled).max() < 1e-6 * np.abs(pulled).max(), "gamma: the gradient by the shape"
        gradient = float(text.split()[1])
        assert abs(gradient) < 1e-6, f"the derivative by the mean is {gradient}, expected 0"
        for name in ("even", "whole", "counts", "waits", "few", "many", "chosen"):
            found = read(name)
            assert (first.setdefault(name, found) == found).all(), f"{name} differs on mesh {mesh}"


main()
