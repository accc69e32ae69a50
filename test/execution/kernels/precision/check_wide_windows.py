#!/usr/bin/env python3
"""check_wide_windows.py OUT TOLERANCE: the outputs of wide_windows.pm against sums over all cells."""
import sys

import numpy as np

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy").astype(complex)
parts = lambda name: np.moveaxis(read(name), -1, 0)
tolerance = float(sys.argv[2])
N = {"x": 24, "y": 15, "z": 5, "c": 3}
SIZE = {"x": 6 / 24, "y": 6 / 15, "z": 1}
bell = lambda u: np.exp(-u**2 / 5)
slanted = lambda u: (1 + 0.3 * u) * np.exp(-u**2 / 3)
EVEN, ODD, SMALL, MOST = (6, bell), (7, slanted), (2, lambda u: 1 - u**2 / 2), (14, lambda u: np.cos(u / 6))
CIC = (2, lambda u: np.maximum(1 - abs(u), 0))
TSC = (3, lambda u: np.where(abs(u) < 0.5, 0.75 - u**2, (1.5 - abs(u))**2 / 2))
PCS = (4, lambda u: np.where(abs(u) < 1, (4 - 6 * u**2 + 3 * abs(u)**3) / 6, (2 - abs(u))**3 / 6))


def along(window, n, s):
    """Weights of all n cells, for positions s in cells: a matrix. The window is on so many points; at the edge of two, on the upper ones."""
    support, weight = window
    s = np.real(s).ravel()
    matrix = np.zeros((s.size, n), complex)
    first = np.ceil(s - support / 2) if support % 2 == 0 else np.floor(s + 0.5) - support // 2
    first += (support % 2 == 0) * (first == s - support / 2)
    for k in range(support):
        cell = first + k
        np.add.at(matrix, (np.arange(s.size), cell.astype(int) % n), weight(cell - s))
    return matrix


def matrices(window, **places):
    return [along(window, N[d], np.real(s) / SIZE[d]) for d, s in places.items()]


failed = []


def check(name, expected):
    found = read(name)
    error = abs(found - expected).max() / abs(expected).max() if found.shape == expected.shape else np.inf
    if not error <= tolerance:
        failed.append(f"{name}: {found.shape} differs by {error:.3g} from {expected.shape}")


px, py, pz = parts("positions")
w, v = parts("weights")
wb = read("batch_weights")
f, g = parts("fields")
line, cube, coils, between, modes = map(read, "line cube coils between modes".split())
dx, dy = parts("displacements")
kx, ky = parts("mode_places")
one = lambda window: matrices(window, x=px)
two = lambda window: matrices(window, x=px, y=py)
three = lambda window: matrices(window, x=px, z=pz, y=py)
nx, ny = np.meshgrid(np.arange(24) * SIZE["x"], np.arange(15) * SIZE["y"], indexing="ij")
lattice = lambda window: matrices(window, x=nx + dx, y=ny + dy)
shaped = lambda values: values.reshape(values.shape[:-1] + (24, 15))

check("line_even", np.einsum("ja,a", *one(EVEN), line))
check("line_most", np.einsum("ja,a", *one(MOST), line))
for name, window in ("even", EVEN), ("odd", ODD), ("small", SMALL):
    check("plane_" + name, np.einsum("ja,jb,ab->j", *two(window), f))
check("plane_complex", np.einsum("ja,jb,ab->j", *two(ODD), f + 1j * g))
check("plane_both", np.einsum("ja,jb,kab->jk", *two(EVEN), np.array([f, g])))
check("cube_odd", np.einsum("ja,jb,jc,abc->j", *three(ODD), cube))
check("cube_most", np.einsum("ja,jb,jc,abc->j", *three(MOST), cube))
check("moved", shaped(np.einsum("ja,jb,ab->j", *lattice(ODD), f)))
check("moved_batch", shaped(np.einsum("ja,jb,cab->cj", *lattice(TSC), coils)))
check("painted_line", np.einsum("ja,j->a", *one(ODD), w))
check("painted", np.einsum("ja,jb,j->ab", *two(ODD), w))
check("painted_ones", np.einsum("ja,jb->ab", *two(SMALL)))
check("painted_complex", np.einsum("ja,jb,j->ab", *two(EVEN), w + 1j * v))
check("painted_cube", np.einsum("ja,jb,jc,j->abc", *three(ODD), v))
check("painted_moved", np.einsum("ja,jb,j->ab", *lattice(EVEN), g.ravel()))
check("read_coils", np.einsum("ja,jb,cab->cj", *two(EVEN), coils))
check("read_between", np.einsum("ja,jb,acb->cj", *two(ODD), between))
check("read_cic", np.einsum("ja,jb,cab->cj", *two(CIC), coils))
check("painted_coils", np.einsum("ja,jb,cj->cab", *two(ODD), wb))
check("painted_pcs", np.einsum("ja,jb,cj->cab", *two(PCS), wb * (1 + 2j)))
check("read_modes", np.einsum("ja,jb,ab->j", along(EVEN, 24, kx), along(EVEN, 15, ky), modes))
print("\n".join(failed))
sys.exit(bool(failed))
