#!/usr/bin/env python3
"""Compares the outputs of espirit_values.pm with singular value decompositions: check_espirit_values.py FOLDER"""
import itertools
import sys

import numpy as np


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def espirit(data, kernel, width, threshold):
    """The matrix over coils at every point, from kernels that are transformed one by one."""
    shape = data.shape[1:]
    mode = lambda m: data[(slice(None),) + tuple(m)]        # negative ones count from the end
    places = list(itertools.product(range(-width // 2, width // 2 - kernel + 1), repeat=len(shape)))
    taps = list(itertools.product(range(kernel), repeat=len(shape)))
    A = np.array([np.stack([mode(np.add(place, tap)) for tap in taps], -1).ravel() for place in places])
    _, sizes, V = np.linalg.svd(A, full_matrices=False)
    kept = V[sizes > threshold * sizes[0]]
    near = np.min(abs(sizes / sizes[0] / threshold - 1))
    assert 3 < len(kept) < V.shape[1] - 1 and near > 0.03, (len(kept), near)
    grids = np.meshgrid(*(np.arange(n) - n // 2 for n in shape), indexing="ij")
    waves = [np.exp(-2j * np.pi * sum(t * g / n for t, g, n in zip(tap, grids, shape))) for tap in taps]
    images = np.einsum("rct,t...->rc...", kept.conj().reshape(len(kept), len(data), len(taps)), np.array(waves)).conj()
    return np.einsum("rc...,rb...->...cb", images, images.conj()) / len(taps)


def referenced(vectors, data, width, found):
    """Maps over [coil, ...] with the phase of the sum of coils that has the most energy, whose own phase is that of `found`; the last, its size."""
    middle = [np.r_[-(width // 2):(width + 1) // 2] for _ in data.shape[1:]]
    rows = data[np.ix_(range(len(data)), *middle)].reshape(len(data), -1)
    main = np.linalg.eigh(rows @ rows.conj().T)[1][:, -1]
    reference = np.einsum("c,c...->...", main.conj(), vectors)
    maps = vectors * reference.conj() / abs(reference)
    shift = np.vdot(maps, found)
    return maps * shift / abs(shift), abs(reference)


failed = []


def check(name, found, truth, bound):
    error = np.max(abs(found - truth))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


if __name__ == "__main__":
    M = espirit(read("data"), 3, 10, 0.033)
    values, vectors = np.linalg.eigh(M)
    maps = np.moveaxis(vectors[..., -1], -1, 0)
    maps, size = referenced(maps, read("data"), 10, read("maps"))
    clear = (values[..., -2] < 0.9 * values[..., -1]) & (size > 0.01)
    assert clear.mean() > 0.5, clear.mean()
    check("value", read("value")[clear], values[..., -1][clear], 1e-6)
    check("maps", read("maps")[:, clear], maps[:, clear], 1e-6)
    sure = clear & (abs(values[..., -1] - 0.95) > 1e-3)
    check("cropped", read("cropped")[:, sure], (maps * (values[..., -1] > 0.95))[:, sure], 1e-6)

    M = espirit(read("data3"), 2, 6, 0.05)
    values, vectors = np.linalg.eigh(M)
    maps = np.moveaxis(vectors[..., -1], -1, 0)
    maps, size = referenced(maps, read("data3"), 6, read("maps3"))
    clear = (values[..., -2] < 0.8 * values[..., -1]) & (size > 0.01)
    assert clear.mean() > 0.1, clear.mean()
    check("value3", read("value3")[clear], values[..., -1][clear], 1e-6)
    # Two sums of coils have nearly the same energy here, so that the reference is right to less than the maps.
    found = read("maps3")[:, clear]
    check("maps3", found, maps[:, clear], 2e-3)
    check("maps3 but for phases", abs(np.sum(maps[:, clear].conj() * found, 0)), 1, 1e-9)
    M = espirit(read("fine_data"), 3, 10, 0.00077)
    values, vectors = np.linalg.eigh(M)
    clear = values[..., -2] < 0.98 * values[..., -1]
    assert clear.mean() > 0.2, clear.mean()
    check("fine_value", read("fine_value")[clear], values[..., -1][clear], 1e-6)
    print("\n".join(failed))
    sys.exit(bool(failed))
