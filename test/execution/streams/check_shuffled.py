"""In each epoch every sample once, and one epoch's order says nothing of another's.

    check_shuffled.py PROGRAM FOLDER
"""
import math
import os
import subprocess
import sys

import h5py
import numpy as np


def shuffled(i, n, seed):
    """A transcription of optim.shuffled; its products are those of Python."""
    prime = 2**31 - 1
    key = (48271 * (seed % prime) + 69621 * (i // n % prime) + 1) % prime
    side = math.isqrt(n - 1) + 1
    l, r = divmod(i % n, side)
    while True:
        for j in range(6):
            a = (69069 * (r + 1) + 362437 * (j + 1) + key) % prime
            b = (a * a + 48271 * a + key) % prime
            l, r = r, (l + (b * b + a) % prime * side // 2**31) % side
        if side * l + r < n:
            return side * l + r


def orders(n, seed, name="order"):
    program, out = sys.argv[1:]
    subprocess.run([program, "--quiet", f"--n={n}", f"--seed={seed}", "--out", out], check=True)
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        got = file[name][()].astype(int)
    return got[: len(got) // n * n].reshape(-1, n)


def main():
    for n in (1, 2, 3, 5, 16, 17, 97, 1000, 4000):
        for seed in (1, 2**64 - 1):
            got = orders(n, seed)
            if not (np.sort(got, axis=1) == np.arange(n)).all():
                sys.exit(f"no permutation of {n} with the seed {seed}")
            wanted = [[shuffled(epoch * n + place, n, seed) for place in range(n)] for epoch in range(len(got))]
            if not (got == wanted).all():
                sys.exit(f"the order of {n} with the seed {seed} is another one in Python")
            if n > 16 and len(np.unique(got, axis=0)) < len(got):
                sys.exit(f"two epochs of {n} are alike")
    if not (orders(10, 7) == orders(10, 7, "fixed")).all():
        sys.exit("a number that the compiler knows gives another order")
    # Each sample is at each place equally often: chi^2 over n^2 cells with (n - 1)^2 degrees of freedom, and so are pairs of neighbors.
    for n in (5, 10):
        both = np.concatenate([orders(n, seed) for seed in range(6)])
        counts = np.zeros((n, n))
        np.add.at(counts, (np.arange(n)[None, :].repeat(len(both), 0), both), 1)
        free, mean = (n - 1) ** 2, len(both) / n
        chi = ((counts - mean) ** 2 / mean).sum()
        pairs = np.zeros((n, n))
        np.add.at(pairs, (both[:, :-1], both[:, 1:]), 1)
        off = pairs[~np.eye(n, dtype=bool)]
        chi_pairs = ((off - off.mean()) ** 2 / off.mean()).sum()
        print(f"{n}: {chi / free:.2f} {chi_pairs / len(off):.2f}")
        if abs(chi / free - 1) > 5 * np.sqrt(2 / free) or abs(chi_pairs / len(off) - 1) > 5 * np.sqrt(2 / len(off)):
            sys.exit("not evenly spread")


if __name__ == "__main__":
    main()
