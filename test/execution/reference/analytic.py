#!/usr/bin/env python3
"""Closed forms and quadratures that simulation outputs are checked against.

Growth (EdS, flat wCDM, curved Lambda), the Zel'dovich plane wave, the 2LPT
crossed waves, sigma8 of a table, the cosmic variance of P(k), and the
Eisenstein & Hu (1998) transfer functions. Nothing here is shared with
replay.py. `analytic.py --selftest` checks the functions against one another
and against published numbers.

Units: k in h/Mpc, P in (Mpc/h)^3, lengths in Mpc/h unless stated.
"""
import sys

import numpy as np
from scipy.integrate import quad, simpson
from scipy.optimize import brentq
from scipy.special import hyp2f1

# ---------------------------------------------------------------- growth


def growth_eds(a):
    """(D1, D2 normalized to 1, f1, f2) in Einstein-de Sitter."""
    a = np.asarray(a, dtype=np.float64)
    return a, a * a, np.ones_like(a), 2.0 * np.ones_like(a)


def growth_flat(a, omega_m, w=-1.0):
    """(D1, f1) of flat wCDM, D1(1) = 1.

    D ~ a F(-1/(3w), (w-1)/(2w); 1-5/(6w); z), z = -a^(-3w) (1-Om)/Om
    (Silveira & Waga 1994; for w = -1, F(1/3, 1; 11/6; z)).
    """
    a = np.asarray(a, dtype=np.float64)
    p, q, r = -1.0 / (3.0 * w), (w - 1.0) / (2.0 * w), 1.0 - 5.0 / (6.0 * w)

    def argument(x):
        return -x ** (-3.0 * w) * (1.0 - omega_m) / omega_m

    z = argument(a)
    series = hyp2f1(p, q, r, z)
    f = 1.0 - 3.0 * w * z * (p * q / r) * hyp2f1(p + 1, q + 1, r + 1, z) / series
    return a * series / hyp2f1(p, q, r, argument(1.0)), f


def growth_curved(a, omega_m, omega_k):
    """D1 with curvature and Lambda, D1(1) = 1: D ~ E int_0^a dx/(xE)^3.

    (Heath 1977; holds for Lambda and curvature only.)
    """
    def e2(x):
        return (omega_m * x ** -3 + omega_k * x ** -2
                + 1.0 - omega_m - omega_k)

    def unnormalized(x):
        # with t = sqrt(y): dy/(y E)^3 = 2 t^4 dt / (t^6 E^2)^(3/2)
        value = quad(lambda t: 2.0 * t ** 4
                     / (omega_m + omega_k * t ** 2
                        + (1.0 - omega_m - omega_k) * t ** 6) ** 1.5,
                     0.0, np.sqrt(x), epsabs=0.0, epsrel=1e-13)[0]
        return np.sqrt(e2(x)) * value

    one = unnormalized(1.0)
    return np.array([unnormalized(x) / one for x in np.atleast_1d(a)])


# ---------------------------------------------------------------- exact solutions

def plane_wave_delta(n, box, amplitude, mode=1, axis=0):
    """delta_lin = A cos(K q) on the n^3 nodes, K = 2 pi mode/box."""
    wave = amplitude * np.cos(2.0 * np.pi * mode * np.arange(n) / n)
    shape = [1, 1, 1]
    shape[axis] = n
    return np.broadcast_to(wave.reshape(shape), (n, n, n)).copy()


def plane_wave_state(q, box, amplitude, d1, f1, a, e, mode=1):
    """Zel'dovich plane wave at growth d1 (exact while d1*amplitude < 1).

    q: Lagrangian coordinate along the wave. Returns x (not wrapped) and the
    peculiar velocity [km/s]:
    x = q - (D A/K) sin(K q),  v = -100 a E f (D A/K) sin(K q).
    """
    kf = 2.0 * np.pi * mode / box
    shift = -d1 * amplitude / kf * np.sin(kf * q)
    return q + shift, 100.0 * a * e * f1 * shift


