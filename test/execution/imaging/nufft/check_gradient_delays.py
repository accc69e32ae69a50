#!/usr/bin/env python3
"""Compares two Gauss-Newton steps of gradient_delays.pm with dense matrices: check_gradient_delays.py FOLDER"""
import sys

import numpy as np


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


k, maps, data = read("few_places_of"), read("few_maps"), read("few_data")
coils, nu, nv = maps.shape
x = np.stack(np.meshgrid((np.arange(nu) - nu // 2) / nu, (np.arange(nv) - nv // 2) / nv, indexing="ij"), axis=-1).reshape(-1, 2)
steps = np.gradient(k, axis=1)
y = data.reshape(coils, -1).ravel()
WEIGHT = 0.7


def encoding(delays, axis=None):
    """The matrix of the samples of all coils, or its derivative with respect to a delay."""
    F = np.exp(-2j * np.pi * (k + delays * steps).reshape(-1, 2) @ x.T) / np.sqrt(nu * nv)
    if axis is not None:
        F = F * (-2j * np.pi * steps[..., axis].reshape(-1, 1) * x[:, axis])
    return np.concatenate([F * m.ravel() for m in maps])


def fitted(E, y):
    return np.linalg.solve(E.conj().T @ E + WEIGHT * np.eye(E.shape[1]), E.conj().T @ y)


delays, found = np.zeros(2), []
for _ in range(2):
    E = encoding(delays)
    image = fitted(E, y)
    slopes = [encoding(delays, axis) @ image for axis in (0, 1)]
    J = np.stack([s - E @ fitted(E, s) for s in slopes], axis=1)
    delays = delays + np.linalg.solve((J.conj().T @ J).real, (J.conj().T @ (y - E @ image)).real)
    found += list(delays)
off = np.max(abs(read("delays") - found)) / np.max(np.abs(found))
sys.exit(0 if off < 1e-6 else f"the delays are {read('delays')}, expected {found}")
