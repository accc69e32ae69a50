#!/usr/bin/env python3
"""Compares the iterates of networks.pm, a run each, with textbook optimizers in NumPy: check_networks.py PROGRAM"""
import os
import subprocess
import sys

import numpy as np

program = os.path.abspath(sys.argv[1])
STEPS = 17


def run(steps):
    """The columns after that many iterations."""
    subprocess.run([program, "--quiet", "--format=npy", f"--out={program}.out", f"--steps={steps}"], check=True)
    return np.load(f"{program}.out/columns.npy").T, np.load(f"{program}.out/complex_columns.npy").T


runs, complex_runs = zip(*(run(steps) for steps in range(STEPS)))
stages = np.load(f"{program}.out/stages.npy").T
w, stiff, b0 = runs[0][:3]
start = np.array([np.ones_like(w), b0])


def gradient(s, r=0):
    a, b = s
    overlap = 0.1 * np.sum(a * b) + r
    return np.array([stiff * (a - w) + overlap * b, overlap * a - 3 * np.sin(3 * b)])


def clipped(g, most):
    size = np.sqrt(np.sum(g**2))
    return g * most / size if most and size > most else g


def sgd(rate, momentum, schedule, nesterov=False, clip=0, s=start, r=0):
    v = 0
    for t in range(STEPS):
        yield s
        g = clipped(gradient(s, r), clip)
        v = momentum * v + g
        s = s - rate * schedule(t) * (g + momentum * v if nesterov else v)


def adam(rate, decay, schedule=lambda t: 1, beta1=0.9, beta2=0.999, epsilon=1e-8, by_layer=False, clip=0, parts=False, s=start, r=0):
    """With `parts` the two rows are those of complex numbers."""
    m, v = 0, 0
    for t in range(STEPS):
        yield s
        g = clipped(gradient(s, r), clip)
        m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * (np.sum(g**2, axis=0) if parts else g**2)
        step = (m / (1 - beta1**(t + 1))) / (np.sqrt(v / (1 - beta2**(t + 1))) + epsilon) + decay * s
        if by_layer:
            step = step * (np.linalg.norm(s) / np.linalg.norm(step) if parts else (np.linalg.norm(s, axis=1) / np.linalg.norm(step, axis=1))[:, None])
        s = s - rate * schedule(t) * step


def mean(path, decay):
    s = None
    for one in path:
        s = one if s is None else decay * s + (1 - decay) * one
        yield s


def cosine(t):
    return (t + 1) / 4 if t < 4 else 0.1 + 0.45 * (1 + np.cos(np.pi * min((t - 4) / 10, 1)))


def compare(name, found, wanted):
    error = np.max(np.abs(found - np.array(wanted)))
    assert error < 1e-12, f"{name} is off by {error:g}"


METHODS = {"sgd": lambda **more: sgd(0.01, 0.8, lambda t: 0.5**(t // 4), **more),
           "nesterov": lambda **more: sgd(0.01, 0.9, lambda t: min((t + 1) / 5, np.sqrt(5 / (t + 1))), nesterov=True, clip=2, **more),
           "adamw": lambda **more: adam(0.03, 0.1, cosine, **more),
           "lamb": lambda **more: adam(0.02, 0.05, beta1=0.8, epsilon=1e-6, by_layer=True, **more),
           "averaged": lambda **more: mean(adam(0.03, 0.01, **more), 0.7)}
OPTIONS = {"adamw": {"beta2": 0.97}, "lamb": {"beta2": 0.9, "schedule": lambda t: 0.5**(t // 4)}}
for number, (name, method) in enumerate(METHODS.items()):
    compare(name, np.array([one[3 + 2 * number:5 + 2 * number] for one in runs]), list(method(**OPTIONS.get(name, {}))))

for number, (name, more) in enumerate({"adamw": {"clip": 2}, "lamb": {}}.items()):
    compare("complex " + name, np.array([one[2 * number:2 * number + 2] for one in complex_runs]), list(METHODS[name](parts=True, **more)))

for number, name in enumerate(("sgd", "adamw", "lamb", "averaged")):
    s = start
    for r in (0.5, 2):
        s = list(METHODS[name](s=s, r=r))[5]
    compare(name + " in stages", stages[2 * number:2 * number + 2], s)
print(f"{len(METHODS)} optimizers, {STEPS - 1} steps")
