#!/usr/bin/env python3
"""Compares the iterates of solver_iterates.pm with SciPy and NumPy: check_solver_iterates.py PROGRAM"""
import inspect
import os
import subprocess
import sys

import numpy as np
import scipy.sparse.linalg

program = os.path.abspath(sys.argv[1])
WEIGHT = 0.2


def run(steps):
    subprocess.run([program, "--quiet", "--format=npy", f"--out={program}.out", f"--steps={steps}"], check=True)
    names = "data cg_x cg_from solution eigenvector fista_x fista_plain condat_x condat_dual admm_x numbers pogm_x pogm_plain search_x search_plain step_sizes " \
        "ends counts"
    return {name: np.load(f"{program}.out/{name}.npy") for name in names.split()}


first = run(1)
w, b, start = np.moveaxis(first["data"], -1, 0)
w = w.real
shape, n = b.shape, b.size


def apply(u):
    along = lambda k, axis: np.roll(u, -k, axis)
    return (2 + w**2) * u + 0.6j * (along(1, 0) - along(-1, 0)) - 0.3 * (along(2, 1) + along(-2, 1))


def matrix(f):
    return np.array([f(e.reshape(shape)).ravel() for e in np.eye(n)]).T


A = matrix(apply)
assert np.allclose(A, A.conj().T) and np.linalg.eigvalsh(A)[0] > 0
dot = lambda u, v: np.sum(u.conj() * v).real
K = lambda u: np.array([np.roll(u, -1, axis) - u for axis in (0, 1)])
KT = lambda v: sum(np.roll(v[axis], 1, axis) - v[axis] for axis in (0, 1))
length = lambda v: np.sqrt(np.sum(np.abs(v) ** 2, axis=0))
soft = lambda u, t: np.where(np.abs(u) > t, u - t * u / np.maximum(np.abs(u), 1e-300), 0)
box = lambda u: np.clip(u.real, -0.3, 0.3) + 1j * np.clip(u.imag, -0.3, 0.3)
M = A + 0.7 * matrix(lambda u: KT(K(u)))


def fista(steps, prox, restart):
    x = y = start
    t = 1
    for _ in range(steps):
        before, x = x, prox(y - 0.08 * (apply(y) - b))
        if restart and dot(y - x, x - before) > 0:
            t = 1
        t, old = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
        y = x + (old - 1) / t * (x - before)
    return x, np.linalg.norm(x - before) / np.linalg.norm(x)


def apart(x, before):
    return np.linalg.norm(x - before) / np.linalg.norm(x)


def condat(steps, tolerance=0):
    x, u, count = start, np.zeros((2,) + shape, complex), 0
    for count in range(1, steps + 1):
        before, x = x, box(x - 0.06 * (apply(x) - b + KT(u)))
        u = u + 0.4 * K(2 * x - before)
        u = u / np.maximum(1, length(u) / WEIGHT)
        if apart(x, before) <= tolerance:
            break
    return x, u, apart(x, before), count


def pogm(steps, prox, restart, tolerance=0):
    """Kim & Fessler (2018), algorithm POGM', with gradients of the composite function for restarts."""
    step, x, w, z, y, t, zeta = 0.08, start, start, start, start, 1, 0.08
    for count in range(1, steps + 1):
        slope = apply(x) - b
        w, w_old = x - step * slope, w
        t, t_old = (1 + np.sqrt(1 + (8 if count == steps else 4) * t**2)) / 2, t
        beta, gamma = (t_old - 1) / t, t_old / t
        z = w + beta * (w - w_old) + gamma * (w - x) + beta * step / zeta * (z - x)
        zeta = step * (1 + beta + gamma)
        x, before = prox(z, zeta), x
        whole = slope - (x - z) / zeta
        y, y_old = before - step * whole, y
        if restart and dot(whole, y - y_old) > 0:
            t = 1
        if apart(x, before) <= tolerance:
            break
    return x, count


