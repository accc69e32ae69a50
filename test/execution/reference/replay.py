#!/usr/bin/env python3
"""Independent float64 NumPy replay of a particle-mesh N-body run.

The conventions are FastPM's (Feng et al. 2016): growth from its ODE, 1LPT/2LPT
initial conditions, kick-drift-kick cycles with FastPM's kick and drift factors,
CIC painting, a spectral Poisson solve on a mesh of boost*n nodes a side.

It shares no code with the compiler or its standard library; it exists to check
them. Everything is computed in float64, one thread.

Units: comoving Mpc/h; E = H/H0; momentum p = a^2 dx/d(H0 t) [Mpc/h]; peculiar
velocity 100 p/a [km/s]. Fourier: delta_k = N^-3 sum delta(x) exp(-ikx),
P(k) = L^3 <|delta_k|^2>. Node (i,j,k) is at (i,j,k) L/N.
"""
import argparse
import json
import os
import sys
from collections import namedtuple

import numpy as np
from scipy import fft as sfft
from scipy.integrate import solve_ivp

# ---------------------------------------------------------------- background

Cosmology = namedtuple("Cosmology", "omega_m omega_k w0 wa",
                       defaults=(0.3075, 0.0, -1.0, 0.0))
Cosmology.__doc__ = """Matter, curvature and w0-wa dark energy; no radiation.

Omega_de = 1 - omega_m - omega_k;  w(a) = w0 + wa (1 - a)."""


def dark_energy(cosmo, a):
    """Omega_de(a=1) * rho_de(a)/rho_de(1), dimensionless."""
    omega_de = 1.0 - cosmo.omega_m - cosmo.omega_k
    return (omega_de * a ** (-3.0 * (1.0 + cosmo.w0 + cosmo.wa))
            * np.exp(-3.0 * cosmo.wa * (1.0 - a)))


def efunc(cosmo, a):
    """E(a) = H(a)/H0."""
    return np.sqrt(cosmo.omega_m * a ** -3.0 + cosmo.omega_k * a ** -2.0
                   + dark_energy(cosmo, a))


def dlnE_dlna(cosmo, a):
    """E'/E with ' = d/dln a; the dark-energy term includes dw/da."""
    w = cosmo.w0 + cosmo.wa * (1.0 - a)
    num = (-3.0 * cosmo.omega_m * a ** -3.0 - 2.0 * cosmo.omega_k * a ** -2.0
           - 3.0 * (1.0 + w) * dark_energy(cosmo, a))
    return 0.5 * num / efunc(cosmo, a) ** 2


def omega_m_a(cosmo, a):
    """Omega_m(a) = Omega_m a^-3 / E^2."""
    return cosmo.omega_m * a ** -3.0 / efunc(cosmo, a) ** 2


# ---------------------------------------------------------------- growth

