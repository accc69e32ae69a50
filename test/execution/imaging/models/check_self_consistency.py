#!/usr/bin/env python3
"""Compares the outputs of self_consistency.pm with NumPy: check_self_consistency.py FOLDER [single]"""
import sys

import numpy as np

failed = []
SINGLE = len(sys.argv) > 2


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound, single=3e-4):
    error = np.linalg.norm(found - truth) / np.linalg.norm(truth)
    if not error <= (single if SINGLE else bound):
        failed.append(f"{name} is off by {error:.3g}, expected at most {single if SINGLE else bound:.3g}")


def axes_of(f, count=2):
    return tuple(range(f.ndim - count, f.ndim))


def to_k(f, count=2):
    return np.fft.fftn(np.fft.ifftshift(f, axes=axes_of(f, count)), axes=axes_of(f, count), norm="ortho")


def to_image(k, count=2):
    return np.fft.fftshift(np.fft.ifftn(k, axes=axes_of(k, count), norm="ortho"), axes=axes_of(k, count))


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


real_dot = lambda a, b: np.sum(a.conj() * b).real
full, mask = read("full"), read("mask") > 0.5
data = full * mask
coils, nx, ny = full.shape
KERNEL, WIDTH, WEIGHT = 3, 6, 0.05


def calibrated():
    """G as a dense matrix on k-space, its factors by least squares with rows for the penalty."""
    low = range(-(WIDTH // 2), WIDTH // 2)
    taps = [(c, a, b) for c in range(coils) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    inside = [(kx, ky) for kx in low for ky in low if abs(kx + 0.5) < WIDTH / 2 - 1 and abs(ky + 0.5) < WIDTH / 2 - 1]
    A = np.array([[data[c, (kx + a) % nx, (ky + b) % ny] for c, a, b in taps] for kx, ky in inside])
    ridge = WEIGHT * np.sum(abs(A) ** 2) / A.shape[1]
    G = np.zeros((coils, nx, ny, coils, nx, ny), complex)
    for target in range(coils):
        others = [i for i, t in enumerate(taps) if t != (target, 0, 0)]
        rows = np.concatenate([A[:, others], np.sqrt(ridge) * np.eye(len(others))])
        y = np.array([data[target, kx % nx, ky % ny] for kx, ky in inside])
        w = np.linalg.lstsq(rows, np.concatenate([y, np.zeros(len(others))]), rcond=None)[0]
        for i, f in zip(others, w):
            c, a, b = taps[i]
            for kx in range(nx):
                for ky in range(ny):
                    G[target, kx, ky, c, (kx + a) % nx, (ky + b) % ny] = f
    return G.reshape(data.size, data.size)


G = calibrated()
B = G - np.eye(data.size)
missing = ~np.broadcast_to(mask, data.shape)
C = B[:, missing.ravel()]
found = data.copy()
found[missing] = cg(lambda u: C.conj().T @ (C @ u), -C.conj().T @ (B @ data.ravel()), real_dot, 1e-12, 7)
check("spirit", read("filled"), found, 1e-9)
check("spirit of other units", read("scaled"), found, 1e-9)


images = to_k(read("images"))
check("the operator of SPIRiT", to_k(read("residual")), (B @ images.ravel()).reshape(data.shape), 1e-9)
check("its transpose", to_k(read("transposed")), (B.conj().T @ images.ravel()).reshape(data.shape), 1e-9)


def haar(f):
    """One level, in blocks of 2 by 2: the mean times 2, and three details."""
    a, b, c, d = f[..., ::2, ::2], f[..., 1::2, ::2], f[..., ::2, 1::2], f[..., 1::2, 1::2]
    parts = (a + b + c + d) / 2, (a - b + c - d) / 2, (a + b - c - d) / 2, (a - b - c + d) / 2
    out = np.empty_like(f)
    out[..., ::2, ::2], out[..., 1::2, ::2], out[..., ::2, 1::2], out[..., 1::2, 1::2] = parts
    return out


def shrink(images, threshold):
    w = haar(images)
    w[..., ::2, ::2] = haar(w[..., ::2, ::2])
    size = np.sqrt(np.sum(abs(w) ** 2, axis=0))
    factor = np.maximum(1 - threshold / np.maximum(size, 1e-300), 0)
    factor[::4, ::4] = 1
    w = w * factor
    w[..., ::2, ::2] = haar(w[..., ::2, ::2])
    return haar(w)


k = data
for _ in range(4):
    k = np.where(mask, data, to_k(shrink(to_image((G @ k.ravel()).reshape(data.shape)), 0.02)))
check("sparse_spirit", read("sparse"), k, 1e-9)


def sake(rank, iterations):
    """Shin et al. (2014), with singular values of the matrix of patches."""
    known = np.fft.fftshift(np.broadcast_to(mask, data.shape), axes=(1, 2))
    seen = np.fft.fftshift(data, axes=(1, 2))
    f = seen
    corners = [(a, b) for a in range(nx - KERNEL + 1) for b in range(ny - KERNEL + 1)]
    for _ in range(iterations):
        A = np.array([f[:, a:a + KERNEL, b:b + KERNEL].ravel() for a, b in corners])
        U, s, V = np.linalg.svd(A, full_matrices=False)
        A = (U[:, :rank] * s[:rank]) @ V[:rank]
        total, count = np.zeros_like(f), np.zeros(f.shape)
        for row, (a, b) in zip(A, corners):
            total[:, a:a + KERNEL, b:b + KERNEL] += row.reshape(coils, KERNEL, KERNEL)
            count[:, a:a + KERNEL, b:b + KERNEL] += 1
        f = np.where(known, seen, total / count)
    return np.fft.ifftshift(f, axes=(1, 2))


check("sake", read("completed"), sake(5, 3), 1e-9)


def nlinv(data, encode, decode, shape, steps, alpha, reduction, stiffness, power, tolerance, iterations):
    """NLINV (Uecker et al. 2008) with the penalty |image - reduction^(n/2)|^2 of the image in step n.
    The unknown is an array of the image and the coefficients of the coils."""
    scale = 100 / np.linalg.norm(data)
    y = scale * data
    count = len(shape)
    k2 = sum(np.fft.fftfreq(n).reshape([-1 if i == d else 1 for i in range(count)]) ** 2 for d, n in enumerate(shape))
    weight = (1 + stiffness * k2) ** (-power / 2)
    axes = tuple(range(1, count + 1))
    smooth = lambda a: np.fft.ifftn(weight * np.fft.fftn(a, axes=axes), axes=axes)
    start = np.zeros((1 + len(data),) + shape, complex)
    start[0] = 1
    x, reference = start, 1.0
    for _ in range(steps):
        rho, c = x[0], smooth(x[1:])

        def adjoint(r, c=c, rho=rho):
            f = decode(r)
            return np.concatenate([[np.sum(c.conj() * f, axis=0)], smooth(rho.conj() * f)])

        forward = lambda d, c=c, rho=rho: encode(d[0] * c + rho * smooth(d[1:]))
        right = adjoint(y - encode(rho * c)) + alpha * (reference * start - x)
        relative = min(tolerance ** 2 * np.linalg.norm(right), 0.5)
        x = x + cg(lambda d, a=alpha, f=forward, b=adjoint: b(f(d)) + a * d, right, real_dot, relative, iterations)
        alpha, reference = alpha * reduction, reference * np.sqrt(reduction)
    c = smooth(x[1:])
    size = np.sqrt(np.sum(abs(c) ** 2, axis=0))
    return x[0] * size / scale, c / size


cube, lines = read("cube_data"), read("cube_mask") > 0.5
lines = lines.reshape(1, -1, 1)
image, _ = nlinv(cube, lambda f: lines * to_k(f, 3), lambda r: to_image(lines * r, 3), cube.shape[1:], 3, 0.7, 0.5, 220 * (max(cube.shape[1:]) / 256) ** 2, 32,
                 1e-6, 8)
check("nlinv in three dimensions", read("cube_image"), image, 1e-8)

samples, places = read("samples"), read("places").reshape(-1, 2)
samples = samples.reshape(coils, -1)
X, Y = np.meshgrid(np.arange(nx) - nx // 2, np.arange(ny) - ny // 2, indexing="ij")
F = np.exp(-2j * np.pi * (np.outer(places[:, 0], X.ravel()) / nx + np.outer(places[:, 1], Y.ravel()) / ny)) / np.sqrt(nx * ny)
image, maps = nlinv(samples, lambda f: f.reshape(coils, -1) @ F.T, lambda r: (r @ F.conj()).reshape(coils, nx, ny), (nx, ny), 2, 0.9,
                    0.4, 100, 16, 1e-6, 6)
check("nlinv along a trajectory", read("joint_image"), image, 1e-7)
check("maps of nlinv along a trajectory", read("joint_maps"), maps, 1e-7)
print("\n".join(failed))
sys.exit(bool(failed))
