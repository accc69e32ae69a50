#!/usr/bin/env python3
"""Compares the outputs of unknown_coils.pm with the same methods in NumPy, written out: check_unknown_coils.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound):
    error = np.max(abs(found - truth)) / np.max(abs(truth))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


# k-space with mode 0 first, centred images, unitary.
def to_k(f):
    return np.fft.fft2(np.fft.ifftshift(f, axes=(-2, -1)), norm="ortho")


def to_image(k):
    return np.fft.fftshift(np.fft.ifft2(k, norm="ortho"), axes=(-2, -1))


def mask_of(n, step, centre):
    m = np.rint(np.fft.fftfreq(n, 1 / n)).astype(int)
    return (m % step == 0) | ((2 * m >= -centre) & (2 * m < centre)), m


def grappa(data, axis, step, kernel, lines, width, weight):
    """Griswold et al. 2002, mode by mode; axis 1 or 2 is accelerated. Modes outside are those of the other side."""
    coils, *shape = data.shape
    out = np.zeros_like(data)
    at = lambda k: (slice(None), k[0] % shape[0], k[1] % shape[1])
    for offset in range(1, step):
        taps = [[-offset + step * (j - lines // 2 + 1) for j in range(lines)] if a + 1 == axis else
                [j - kernel // 2 for j in range(kernel)] for a in range(2)]
        shifts = [(a, b) for a in taps[0] for b in taps[1]]
        inside = lambda k: all(-(width // 2) <= m < -(width // 2) + width for m in k)
        rows, targets = [], []
        for kx in range(-(width // 2), width // 2):
            for ky in range(-(width // 2), width // 2):
                if all(inside((kx + a, ky + b)) for a, b in shifts):
                    rows.append(np.concatenate([data[at((kx + a, ky + b))] for a, b in shifts]))
                    targets.append(data[at((kx, ky))])
        A, y = np.array(rows), np.array(targets)
        n = A.shape[1]
        w = np.linalg.solve(A.conj().T @ A + weight * np.sum(abs(A) ** 2) / n * np.eye(n), A.conj().T @ y)
        for kx in range(-(shape[0] // 2), shape[0] - shape[0] // 2):
            for ky in range(-(shape[1] // 2), shape[1] - shape[1] // 2):
                if (kx, ky)[axis - 1] % step == offset:
                    sources = [(kx + a, ky + b) for a, b in shifts]
                    wrapped = [[(k[a] + shape[a] // 2) % shape[a] - shape[a] // 2 for a in range(2)] for k in sources]
                    # Across the edge lines may be others than multiples of the step.
                    row = np.concatenate([data[at(k)] * (k[axis - 1] % step == 0) for k in wrapped])
                    out[at((kx, ky))] = row @ w
    return out


full, maps = read("full"), read("maps")
nx, ny = full.shape[1:]
ymask, _ = mask_of(ny, 3, 8)
data = full * ymask
check("grappa", read("lines"), np.where(ymask, data, grappa(data, 2, 3, 3, 2, 8, 1e-3)), 1e-8)
xmask, _ = mask_of(nx, 2, 10)
xmask = xmask[:, None]
check("grappa along x", read("more_lines"), np.where(xmask, full, grappa(full * xmask, 1, 2, 5, 4, 10, 1e-6)), 1e-7)


def cg(A, b, dot, tolerance, iterations):
    """Hestenes & Stiefel (1952), from 0."""
    x, r = 0 * b, b
    p, rr = r, dot(r, r)
    enough = tolerance ** 2 * rr
    for _ in range(iterations):
        if rr <= enough:
            break
        q = A(p)
        a = rr / dot(p, q)
        x, r = x + a * p, r - a * q
        rr, old = dot(r, r), rr
        p = r + rr / old * p
    return x


def nlinv(data, mask, steps, alpha, reduction, stiffness, power, tolerance, iterations):
    """NLINV (Uecker et al. 2008) with the penalty |image - reduction^(n/2)|^2 of the image in step n.
    The unknown is an array of the image and the coefficients of the coils."""
    scale = 100 / np.linalg.norm(data)
    y = scale * data
    k2 = (np.fft.fftfreq(nx) ** 2)[:, None] + np.fft.fftfreq(ny) ** 2
    weight = (1 + stiffness * k2) ** (-power / 2)
    smooth = lambda a: np.fft.ifft2(weight * np.fft.fft2(a))
    dot = lambda a, b: np.sum(a.conj() * b).real
    start = np.zeros((1 + len(data), nx, ny), complex)
    start[0] = 1
    x, reference = start, 1.0
    for _ in range(steps):
        rho, coils = x[0], smooth(x[1:])
        adjoint = lambda r: np.concatenate([[np.sum(coils.conj() * to_image(mask * r), axis=0)], smooth(rho.conj() * to_image(mask * r))])
        forward = lambda d: mask * to_k(d[0] * coils + rho * smooth(d[1:]))
        right = adjoint(y - mask * to_k(rho * coils)) + alpha * (reference * start - x)
        x = x + cg(lambda d: adjoint(forward(d)) + alpha * d, right, dot, min(tolerance ** 2 * np.linalg.norm(right), 0.5), iterations)
        alpha, reference = alpha * reduction, reference * np.sqrt(reduction)
    coils = smooth(x[1:])
    size = np.sqrt(np.sum(abs(coils) ** 2, axis=0))
    return x[0] * size / scale, coils / size


images = read("joint_image")
for i, steps in enumerate((1, 3)):
    image, found_maps = nlinv(read("smooth_data"), ymask, steps, 0.8, 0.4, 100, 16, 0.1, 12)
    check(f"nlinv, step {steps}", images[..., i], image, 1e-8)
check("the maps of nlinv", read("joint_maps"), found_maps, 1e-8)


def low_rank_sparse(data, low, sparse, iterations):
    """Otazo et al. 2015, algorithm 1; coils have sum |S|^2 = 1, so that |E| <= 1."""
    forward = lambda m: ymask * to_k(maps * m[:, None])
    adjoint = lambda d: np.sum(maps.conj() * to_image(ymask * d), axis=1)
    m = adjoint(data)
    s = 0 * m
    for _ in range(iterations):
        U, sizes, V = np.linalg.svd((m - s).reshape(len(m), -1), full_matrices=False)
        l = ((U * np.maximum(sizes - low, 0)) @ V).reshape(m.shape)
        f = np.fft.fft(m - l, axis=0, norm="ortho")
        s = np.fft.ifft(f * np.maximum(1 - sparse / np.maximum(abs(f), 1e-300), 0), axis=0, norm="ortho")
        m = l + s - adjoint(forward(l + s) - data)
    return l, s


frames = read("frames")
order = (0, 1, 2, 3) if frames.shape[0] == 4 else (1, 0, 2, 3)
for i, steps in enumerate((1, 5)):
    l, s = low_rank_sparse(frames.transpose(order), 2, 0.3, steps)
    check(f"low rank, step {steps}", read("low")[..., i], l, 1e-6)
    check(f"sparse, step {steps}", read("sparse")[..., i], s, 1e-6)
print("\n".join(failed))
sys.exit(bool(failed))