def plane_wave_density(x, box, amplitude, d1, mode=1):
    """Eulerian overdensity of the plane wave: 1/(1 - D A cos K q(x)) - 1."""
    kf = 2.0 * np.pi * mode / box
    b = d1 * amplitude
    if not abs(b) < 1.0:
        raise ValueError("shell crossing: |D A| >= 1")

    def solve(target):
        return brentq(lambda q: q - b / kf * np.sin(kf * q) - target,
                      target - 1.01 * abs(b) / kf - 1e-12,
                      target + 1.01 * abs(b) / kf + 1e-12, xtol=1e-13)

    q = np.array([solve(t) for t in np.atleast_1d(x)])
    return 1.0 / (1.0 - b * np.cos(kf * q)) - 1.0


def crossed_waves(n, box, amplitude):
    """2LPT of delta = A (cos Kx + cos Ky), K = 2 pi/box, exact kernels.

    S = A^2 cos Kx cos Ky. Returns delta (n,n,n) and psi1, psi2 (n^3,3):
    psi1 = -(A/K) (sin Kx, sin Ky, 0)
    psi2 = -(3/14)(A^2/K) (sin Kx cos Ky, cos Kx sin Ky, 0)
    """
    kf = 2.0 * np.pi / box
    axis = kf * np.arange(n) * box / n
    x, y, _ = np.meshgrid(axis, axis, axis, indexing="ij")
    zero = np.zeros_like(x)
    psi1 = -amplitude / kf * np.stack([np.sin(x), np.sin(y), zero], -1)
    psi2 = -3.0 / 14.0 * amplitude ** 2 / kf * np.stack(
        [np.sin(x) * np.cos(y), np.cos(x) * np.sin(y), zero], -1)
    return (amplitude * (np.cos(x) + np.cos(y)), psi1.reshape(-1, 3),
            psi2.reshape(-1, 3))


# ---------------------------------------------------------------- spectra

def interpolate_power(k_table, p_table):
    """P(k) interpolating ln P linearly in ln k; zero outside the table and at 0."""
    lk, lp = np.log(k_table), np.log(p_table)

    def power(k):
        k = np.asarray(k, dtype=np.float64)
        inside = (k >= k_table[0]) & (k <= k_table[-1])
        safe = np.where(inside, k, k_table[0])
        return np.where(inside, np.exp(np.interp(np.log(safe), lk, lp)), 0.0)

    return power


def sigma_r(k, p, radius=8.0, points=20001):
    """rms overdensity in a top-hat sphere from a table of P(k).

    sigma^2 = int dln k k^3 P/(2 pi^2) W(kR)^2, W(y) = 3 (sin y - y cos y)/y^3,
    ln P interpolated linearly in ln k, Simpson on `points` nodes, up to
    kR = 300 at most (W^2 < 1e-9 there).
    """
    top = min(k[-1], 300.0 / radius)
    lnk = np.linspace(np.log(k[0]), np.log(top), points)
    kk = np.exp(lnk)
    power = np.exp(np.interp(lnk, np.log(k), np.log(p)))
    y = kk * radius
    series = 1.0 - y * y / 10.0
    with np.errstate(divide="ignore", invalid="ignore"):
        window = np.where(y > 1e-2, 3.0 * (np.sin(y) - y * np.cos(y)) / y ** 3,
                          series)
    return np.sqrt(simpson(kk ** 3 * power / (2 * np.pi ** 2) * window ** 2,
                           x=lnk))


