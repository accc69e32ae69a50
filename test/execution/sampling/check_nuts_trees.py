#!/usr/bin/env python3
"""Compares the chain of nuts_trees.pm with the No-U-Turn Sampler by its definition: check_nuts_trees.py FOLDER

All balanced subtrees of a branch are checked for U-turns from the list of its momenta, without what the iterative method keeps."""
import sys

import numpy as np

STEP, DEPTH, MOST = 0.2, 5, 0.1


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def energy(s):
    return 0.25 * np.sum(s ** 4) + 0.5 * (s[0] - 2 * s[1]) ** 2


def slope(s):
    return s ** 3 + (s[0] - 2 * s[1]) * np.array([1, -2, 0])


def turns(first, last, momenta):
    rho = np.sum(momenta, axis=0) - (first + last) / 2
    return first @ rho <= 0 or last @ rho <= 0


def branch(s, u, h, step, count, draws):
    """States and momenta on from (s, u), the picked state, log weight, acceptance, whether it turns, whether it diverges."""
    momenta, weights, accept = [], [], 0
    pick = None
    for n in range(count):
        half = u - step / 2 * slope(s)
        s = s + step * half
        u = half - step / 2 * slope(s)
        error = energy(s) + u @ u / 2 - h
        momenta.append(u)
        if error >= MOST:
            return s, u, momenta, pick, 0, accept, False, True
        accept += min(1, np.exp(-error))
        weights.append(np.exp(-error))
        if draws[n] < weights[-1] / sum(weights):
            pick = (s, error)
        for size in (2 ** k for k in range(1, DEPTH)):
            if (n + 1) % size == 0 and turns(momenta[n + 1 - size], u, momenta[n + 1 - size:]):
                return s, u, momenta, pick, 0, accept, True, False
    return s, u, momenta, pick, sum(weights), accept, False, False


def check(label, chain, numbers, momenta, directions, merges, leaves):
    """Replays a chain and returns the ways in which its trajectories end."""
    s = 0.5 + np.arange(3)
    ends = set()
    for i, found in enumerate(chain):
        u = momenta[i]
        h = energy(s) + u @ u / 2
        left, right, inside, weight, count, accept = (s, u), (s, u), [u], 1.0, 0, 0
        picked, end = (s, 0.0), "full"
        for depth in range(DEPTH):
            forward = directions[i, depth] < 0.5
            s1, u1, more, pick, w, a, isTurning, isDiverging = branch(*(right if forward else left), h, STEP if forward else -STEP,
                                                                     2 ** depth, leaves[i, depth])
            count, accept = count + len(more), accept + a
            if isTurning or isDiverging:
                end = "turns" if isTurning else "diverges"
                break
            if merges[i, depth] < w / weight:
                picked = pick
            weight += w
            inside += more
            left, right = (left, (s1, u1)) if forward else ((s1, u1), right)
            if turns(left[1], right[1], inside):
                end = "whole"
                break
        ends.add(end)
        s = picked[0]
        expected = [count, accept / count, picked[1], end == "diverges", energy(s)]
        error = max(np.max(np.abs(found - s)), np.max(np.abs(numbers[i] - expected)))
        assert error < 1e-9, f"{label}, draw {i}: state {found} and {numbers[i]}, expected {s} and {expected}"
        s = found
    return ends


RANDOMS = "momenta", "directions", "merges", "leaves"
ends = check("one chain", read("chain"), read("numbers"), *map(read, RANDOMS))
assert ends >= {"turns", "diverges", "whole"}, f"trajectories end in no other way than {ends}"
# The noise has the dim of the state first.
chains, numbers = np.moveaxis(read("chains"), 0, -1), read("numbers_of_chains")
assert chains.shape == (6, 40, 3), chains.shape
for c, chain in enumerate(chains):
    of_chains = [read(name + "_of_chains") for name in RANDOMS]
    ends |= check(f"chain {c}", chain, numbers[c], of_chains[0][..., c], *(np.moveaxis(f, -1, 0)[c] for f in of_chains[1:]))
assert np.any(np.ptp(numbers[..., 0], axis=0) > 4), "all chains have trajectories of the same length"
print(f"{len(chains) + 1} chains, whose trajectories end as {sorted(ends)}")