def search(steps, prox, restart, shrink, tolerance=0):
    """Beck & Teboulle (2009), FISTA with backtracking, and restarts as of `fista`."""
    energy = lambda u: 0.5 * dot(u, apply(u)) - dot(b, u)
    step, x, y, t = 0.9, start, start, 1
    for count in range(1, steps + 1):
        slope = apply(y) - b
        while True:
            new = prox(y - step * slope, step)
            d = new - y
            if energy(new) <= energy(y) + dot(slope, d) + dot(d, d) / (2 * step) + 1e-13 * abs(energy(y)):
                break
            step *= shrink
        before, x = x, new
        if restart and dot(y - x, x - before) > 0:
            t = 1
        t, old = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
        y = x + (old - 1) / t * (x - before)
        if apart(x, before) <= tolerance:
            break
    return x, step, count


def in_turns(tolerance):
    x, y, t = start, start, 1
    for count in range(1, 201):
        before, x = x, soft(y - 0.08 * (apply(y) - b), WEIGHT * 0.08 * (1 + 1 / count))
        t, old = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
        y = x + (old - 1) / t * (x - before)
        if apart(x, before) <= tolerance:
            break
    return x, count


def admm(steps, tolerance=0):
    z, u, x = K(start), 0, start
    for count in range(1, steps + 1):
        before = x
        x = np.linalg.solve(M, (b + 0.7 * KT(z - u)).ravel()).reshape(shape)
        v = K(x) + u
        size = length(v)
        z = v * np.where(size > WEIGHT / 0.7, 1 - WEIGHT / 0.7 / np.maximum(size, 1e-300), 0)
        u = v - z
        if apart(x, before) <= tolerance:
            break
    return x, count


def power(steps):
    v = start
    for _ in range(steps):
        v = apply(v)
    v = v / np.linalg.norm(v)
    return v, dot(v, apply(v))


TOLERANCE = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol"


def scipy_cg(steps, x0):
    return scipy.sparse.linalg.cg(A, b.ravel(), x0=x0.ravel(), maxiter=steps, atol=0, **{TOLERANCE: 1e-16})[0].reshape(shape)


restarts = sum(not np.allclose(fista(k, lambda u: soft(u, WEIGHT * 0.08), True)[0], fista(k, lambda u: soft(u, WEIGHT * 0.08), False)[0])
               for k in range(1, 46))
assert restarts > 3, f"restarts changed {restarts} of 45 iterates"
shrunk, boxed = lambda u, t: soft(u, WEIGHT * t), lambda u, t: box(u)
assert not np.allclose(pogm(45, shrunk, True)[0], pogm(45, shrunk, False)[0]), "restarts of POGM change nothing"
pogm_end, (search_end, _, search_count), condat_end = pogm(200, shrunk, True, 1e-3), search(200, shrunk, True, 0.5, 1e-3), condat(200, 1e-3)
admm_end, turns_end = admm(60, 1e-2), in_turns(1e-3)
counts = [pogm_end[1], search_count, condat_end[3], admm_end[1], turns_end[1]]
assert 5 < min(counts) and max(counts[:3]) < 200 and counts[3] < 60 and counts[4] < 200, counts
ends = np.stack([pogm_end[0], search_end, condat_end[0], admm_end[0], turns_end[0]], -1)
for steps, found in ((1, first), (2, run(2)), (9, run(9)), (45, run(45))):
    fx, change = fista(steps, lambda u: soft(u, WEIGHT * 0.08), True)
    cx, cu, moved, _ = condat(steps)
    sx, step, _ = search(steps, shrunk, True, 0.6)
    px, plain_step, _ = search(steps, boxed, False, 0.5)
    vector, value = power(steps)
    wanted = {
        "cg_x": scipy_cg(steps, 0 * b), "cg_from": scipy_cg(steps, start), "solution": np.linalg.solve(A, b.ravel()).reshape(shape),
        "eigenvector": vector, "fista_x": fx, "fista_plain": fista(steps, box, False)[0], "condat_x": cx,
        "condat_dual": np.moveaxis(cu, 0, -1), "admm_x": admm(steps)[0],
        "pogm_x": pogm(steps, shrunk, True)[0], "pogm_plain": pogm(steps, boxed, False)[0], "search_x": sx, "search_plain": px,
        "step_sizes": np.array([step, plain_step]), "ends": ends, "counts": np.array(counts),
        "numbers": np.array([value, change, moved, np.linalg.norm(b - apply(scipy_cg(steps, start)))])}
    for name, truth in wanted.items():
        error = np.max(np.abs(found[name].reshape(truth.shape) - truth))
        assert error < 1e-12, f"{name} after {steps} iterations is off by {error:g}"
