#!/usr/bin/env python3
"""Tests examples/survey: check_survey.py make FOLDER | check FOLDER OUT | mock FOLDER SCRIPT

`make` writes a catalog and random points. `check` compares the outputs with sums over all cells and modes. `mock` runs catalog.py on galaxies with a known
density."""
import os
import subprocess
import sys

import h5py
import numpy as np

task, folder, *rest = sys.argv[1:]
N, BOX, P0, WIDEST, BINS = 12, 300.0, 5000.0, 120.0, 4


def read(path, name):
    with h5py.File(path) as file:
        return file[name][()]


def make():
    random = np.random.default_rng(5)

    def rows(count):
        direction = random.uniform(-0.22, 0.22, (count, 3)) + [0.3, 0.2, 1.0]
        place = direction / np.sqrt((direction**2).sum(1))[:, None] * random.uniform(250, 420, count)[:, None]
        density = 4e-4 * np.exp(-(np.sqrt((place**2).sum(1)) - 250) / 100)
        return np.column_stack([place, density, random.uniform(0.5, 1.5, count)])

    np.save(f"{folder}/galaxies.npy", rows(400))
    with h5py.File(f"{folder}/survey.h5", "w") as file:
        file["randoms"] = rows(3000)


def painted(place, weight):
    """Assigns points to a mesh by triangular-shaped clouds."""
    mesh = np.zeros((N, N, N))
    u = place / (BOX / N)
    node = np.rint(u).astype(int)
    d = u - node
    tsc = np.stack([0.5 * (0.5 - d) ** 2, 0.75 - d**2, 0.5 * (0.5 + d) ** 2])
    for i in range(3):
        for j in range(3):
            for k in range(3):
                at = (node + [i - 1, j - 1, k - 1]) % N
                np.add.at(mesh, tuple(at.T), weight * tsc[i, :, 0] * tsc[j, :, 1] * tsc[k, :, 2])
    return mesh


def legendre(l, mu):
    return np.polynomial.legendre.legval(mu, np.eye(l + 1)[l])


def check(out):
    galaxies, randoms = np.load(f"{folder}/galaxies.npy"), read(f"{folder}/survey.h5", "randoms")
    low, high = randoms[:, :3].min(0), randoms[:, :3].max(0)
    observer = BOX / 2 - (low + high) / 2
    pos, points = galaxies[:, :3] + observer, randoms[:, :3] + observer
    wg, wr = galaxies[:, 4] / (1 + P0 * galaxies[:, 3]), 1 / (1 + P0 * randoms[:, 3])
    alpha = galaxies[:, 4].sum() / len(randoms)
    cell = (BOX / N) ** 3
    field = (painted(pos, wg) - alpha * painted(points, wr)) / cell
    normalization = alpha * np.sum(randoms[:, 3] * wr**2)
    noise = (np.sum(wg**2) + alpha**2 * np.sum(wr**2)) / normalization

    node = np.indices((N, N, N)).reshape(3, -1).T * (BOX / N)
    sight = node - observer
    sight /= np.sqrt((sight**2).sum(1))[:, None]
    mode = np.fft.fftfreq(N, 1 / N)
    index = np.stack(np.meshgrid(mode, mode, mode, indexing="ij"), axis=-1).reshape(-1, 3)
    wave = 2 * np.pi / BOX * index
    size = np.sqrt((wave**2).sum(1))
    window = np.prod(np.sinc(index / N), axis=1) ** 3
    amplitude = {l: np.empty(N**3, complex) for l in (0, 2, 4)}
    for k in range(N**3):
        terms = field.ravel() * np.exp(-1j * node @ wave[k])
        mu = sight @ wave[k] / size[k] if size[k] else 0 * sight[:, 0]
        for l, one in amplitude.items():
            one[k] = cell * np.sum(terms * legendre(l, mu))
    shell = np.floor(np.sqrt((index**2).sum(1)) + 1e-9).astype(int)
    found = read(f"{out}/multipoles.h5", "multipoles")
    assert found.shape == (N // 2, 5), found.shape
    for s in range(1, N // 2):
        here = shell == s
        expected = [size[here].mean()]
        for l in (0, 2, 4):
            power = (2 * l + 1) / normalization * np.mean((amplitude[0].conj() * amplitude[l]).real[here] / window[here] ** 2)
            expected.append(power - (noise if l == 0 else 0))
        expected.append(here.sum())
        assert np.allclose(found[s], expected, rtol=1e-9, atol=1e-9 * abs(found[s, 1:4]).max()), (s, found[s], expected)

    # The window from pairs of all cells. The line of sight of a pair is that to its first cell.
    weighted = (alpha * painted(points, wr) / cell).ravel()
    separation = node[None, :] - node[:, None]
    separation -= BOX * (separation > BOX / 2)
    separation += BOX * (separation < -BOX / 2 + 1e-9)  # a separation of half of the box is positive
    length = np.sqrt((separation**2).sum(2))
    mu = np.einsum("abi,ai->ab", separation, sight) / np.where(length > 0, length, 1)
    number = np.floor(length / (WIDEST / BINS) + 1e-12).astype(int)
    found = read(f"{out}/window.h5", "window")
    for b in range(BINS):
        here = (number == b) & (length > 0)
        pairs = here.sum()
        expected = [length[here].mean()]
        for l in (0, 2, 4):
            product = weighted[:, None] * weighted[None, :] * legendre(l, mu)
            expected.append((2 * l + 1) * cell / normalization * product[here].sum() / (pairs / N**3))
        expected.append(pairs / N**3)
        assert np.allclose(found[b], expected, rtol=1e-9, atol=1e-9), (b, found[b], expected)
    print("multipoles and window as in NumPy:", found[:, 1])


def mock(script):
    random = np.random.default_rng(2)
    names = ["pos_0", "pos_1", "pos_2", "seen", "exists"]
    rows = np.column_stack([random.uniform(0, 100, (20000, 4)), np.arange(20000) < 15000])
    with h5py.File(f"{folder}/mock.h5", "w") as file:
        file["galaxies"] = rows
        file["galaxies"].attrs["columns"] = names
    done = subprocess.run([sys.executable, script, f"{folder}/mock.h5", f"{folder}/cut.h5", "--box=100", "--near=60", "--angle=25"], capture_output=True,
                          text=True, check=True)
    print(done.stdout, end="")
    galaxies, randoms = read(f"{folder}/cut.h5", "galaxies"), read(f"{folder}/cut.h5", "randoms")
    distance = np.sqrt((randoms[:, :3] ** 2).sum(1))
    assert np.all(randoms[:, 2] / distance > np.cos(np.radians(25))) and randoms[:, 2].min() > 60, "points outside of the cone"
    assert np.allclose(randoms[:, 3], 15000 / 100**3 * np.exp(-(((distance - 60) / 100) ** 2))), "the density"
    # The galaxies are not clustered. Therefore their number agrees with the expected density everywhere.
    count = len(randoms) / 20
    assert abs(len(galaxies) - count) < 5 * np.sqrt(count), (len(galaxies), count)
    far = np.sqrt((galaxies[:, :3] ** 2).sum(1)).mean() - distance.mean()
    assert abs(far) < 5 * distance.std() / np.sqrt(count), far
    assert np.all(galaxies[:, 4] == 1) and os.path.getsize(f"{folder}/cut.h5") > 0


make() if task == "make" else check(*rest) if task == "check" else mock(*rest)
