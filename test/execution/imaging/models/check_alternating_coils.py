#!/usr/bin/env python3
"""Compares the outputs of alternating_coils.pm with NumPy: check_alternating_coils.py FOLDER [single]

k-space is the convolution of the modes of the image and of the coils here, as dense matrices, and a sum over cells along a trajectory.
"""
import itertools
import sys

import numpy as np

failed = []
SINGLE = len(sys.argv) > 2


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound):
    error = np.linalg.norm(found - truth) / np.linalg.norm(truth)
    bound = 2e-3 if SINGLE else bound
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


def cg(A, b, x, tolerance, iterations):
    """Solves by conjugate gradients (Hestenes & Stiefel 1952)."""
    r = b - A(x)
    p, rr = r, np.vdot(r, r).real
    enough = tolerance ** 2 * np.vdot(b, b).real
    for _ in range(iterations):
        if rr <= enough:
            break
        q = A(p)
        a = rr / np.vdot(p, q).real
        x, r = x + a * p, r - a * q
        rr, old = np.vdot(r, r).real, rr
        p = r + rr / old * p
    return x


def middle(n):
    return [m for m in range(-n, n) if -n <= 2 * m < n]


def maps_of(coefficients, modes, shape):
    """The coils on the grid of the image, from their modes, with Σ|c|² = 1."""
    cells = np.array(list(itertools.product(*[np.arange(n) - n // 2 for n in shape])))
    waves = np.exp(2j * np.pi * (cells / np.array(shape)) @ np.array(modes).T)
    c = (coefficients @ waves.T).reshape(len(coefficients), *shape)
    return c / np.sqrt(np.sum(abs(c) ** 2, axis=0))


def alternate(y, matrix_of_image, matrix_of_coil, image, count, steps, iterations, tolerance):
    """The modes of the coils. matrix_of_image(x) times the modes of a coil is y, and so is matrix_of_coil(a) times the image."""
    coils = np.zeros((len(y), count), complex)
    for _ in range(steps):
        A = matrix_of_image(image)
        normal = A.conj().T @ A
        coils = cg(lambda a, N=normal: a @ N.T, y @ A.conj(), coils, tolerance, iterations)
        B = [matrix_of_coil(a) for a in coils]
        normal = sum(b.conj().T @ b for b in B)
        image = cg(lambda x, N=normal: N @ x, sum(b.conj().T @ s for b, s in zip(B, y)), image, tolerance, iterations)
    return coils


def by_convolution(data, mask, kernel, width, steps, iterations, tolerance):
    inside = [m for m in itertools.product(middle(width), repeat=2) if mask[m] > 0.5]
    taps = list(itertools.product(middle(kernel), repeat=2))
    modes = sorted({(m[0] - l[0], m[1] - l[1]) for m in itertools.product(middle(width), repeat=2) for l in taps})
    place = {m: i for i, m in enumerate(modes)}
    index = np.array([[place[m[0] - l[0], m[1] - l[1]] for l in taps] for m in inside])

    def matrix_of_coil(a):
        B = np.zeros((len(inside), len(modes)), complex)
        np.put_along_axis(B, index, np.broadcast_to(a, index.shape), 1)
        return B

    image = np.zeros(len(modes), complex)
    image[place[0, 0]] = 1
    y = np.array([[coil[m] for m in inside] for coil in data])
    coils = alternate(y, lambda x: x[index], matrix_of_coil, image, len(taps), steps, iterations, tolerance)
    return maps_of(coils, taps, data.shape[1:])


data, mask = read("data"), read("mask")
check("coils from the middle", read("middle_coils"), by_convolution(data, mask, 3, 8, 3, 4, 0), 1e-8)
check("coils from scaled data", read("scaled_coils"), read("middle_coils"), 1e-9)
check("coils from more modes", read("wide_coils"), by_convolution(data, mask, 4, 14, 2, 6, 0.1), 1e-8)


def waves_of(places, shape):
    cells = np.array(list(itertools.product(*[np.arange(n) - n // 2 for n in shape])))
    return np.exp(-2j * np.pi * places @ (cells / np.array(shape)).T) / np.sqrt(np.prod(shape))


def along_a_trajectory(samples, places, kernel, width, steps, iterations, tolerance, shape):
    few = tuple(min(n, width + 2 * kernel) for n in shape)
    inside = np.all(2 * abs(places) < width, axis=1)
    taps = list(itertools.product(middle(kernel), repeat=2))
    F, G = waves_of(places[inside], few), waves_of(np.array(taps), few).conj().T
    coils = alternate(samples[:, inside], lambda x: F @ (x[:, None] * G), lambda a: F * (G @ a), np.ones(np.prod(few), complex), len(taps), steps,
                      iterations, tolerance)
    return maps_of(coils, taps, shape), inside


places = read("places").reshape(-1, 2)
maps, inside = along_a_trajectory(read("samples").reshape(3, -1), places, 2, 8, 2, 3, 0.01, data.shape[1:])
assert 0 < np.count_nonzero(inside) < len(inside)
check("coils along a trajectory", read("sampled_coils"), maps, 1e-7)


def nlinv(samples, F, shape, steps, alpha, iterations):
    """NLINV (Uecker et al. 2010) with the stiffness 220 (N/256)^2, the power 32, and the penalty |image - 2^(-n/2)|^2 of the image in step n.
    The unknown is an array of the image and the coefficients of the coils."""
    scale = 100 / np.linalg.norm(samples)
    k2 = sum(np.meshgrid(*[np.fft.fftfreq(n) ** 2 for n in shape], indexing="ij"))
    axes = tuple(range(1, 1 + len(shape)))
    smooth = lambda a: np.fft.ifftn((1 + 220 * (max(shape) / 256) ** 2 * k2) ** -16 * np.fft.fftn(a.reshape(-1, *shape), axes=axes), axes=axes).reshape(len(a), -1)
    start = np.zeros((1 + len(samples), F.shape[1]), complex)
    start[0] = 1
    x, reference = start, 1.0
    for _ in range(steps):
        rho, c = x[0], smooth(x[1:])

        def adjoint(r, c=c, rho=rho):
            f = r @ F.conj()
            return np.concatenate([[np.sum(c.conj() * f, axis=0)], smooth(rho.conj() * f)])

        forward = lambda d, c=c, rho=rho: (d[0] * c + rho * smooth(d[1:])) @ F.T
        right = adjoint(scale * samples - (rho * c) @ F.T) + alpha * (reference * start - x)
        x = x + cg(lambda d, a=alpha, f=forward, b=adjoint: b(f(d)) + a * d, right, 0 * right, 1e-12, iterations)
        alpha, reference = 0.5 * alpha, np.sqrt(0.5) * reference
    c = smooth(x[1:])
    size = np.sqrt(np.sum(abs(c) ** 2, axis=0))
    return (x[0] * size / scale).reshape(shape), (c / size).reshape(-1, *shape)


image, maps = nlinv(read("cube_samples").reshape(3, -1), waves_of(read("cube_places").reshape(-1, 3), (6, 5, 4)), (6, 5, 4), 3, 0.7, 5)
check("nlinv along a trajectory in three dimensions", read("cube_image"), image, 1e-7)
check("maps of nlinv along a trajectory in three dimensions", read("cube_maps"), maps, 1e-7)
print("\n".join(failed))
sys.exit(bool(failed))