class Growth:
    """First- and second-order growth from the ODE, to about 1e-12.

    D1'' + (2+E'/E) D1' = 1.5 Om(a) D1
    D2'' + (2+E'/E) D2' = 1.5 Om(a) (D2 - D1^2)          (' = d/dln a)

    started from (D1, D1', D2, D2') = (a, a, -3a^2/7, -6a^2/7). The integration
    variables are g = D1/a and u = D2/a^2, which stay of order one:

    g'' + (4+q) g' + (3 + q - 1.5 Om) g = 0
    u'' + (6+q) u' + (8 + 2q - 1.5 Om) u = -1.5 Om g^2,   q = E'/E.

    D1 is normalized to 1 at a = 1. `d2_norm`: "fastpm" divides D2 by its value
    at a = 1 (D2(1) = 1); "true" gives the coefficient of psi2 without that
    approximation, -(7/3) D2/D1(1)^2, i.e. D2/D1(1)^2 in units of the -3/7 that
    psi2 carries (0.8 % larger for Omega_m = 0.3).
    """

    A_INITIAL = 1e-8

    def __init__(self, cosmo, d2_norm="fastpm", a_max=1.0):
        if d2_norm not in ("fastpm", "true"):
            raise ValueError("d2_norm must be 'fastpm' or 'true'")
        self.cosmo = cosmo
        start = np.log(self.A_INITIAL)
        self._solution = solve_ivp(
            self._rhs, (start, np.log(max(1.0, a_max)) + 1e-12),
            [1.0, 0.0, -3.0 / 7.0, 0.0], method="DOP853",
            rtol=5e-14, atol=1e-15,
            first_step=0.05, max_step=0.2, dense_output=True)
        if not self._solution.success:
            raise RuntimeError(self._solution.message)
        one = self._raw(1.0)
        self._norm1 = one[0]
        self._norm2 = one[2] if d2_norm == "fastpm" else -3.0 / 7.0 * one[0] ** 2

    def _rhs(self, lna, y):
        a = np.exp(lna)
        q, source = dlnE_dlna(self.cosmo, a), 1.5 * omega_m_a(self.cosmo, a)
        g, dg, u, du = y
        return [dg, -(4.0 + q) * dg - (3.0 + q - source) * g,
                du, -(6.0 + q) * du - (8.0 + 2.0 * q - source) * u
                - source * g * g]

    def _raw(self, a):
        """Unnormalised (D1, D1', D2, D2') at a (scalar or array)."""
        a = np.asarray(a, dtype=np.float64)
        g, dg, u, du = self._solution.sol(np.log(a))
        return a * g, a * (dg + g), a * a * u, a * a * (du + 2.0 * u)

    def D1(self, a):
        """Linear growth, D1(1) = 1."""
        return self._raw(a)[0] / self._norm1

    def D2(self, a):
        """Second-order growth, positive; normalization as `d2_norm` says."""
        return self._raw(a)[2] / self._norm2

    def f1(self, a):
        """dln D1/dln a."""
        raw = self._raw(a)
        return raw[1] / raw[0]

    def f2(self, a):
        """dln D2/dln a."""
        raw = self._raw(a)
        return raw[3] / raw[2]

    def dD1_da(self, a):
        """dD1/da."""
        return self._raw(a)[1] / self._norm1 / a

    def Gf(self, a):
        """FastPM's G_f = a^3 E dD1/da."""
        return a ** 3 * efunc(self.cosmo, a) * self.dD1_da(a)

    def gf(self, a):
        """FastPM's g_f = dG_f/da, with D1'' taken from the ODE."""
        raw = self._raw(a)
        d1, dp = raw[0] / self._norm1, raw[1] / self._norm1
        q = dlnE_dlna(self.cosmo, a)
        dpp = 1.5 * omega_m_a(self.cosmo, a) * d1 - (2.0 + q) * dp
        return a * efunc(self.cosmo, a) * ((2.0 + q) * dp + dpp)


# ---------------------------------------------------------------- factors

def kick_factor(growth, a_i, a_r, a_f):
    """dp = g * kick_factor: -1.5 Om(a_r) a_r E(a_r) [Gf(a_f)-Gf(a_i)]/gf(a_r)."""
    cosmo = growth.cosmo
    return (-1.5 * omega_m_a(cosmo, a_r) * a_r * efunc(cosmo, a_r)
            * (growth.Gf(a_f) - growth.Gf(a_i)) / growth.gf(a_r))


def drift_factor(growth, a_i, a_r, a_f):
    """dx = p * drift_factor: [D1(a_f)-D1(a_i)]/(a_r^3 E(a_r) dD1/da(a_r))."""
    return ((growth.D1(a_f) - growth.D1(a_i))
            / (a_r ** 3 * efunc(growth.cosmo, a_r) * growth.dD1_da(a_r)))


def schedule(a_start, a_end, steps):
    """List of (a_i, a_h, a_f), a equally spaced, a_h = sqrt(a_i a_f)."""
    a = np.linspace(a_start, a_end, steps + 1)
    return [(a[i], np.sqrt(a[i] * a[i + 1]), a[i + 1]) for i in range(steps)]