def shell_modes(n, box):
    """Every mode of the full sphere below Nyquist: (shell, |k|) arrays.

    Straight from the n^3 list of integer vectors; shell m holds
    m^2 <= |m_vec|^2 < (m+1)^2, 1 <= m < n//2.
    """
    m = np.arange(n) - n // 2
    m2 = (m[:, None, None] ** 2 + m[None, :, None] ** 2
          + m[None, None, :] ** 2).ravel()
    m2 = m2[(m2 > 0) & (m2 < (n // 2) ** 2)]
    shell = np.array([int(s) for s in np.sqrt(m2)])
    shell = np.where(shell * shell > m2, shell - 1, shell)
    shell = np.where((shell + 1) ** 2 <= m2, shell + 1, shell)
    return shell, 2.0 * np.pi / box * np.sqrt(m2)


def expected_power(n, box, power):
    """Expected spectrum of a Gaussian field, shells 0..n//2-1.

    Returns (n//2, 4): mean k, mean P, its standard deviation from cosmic
    variance, modes. The field is real, so modes come in pairs:
    var = 2 sum P^2/modes^2, i.e. 2 P^2/modes for a flat P.
    """
    shell, k = shell_modes(n, box)
    p = power(k)
    modes = np.bincount(shell, minlength=n // 2).astype(np.float64)
    safe = np.maximum(modes, 1.0)

    def total(v):
        return np.bincount(shell, weights=v, minlength=n // 2)

    return np.stack([total(k) / safe, total(p) / safe,
                     np.sqrt(2.0 * total(p * p)) / safe, modes], axis=-1)


def gaussian_field(n, box, power, seed):
    """A Gaussian field (n,n,n) of spectrum power(k): w_k sqrt(N^3 P/L^3).

    w is unit white noise of numpy's frozen legacy generator, in C order; the
    mean is zero.
    """
    noise = np.random.RandomState(seed).standard_normal((n, n, n))
    m = np.fft.fftfreq(n) * n
    k = 2.0 * np.pi / box * np.sqrt(
        m[:, None, None] ** 2 + m[None, :, None] ** 2 + m[None, None, :] ** 2)
    p = np.where(k > 0, power(np.where(k > 0, k, 1.0)), 0.0)
    return np.fft.ifftn(np.fft.fftn(noise) * np.sqrt(n ** 3 * p / box ** 3)).real


# ---------------------------------------------------------------- Eisenstein-Hu

def _eh_scales(omega_m, omega_b, h, t_cmb):
    """EH98 eqs 2-7: (w0, wb, theta, z_eq, k_eq, z_d, R_d, s, k_silk); Mpc, 1/Mpc."""
    w0, wb, theta = omega_m * h * h, omega_b * h * h, t_cmb / 2.7
    z_eq = 2.5e4 * w0 * theta ** -4
    k_eq = 7.46e-2 * w0 * theta ** -2
    b1 = 0.313 * w0 ** -0.419 * (1.0 + 0.607 * w0 ** 0.674)
    b2 = 0.238 * w0 ** 0.223
    z_d = (1291.0 * w0 ** 0.251 / (1.0 + 0.659 * w0 ** 0.828)
           * (1.0 + b1 * wb ** b2))
    r_d, r_eq = (31.5 * wb * theta ** -4 * 1e3 / z for z in (z_d, z_eq))
    s = (2.0 / (3.0 * k_eq) * np.sqrt(6.0 / r_eq)
         * np.log((np.sqrt(1.0 + r_d) + np.sqrt(r_d + r_eq))
                  / (1.0 + np.sqrt(r_eq))))
    k_silk = (1.6 * wb ** 0.52 * w0 ** 0.73
              * (1.0 + (10.4 * w0) ** -0.95))
    return w0, wb, theta, z_eq, k_eq, z_d, r_d, s, k_silk


def _eh_t0(q, alpha, beta):
    """EH98 eqs 19-20."""
    c = 14.2 / alpha + 386.0 / (1.0 + 69.9 * q ** 1.08)
    log = np.log(np.e + 1.8 * beta * q)
    return log / (log + c * q * q)


def transfer_eh(k, omega_m, omega_b, h, t_cmb=2.7255):
    """EH98 transfer function with baryon wiggles (eqs 16-24); k in h/Mpc."""
    w0, _, _, z_eq, k_eq, z_d, r_d, s, k_silk = _eh_scales(omega_m, omega_b, h,
                                                          t_cmb)
    k = np.asarray(k, dtype=np.float64) * h
    fb = omega_b / omega_m
    fc = 1.0 - fb
    q = k / (13.41 * k_eq)
    ks = k * s

    a1 = (46.9 * w0) ** 0.670 * (1.0 + (32.1 * w0) ** -0.532)
    a2 = (12.0 * w0) ** 0.424 * (1.0 + (45.0 * w0) ** -0.582)
    alpha_c = a1 ** -fb * a2 ** -(fb ** 3)
    b1 = 0.944 / (1.0 + (458.0 * w0) ** -0.708)
    b2 = (0.395 * w0) ** -0.0266
    beta_c = 1.0 / (1.0 + b1 * (fc ** b2 - 1.0))
    f = 1.0 / (1.0 + (ks / 5.4) ** 4)
    cdm = f * _eh_t0(q, 1.0, beta_c) + (1.0 - f) * _eh_t0(q, alpha_c, beta_c)

    y = (1.0 + z_eq) / (1.0 + z_d)
    root = np.sqrt(1.0 + y)
    g = y * (-6.0 * root + (2.0 + 3.0 * y) * np.log((root + 1.0) / (root - 1.0)))
    alpha_b = 2.07 * k_eq * s * (1.0 + r_d) ** -0.75 * g
    beta_b = 0.5 + fb + (3.0 - 2.0 * fb) * np.sqrt((17.2 * w0) ** 2 + 1.0)
    beta_node = 8.41 * w0 ** 0.435
    s_tilde = s / np.cbrt(1.0 + (beta_node / ks) ** 3)
    baryon = ((_eh_t0(q, 1.0, 1.0) / (1.0 + (ks / 5.2) ** 2)
               + alpha_b / (1.0 + (beta_b / ks) ** 3)
               * np.exp(-(k / k_silk) ** 1.4))
              * np.sinc(k * s_tilde / np.pi))
    return fb * baryon + fc * cdm


def transfer_eh_nowiggle(k, omega_m, omega_b, h, t_cmb=2.7255):
    """EH98 smooth transfer function (eqs 26, 28-31); k in h/Mpc."""
    w0, wb, theta = omega_m * h * h, omega_b * h * h, t_cmb / 2.7
    fb = omega_b / omega_m
    k = np.asarray(k, dtype=np.float64)
    s = 44.5 * np.log(9.83 / w0) / np.sqrt(1.0 + 10.0 * wb ** 0.75)
    alpha = (1.0 - 0.328 * np.log(431.0 * w0) * fb
             + 0.38 * np.log(22.3 * w0) * fb * fb)
    gamma = omega_m * h * (alpha + (1.0 - alpha)
                           / (1.0 + (0.43 * k * h * s) ** 4))
    q = k * theta ** 2 / gamma
    log = np.log(2.0 * np.e + 1.8 * q)
    return log / (log + (14.2 + 731.0 / (1.0 + 62.5 * q)) * q * q)


def linear_power(omega_m=0.3075, omega_b=0.0486, h=0.6774, n_s=0.9667,
                 sigma8=0.8159, wiggles=True):
    """P(k) = A k^n_s T^2 with A from sigma8, as a function of k [h/Mpc]."""
    transfer = transfer_eh if wiggles else transfer_eh_nowiggle

    def shape(k):
        return k ** n_s * transfer(k, omega_m, omega_b, h) ** 2

    k = np.geomspace(1e-5, 40.0, 4001)
    amplitude = (sigma8 / sigma_r(k, shape(k))) ** 2
    return lambda k: amplitude * shape(np.asarray(k, dtype=np.float64))


# ---------------------------------------------------------------- self-check

def _close(a, b, tolerance):
    return bool(np.max(np.abs(np.asarray(a) / np.asarray(b) - 1.0)) <= tolerance)


def _check_growth():
    a = np.array([1e-3, 0.1, 0.5, 1.0])
    d, f = growth_flat(a, 0.3075)
    yield "growth: LCDM D1(0.1), f1(0.1)", (_close(d[1], 0.12758881, 5e-8)
                                            and _close(f[1], 0.99877372, 1e-8))
    yield "growth: hypergeometric = Heath integral", _close(
        d, growth_curved(a, 0.3075, 0.0), 1e-11)
    yield "growth: Om -> 1 is EdS", _close(
        growth_flat(a, 1.0 - 1e-13)[0], growth_eds(a)[0], 1e-12)
    step = 1e-5
    for w in (-0.9, -1.0):
        up, down = (growth_flat(a * np.exp(s), 0.3, w)[0] for s in (step, -step))
        yield "growth: f = dlnD/dlna, w = %g" % w, _close(
            np.log(up / down) / (2 * step), growth_flat(a, 0.3, w)[1], 1e-8)


def _check_plane_wave():
    box, amplitude, d1 = 100.0, 0.8, 0.9
    q = np.linspace(0.0, box, 4001)
    x, _ = plane_wave_state(q, box, amplitude, d1, 1.0, 1.0, 1.0)
    numeric = 1.0 / np.gradient(x, q, edge_order=2) - 1.0
    exact = plane_wave_density(x, box, amplitude, d1)
    yield "plane wave: density = dq/dx - 1", bool(
        np.max(np.abs(numeric - exact)) < 1e-4)
    xs = (np.arange(512) + 0.5) * box / 512
    yield "plane wave: mass is conserved", bool(
        abs(np.mean(plane_wave_density(xs, box, amplitude, d1))) < 1e-10)


def _check_spectra():
    k = np.geomspace(1e-4, 1e4, 30001)
    # P = 2 pi^2 k^-1 gives sigma^2 = 9/(4 R^2), from
    # int_0^inf 3^2 (sin y - y cos y)^2 y^-5 dy = 9/4.
    table = sigma_r(k, 2 * np.pi ** 2 / k, radius=8.0)
    yield "sigma_r: power law", _close(table, 1.5 / 8.0, 1e-4)
    p = linear_power()(k[k < 40])
    yield "sigma_r: linear_power has its sigma8", _close(
        sigma_r(k[k < 40], p), 0.8159, 1e-6)
    shell, kk = shell_modes(8, 2 * np.pi)
    # |m|^2 = 1,2,3: 6+12+8;  4,5,6,8: 6+24+24+12;  9..14: 30+24+24+8+24+48
    yield "modes of shells 1..3", list(np.bincount(shell)) == [0, 26, 66, 158]
    yield "mean k of shell 1", _close(
        kk[shell == 1].mean(), (6 + 12 * 2 ** .5 + 8 * 3 ** .5) / 26, 1e-14)
    yield from _check_variance()


def _check_variance():
    """The scatter of many realizations against expected_power."""
    n, box = 12, 100.0
    power = linear_power(wiggles=False)
    expected = expected_power(n, box, power)
    m = np.rint(np.fft.fftfreq(n) * n)
    m2 = (m[:, None, None] ** 2 + m[None, :, None] ** 2 + m[None, None, :] ** 2)
    shells = [np.nonzero((m2 >= s * s) & (m2 < (s + 1) ** 2))
              for s in range(1, n // 2)]
    sample = []
    for seed in range(400):
        mode = np.abs(np.fft.fftn(gaussian_field(n, box, power, seed))
                      / n ** 3) ** 2
        sample.append([box ** 3 * mode[s].mean() for s in shells])
    sample = np.array(sample)
    error = expected[1:, 2] / np.sqrt(len(sample))
    yield "gaussian field: mean P within 4 sigma", bool(
        np.all(np.abs(sample.mean(0) - expected[1:, 1]) < 4 * error))
    yield "gaussian field: variance of P within 20 %", _close(
        sample.std(0), expected[1:, 2], 0.2)


def _check_transfer():
    # h 0.7, Om 0.3, Ob 0.05, 2.725 K: numbers computed with Colossus 1.4.
    k = np.array([1e-3, 0.01, 0.05, 0.1, 0.2, 1.0, 10.0])
    public = [0.9922582651, 0.7799501832, 0.2677799842, 0.1286604377,
              0.05413086314, 0.004590609166, 8.782524462e-05]
    yield "Eisenstein-Hu: Colossus", _close(
        transfer_eh(k, 0.3, 0.05, 0.7, 2.725), public, 1e-8)
    for f in (transfer_eh, transfer_eh_nowiggle):
        yield f.__name__ + ": T -> 1", bool(
            abs(f(1e-6, 0.3075, 0.0486, 0.6774) - 1.0) < 1e-4)
    kk = np.geomspace(1e-3, 10.0, 400)
    ratio = (transfer_eh(kk, 0.3075, 0.0486, 0.6774)
             / transfer_eh_nowiggle(kk, 0.3075, 0.0486, 0.6774))
    yield "Eisenstein-Hu: wiggles within 6 % of smooth", bool(
        np.all(np.abs(ratio - 1.0) < 0.06))
    small = transfer_eh(kk, 0.3, 1e-5, 0.7) / transfer_eh_nowiggle(
        kk, 0.3, 1e-5, 0.7)
    yield "Eisenstein-Hu: both forms agree without baryons", bool(
        np.all(np.abs(small - 1.0) < 0.03))


def checks():
    """Yields (name, ok) for every self-check."""
    for group in (_check_growth, _check_plane_wave, _check_spectra,
                  _check_transfer):
        yield from group()


def main(argv):
    """`--selftest` prints ok / not ok lines."""
    if argv != ["--selftest"]:
        print(__doc__)
        return 1
    failed = 0
    for name, ok in checks():
        print(("ok " if ok else "not ok ") + name)
        failed += not ok
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
