#!/usr/bin/env python3
"""Compares the iterates of iterates.pm, a run each, with textbook optimizers in NumPy: check_iterates.py PROGRAM"""
import os
import subprocess
import sys

import numpy as np

program = os.path.abspath(sys.argv[1])


def run(steps):
    """The columns after that many iterations."""
    subprocess.run([program, "--quiet", "--format=npy", f"--out={program}.out", f"--steps={steps}"], check=True)
    return np.load(f"{program}.out/columns.npy").T


runs = [run(steps) for steps in range(26)]
w, stiff = runs[0][:2]
found = dict(zip(("tuned", "usual", "bfgs"), np.swapaxes(runs, 0, 1)[2:]))
f = lambda s: 0.5 * np.sum(stiff * (s - w) ** 2) + 0.05 * np.sum(s) ** 4 + np.sum(np.cos(3 * s))
df = lambda s: stiff * (s - w) + 0.2 * np.sum(s) ** 3 - 3 * np.sin(3 * s)


def adam(steps, rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """Kingma & Ba (2015), algorithm 1."""
    s, m, v = np.ones_like(w), 0, 0
    for t in range(steps):
        yield s
        g = df(s)
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g ** 2
        s = s - rate * (m / (1 - beta1 ** (t + 1))) / (np.sqrt(v / (1 - beta2 ** (t + 1))) + epsilon)


for name, constants in (("tuned", {"rate": 0.03, "beta1": 0.7, "beta2": 0.95, "epsilon": 1e-3}), ("usual", {})):
    error = np.max(np.abs(found[name] - list(adam(len(runs), **constants))))
    assert error < 1e-12, f"{name} is off by {error:g}"

# Nocedal & Wright (2006), equation 7.19: the inverse Hessian of the newest pairs, written out.
C1, C2, PAIRS = 0.3, 0.4, 5
path = found["bfgs"]
assert (path[0] == path[1]).all(), "the first iteration only evaluates"
path = path[1:]
pairs, far = [], 0
for number, (s, after) in enumerate(zip(path, path[1:])):
    g, step = df(s), after - s
    if np.linalg.norm(g) < 1e-5:
        break
    H = np.eye(len(w)) / np.linalg.norm(g)
    if pairs:
        ds, dg = pairs[-1]
        H = np.eye(len(w)) * (ds @ dg) / (dg @ dg)
    for ds, dg in pairs[-PAIRS:]:
        rho = 1 / (ds @ dg)
        V = np.eye(len(w)) - rho * np.outer(dg, ds)
        H = V.T @ H @ V + rho * np.outer(ds, ds)
    d = -H @ g
    a = (step @ d) / (d @ d)
    error = np.linalg.norm(step - a * d) / np.linalg.norm(step)
    assert a > 0 and error < 1e-6, f"step {number}: off its direction by {error:g}, a = {a:g}"
    assert f(after) <= f(s) + C1 * a * (g @ d) + 1e-12 * abs(f(s)), f"step {number}: f falls too little"
    assert abs(df(after) @ d) <= C2 * abs(g @ d) * (1 + 1e-9), f"step {number}: slope {df(after) @ d:g} after {g @ d:g}"
    far += abs(a - 1) > 1e-9
    pairs.append((step, df(after) - g))
assert len(pairs) >= 12 and far >= 4, f"{len(pairs)} steps, {far} of them not of length 1"
print(f"{len(pairs)} steps of L-BFGS, {far} not of length 1")