def write_factors(path, growth, a_start, a_end, steps):
    """Background (B), kick (K) and drift (D) rows, 17 digits.

    B: a E D1 D2 f1 f2;   K, D: a_i a_r a_f factor.
    A cycle's drift is written as its two halves, both with a_r = a_h.
    """
    cycles = schedule(a_start, a_end, steps)
    times = [a_start] + [a for c in cycles for a in c[1:]]
    with open(path, "w", encoding="ascii") as out:
        out.write("# B: a E D1 D2 f1 f2   K, D: a_i a_r a_f factor\n")
        def row(tag, *values):
            out.write(tag + "".join(" %.17g" % v for v in values) + "\n")
        for a in times:
            row("B", a, efunc(growth.cosmo, a), growth.D1(a), growth.D2(a),
                growth.f1(a), growth.f2(a))
        for i, h, f in cycles:
            row("K", i, i, h, kick_factor(growth, i, i, h))
            row("D", i, h, h, drift_factor(growth, i, h, h))
            row("D", h, h, f, drift_factor(growth, h, h, f))
            row("K", h, f, f, kick_factor(growth, h, f, f))


# ---------------------------------------------------------------- Fourier space

def forward(field):
    """delta_k = N^-3 sum delta exp(-ikx); (N,N,N) -> (N,N,N//2+1)."""
    return sfft.rfftn(field, norm="forward", workers=1)


def backward(field_k, n):
    """delta(x) = sum delta_k exp(+ikx); inverse of `forward`."""
    return sfft.irfftn(field_k, s=(n, n, n), norm="forward", workers=1)


