#!/usr/bin/env python3
"""Compares the outputs of approximations.pm with the Gaussian in NumPy: check_approximations.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound):
    error = np.max(np.abs(found - truth))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


slope = read("slope")
H = np.diag(read("stiff")) + np.outer(slope, slope)
covariance = np.linalg.inv(H)
mode = -0.3 * covariance @ np.ones(8)
values, vectors = np.linalg.eigh(H)
root = vectors @ np.diag(values ** -0.5) @ vectors.T
check("the mode", read("mode"), mode, 1e-6)
check("the product with the Hessian", read("curvature"), H @ slope, 1e-9)
check("the root", read("root"), root @ slope, 1e-9)
check("the width", read("width"), np.sqrt(slope @ covariance @ slope), 1e-7)
# Of 600 independent samples, in units in which they are standard normal: 36 moments of standard deviation 1/sqrt(600) or sqrt(2/600).
z = (read("samples") - mode) @ np.linalg.inv(root)
check("the mean of samples", z.mean(axis=0), 0, 4 / np.sqrt(600))
check("the covariance of samples", z.T @ z / 600, np.eye(8), 4.5 * np.sqrt(2 / 600))
# The best Gaussian without correlations: the mean, and 1/sqrt(H_ii).
check("the mean field", read("field_mean") / np.sqrt(np.diag(covariance)), mode / np.sqrt(np.diag(covariance)), 0.12)
check("the deviation of the mean field", read("field_deviation") * np.sqrt(np.diag(H)), 1, 0.12)
print("\n".join(failed))
sys.exit(bool(failed))
