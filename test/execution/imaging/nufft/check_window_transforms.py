#!/usr/bin/env python3
"""Writes the nodes of Gauss's quadrature, or compares what window_transforms.pm makes with it: check_window_transforms.py NODES [FOLDER]"""
import sys

import numpy as np
import scipy.special

nodes, weights = np.polynomial.legendre.leggauss(200)
if len(sys.argv) < 3:
    np.save(sys.argv[1], nodes)
    sys.exit()
read = lambda name: np.moveaxis(np.load(f"{sys.argv[2]}/{name}.npy"), -1, 0)
for name, supports, oversampling, bound in (("kaiser", (3, 7, 12), 2, 1e-13), ("circle", (8, 10, 13), 2, 2e-9), ("slepian", (2, 5, 14), 2, 1e-13),
                                            ("narrow", (4, 9), 1.25, 1e-13)):
    for support, window, found in zip(supports, read(name), read(name + "_transforms")):
        phases = np.cos(np.outer(np.pi * support / (2 * oversampling) * nodes, nodes))
        truth = support / 2 * phases @ (weights * window)
        error = abs(found - truth).max() / abs(truth).max()
        assert error < bound, f"transform of {name}, {support} cells, is off by {error:g}"
        c = np.pi * support * (1 - 0.5 / oversampling)
        if name in ("slepian", "narrow") and c < 12:        # beyond, SciPy's function is not accurate
            truth = scipy.special.pro_ang1(0, 0, c, nodes)[0] / scipy.special.pro_ang1(0, 0, c, 0)[0]
            assert abs(window - truth).max() < 1e-13, f"{name}, {support} cells, is off by {abs(window - truth).max():g}"