def integer_modes(n):
    """Integer wave numbers (mx, my, mz), broadcastable to (n,n,n//2+1)."""
    m = np.rint(np.fft.fftfreq(n) * n)
    mz = np.arange(n // 2 + 1, dtype=np.float64)
    return m[:, None, None], m[None, :, None], mz[None, None, :]


def gradient_kernel(n, box, kernel):
    """[k~_x, k~_y, k~_z] in h/Mpc for the gradient i k~.

    fd4:   k~ = (8 sin(kh) - sin(2kh))/(6h), h = box/n
    exact: k~ = k, Nyquist set to zero
    """
    h = box / n
    result = []
    for m in integer_modes(n):
        k = 2.0 * np.pi / box * m
        if kernel == "fd4":
            kt = (8.0 * np.sin(k * h) - np.sin(2.0 * k * h)) / (6.0 * h)
        elif kernel == "exact":
            kt = k
        else:
            raise ValueError("kernel must be 'fd4' or 'exact'")
        result.append(np.where(2 * np.abs(m) == n, 0.0, kt))
    return result


def inverse_laplacian(n, box, laplacian="exact"):
    """+1/k^2 in (Mpc/h)^2, zero at k = 0; "fd2": 1/sum (2 sin(kh/2)/h)^2."""
    h = box / n
    k2 = 0.0
    for m in integer_modes(n):
        k = 2.0 * np.pi / box * m
        k2 = k2 + (k ** 2 if laplacian == "exact"
                   else (2.0 * np.sin(0.5 * k * h) / h) ** 2)
    k2[0, 0, 0] = 1.0
    result = 1.0 / k2
    result[0, 0, 0] = 0.0
    return result


# ---------------------------------------------------------------- windows

def window_weights(x, n, box, window):
    """Per-axis nodes and weights of the particles.

    x: (np, 3) Mpc/h. Returns a list over the window's support of
    (node (np,3) int64 in [0,n), weight (np,3)).
    ngp: the nearest node; cic: floor(x/h) with (1-d, d); tsc: the nearest node
    c and its neighbors with 3/4 - d^2 and (1/2 -+ d)^2/2, d = x/h - c.
    """
    u = x * (n / box)
    if window == "ngp":
        base = np.floor(u + 0.5)
        parts = [(0, np.ones_like(u))]
    elif window == "cic":
        base = np.floor(u)
        d = u - base
        parts = [(0, 1.0 - d), (1, d)]
    elif window == "tsc":
        base = np.floor(u + 0.5)
        d = u - base
        parts = [(-1, 0.5 * (0.5 - d) ** 2), (0, 0.75 - d * d),
                 (1, 0.5 * (0.5 + d) ** 2)]
    else:
        raise ValueError("window must be 'ngp', 'cic' or 'tsc'")
    base = base.astype(np.int64)
    return [(np.mod(base + s, n), w) for s, w in parts]


def _corners(x, n, box, window):
    """Yields (flat node index (np,), weight (np,)) over the window's corners."""
    axis = window_weights(x, n, box, window)
    for ix, wx in axis:
        for iy, wy in axis:
            plane = (ix[:, 0] * n + iy[:, 1]) * n
            wxy = wx[:, 0] * wy[:, 1]
            for iz, wz in axis:
                yield plane + iz[:, 2], wxy * wz[:, 2]


def paint(x, n, box, window="cic"):
    """Overdensity on n^3 nodes: (painted mass)/mean - 1; x (np,3) -> (n,n,n)."""
    mesh = np.zeros(n ** 3)
    for index, weight in _corners(x, n, box, window):
        mesh += np.bincount(index, weights=weight, minlength=n ** 3)
    return (mesh * (n ** 3 / len(x)) - 1.0).reshape(n, n, n)


def readout(meshes, x, n, box, window="cic"):
    """Interpolates meshes (list of (n,n,n)) at x (np,3) -> (np, len(meshes))."""
    flat = [m.ravel() for m in meshes]
    result = np.zeros((len(x), len(flat)))
    for index, weight in _corners(x, n, box, window):
        for d, mesh in enumerate(flat):
            result[:, d] += weight * mesh[index]
    return result


# ---------------------------------------------------------------- dynamics

def lattice(n, box):
    """Lagrangian positions q = (i,j,k) box/n, (n^3,3), order (i n + j) n + k."""
    axis = np.arange(n) * (box / n)
    return np.stack(np.meshgrid(axis, axis, axis, indexing="ij"),
                    axis=-1).reshape(-1, 3)


def lpt_displacements(delta_lin, box, kernel="fd4", order=2, laplacian="exact"):
    """psi1 and psi2 [Mpc/h] at a = 1 from the linear overdensity (n,n,n).

    psi1_d = IFT[i k~_d k^-2 delta_k]
    phi_ab = IFT[(i k~_a)(i k~_b) k^-2 delta_k]
    S      = sum_{a<b} (phi_aa phi_bb - phi_ab^2)
    psi2_d = (3/7) IFT[i k~_d k^-2 S_k]
    Returns (n^3,3), (n^3,3); psi2 is zero when order is 1.
    """
    n = delta_lin.shape[0]
    kt = gradient_kernel(n, box, kernel)
    potential = inverse_laplacian(n, box, laplacian) * forward(
        np.asarray(delta_lin, dtype=np.float64))

    def gradient(pot):
        return np.stack([backward(1j * kt[d] * pot, n).ravel()
                         for d in range(3)], axis=-1)

    psi1 = gradient(potential)
    if order == 1:
        return psi1, np.zeros_like(psi1)
    phi = {(a, b): backward(-kt[a] * kt[b] * potential, n)
           for a in range(3) for b in range(a, 3)}
    source = sum(phi[a, a] * phi[b, b] - phi[a, b] ** 2
                 for a in range(3) for b in range(a + 1, 3))
    psi2 = gradient(inverse_laplacian(n, box, laplacian) * forward(source))
    return psi1, 3.0 / 7.0 * psi2


def lpt_state(delta_lin, box, growth, a, kernel="fd4", order=2,
              laplacian="exact"):
    """Positions (not wrapped) and momenta at a, both (n^3,3) [Mpc/h].

    x = q + D1 psi1 + D2 psi2;  p = a^2 E (f1 D1 psi1 + f2 D2 psi2).
    """
    psi1, psi2 = lpt_displacements(delta_lin, box, kernel, order, laplacian)
    first, second = growth.D1(a) * psi1, growth.D2(a) * psi2
    x = lattice(delta_lin.shape[0], box) + first + second
    p = a ** 2 * efunc(growth.cosmo, a) * (growth.f1(a) * first
                                           + growth.f2(a) * second)
    return x, p


def force(x, n_mesh, box, kernel="fd4", laplacian="exact", window="cic"):
    """g_d = IFT[-i k~_d k^-2 delta_k] at the particles, (np,3) [Mpc/h]."""
    potential = inverse_laplacian(n_mesh, box, laplacian) * forward(
        paint(x, n_mesh, box, window))
    kt = gradient_kernel(n_mesh, box, kernel)
    meshes = [backward(-1j * kt[d] * potential, n_mesh) for d in range(3)]
    return readout(meshes, x, n_mesh, box, window)


def evolve(x, p, growth, a_start, a_end, steps, acceleration):
    """`steps` kick-drift-kick cycles; returns new x (not wrapped) and p.

    acceleration(x) gives g (np,3) at the particles: one call a cycle, plus the
    first.
    """
    g = acceleration(x)
    for a_i, a_h, a_f in schedule(a_start, a_end, steps):
        p = p + g * kick_factor(growth, a_i, a_i, a_h)
        x = x + p * drift_factor(growth, a_i, a_h, a_f)
        g = acceleration(x)
        p = p + g * kick_factor(growth, a_h, a_f, a_f)
    return x, p


# ---------------------------------------------------------------- measurement

def wrap(x, box):
    """Periodic wrap into [0, box)."""
    x = np.mod(x, box)
    x[x >= box] = 0.0
    return x


def power_spectrum(field, box):
    """Raw spectrum in integer shells: (n//2, 3) = mean k, P, modes.

    Shell m holds the modes of the full sphere with m <= |m_vec| < m+1, decided
    in integers from |m_vec|^2; row 0 is zero. k in h/Mpc, P in (Mpc/h)^3.
    """
    n = field.shape[0]
    mx, my, mz = (m.astype(np.int64) for m in integer_modes(n))
    m2 = mx * mx + my * my + mz * mz
    edges = np.arange(n // 2 + 1, dtype=np.int64) ** 2
    shell = np.searchsorted(edges, m2.ravel(), side="right") - 1
    # Each stored mode stands for itself and its conjugate, except on the planes
    # mz = 0 and (even n) mz = n/2, where both are stored.
    twice = (mz > 0) & (2 * mz != n)
    weight = np.broadcast_to(np.where(twice, 2.0, 1.0), m2.shape).ravel()
    keep = (shell >= 1) & (shell < n // 2)
    shell, weight = shell[keep], weight[keep]
    k = 2.0 * np.pi / box * np.sqrt(m2.ravel()[keep])
    p = box ** 3 * np.abs(forward(field).ravel()[keep]) ** 2

    def total(values):
        return np.bincount(shell, weights=weight * values, minlength=n // 2)

    modes = total(np.ones_like(k))
    safe = np.maximum(modes, 1.0)
    return np.stack([total(k) / safe, total(p) / safe, modes], axis=-1)


def simulate(delta_lin, box, cosmo=Cosmology(), boost=1, kernel="fd4",
             lpt_kernel="fd4", steps=10, a_start=0.1, a_end=1.0, lpt_order=2,
             d2_norm="fastpm", laplacian="exact", window="cic"):
    """The whole run. delta_lin (n,n,n): linear overdensity at a = 1.

    Returns a dict: position (n^3,3) Mpc/h in [0,box), velocity (n^3,3) km/s,
    density (n,n,n), power (n//2,3); all float64. steps = 0 stops after LPT at
    a_start. `window` is the force's; the density output is always CIC.
    """
    n = delta_lin.shape[0]
    growth = Growth(cosmo, d2_norm, a_end)
    x, p = lpt_state(delta_lin, box, growth, a_start, lpt_kernel, lpt_order,
                     laplacian)
    a = a_start
    if steps > 0:
        a = a_end
        n_mesh = int(round(boost * n))
        x, p = evolve(x, p, growth, a_start, a_end, steps,
                      lambda y: force(y, n_mesh, box, kernel, laplacian, window))
    density = paint(x, n, box, "cic")
    return {"position": wrap(x, box), "velocity": 100.0 * p / a,
            "density": density, "power": power_spectrum(density, box)}


# ---------------------------------------------------------------- command line

def parser():
    """The command line."""
    p = argparse.ArgumentParser(
        description="float64 NumPy replay of the N-body example")
    p.add_argument("--delta-lin", required=True, metavar="FILE.npy",
                   help="linear overdensity at a = 1, (n,n,n)")
    p.add_argument("--box", type=float, required=True, help="Mpc/h")
    p.add_argument("--n", type=int, help="particles a side (checked)")
    p.add_argument("--boost", type=float, default=1,
                   help="force mesh = boost*n nodes a side")
    p.add_argument("--kernel", choices=["fd4", "exact"], default="fd4",
                   help="gradient of the force")
    p.add_argument("--lpt-kernel", choices=["fd4", "exact"], default="fd4",
                   help="gradient of LPT")
    p.add_argument("--laplacian", choices=["exact", "fd2"], default="exact",
                   help="1/k^2, or 1/sum(2 sin(kh/2)/h)^2")
    p.add_argument("--window", choices=["ngp", "cic", "tsc"], default="cic",
                   help="the force's paint and readout")
    p.add_argument("--steps", type=int, default=10)
    p.add_argument("--a-start", type=float, default=0.1)
    p.add_argument("--a-end", type=float, default=1.0)
    p.add_argument("--omega-m", type=float, default=0.3075)
    p.add_argument("--omega-k", type=float, default=0.0)
    p.add_argument("--w0", type=float, default=-1.0)
    p.add_argument("--wa", type=float, default=0.0)
    p.add_argument("--lpt-order", type=int, choices=[1, 2], default=2)
    p.add_argument("--d2-norm", choices=["fastpm", "true"], default="fastpm")
    p.add_argument("--factors", action="store_true",
                   help="also write factors.txt (growth, kick, drift)")
    p.add_argument("--out", required=True, metavar="DIR")
    return p


def main(argv=None):
    """Runs and writes position, velocity, density, power .npy and replay.json."""
    args = parser().parse_args(argv)
    delta = np.load(args.delta_lin)
    if delta.ndim != 3 or len(set(delta.shape)) != 1:
        sys.exit("replay: delta_lin must be a cube, is %s" % (delta.shape,))
    if args.n is not None and args.n != delta.shape[0]:
        sys.exit("replay: --n %d, but delta_lin has %d nodes a side"
                 % (args.n, delta.shape[0]))
    if args.steps < 0 or not 0.0 < args.a_start < args.a_end:
        sys.exit("replay: needs steps >= 0 and 0 < a_start < a_end")
    cosmo = Cosmology(args.omega_m, args.omega_k, args.w0, args.wa)
    result = simulate(delta, args.box, cosmo, args.boost, args.kernel,
                      args.lpt_kernel, args.steps, args.a_start, args.a_end,
                      args.lpt_order, args.d2_norm, args.laplacian, args.window)
    os.makedirs(args.out, exist_ok=True)
    for name, array in result.items():
        np.save(os.path.join(args.out, name + ".npy"), array)
    if args.factors:
        growth = Growth(cosmo, args.d2_norm, args.a_end)
        write_factors(os.path.join(args.out, "factors.txt"), growth,
                      args.a_start, args.a_end, args.steps)
    record = dict(vars(args), n=delta.shape[0])
    del record["out"], record["delta_lin"]
    with open(os.path.join(args.out, "replay.json"), "w",
              encoding="ascii") as out:
        json.dump(record, out, indent=1, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main()
