#!/usr/bin/env python3
"""Checks the replay, the comparison and the case maker.

Against closed forms (analytic.py) at small sizes, and against FastPM's output
where that folder exists: $PMC_REFERENCE, by default ../shared/reference beside
the repository. Prints `ok NAME` / `not ok NAME (figure)` and, last,
`N passed, N failed`; exits 1 if a check fails.
"""
import contextlib
import io
import os
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import jv

import analytic
import compare
import make_case
import replay

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
REFERENCE = os.environ.get("PMC_REFERENCE") or os.path.join(
    os.path.dirname(REPOSITORY), "shared", "reference")

EDS = replay.Cosmology(omega_m=1.0)
LCDM = replay.Cosmology()


def relative(a, b):
    """max |a/b - 1|."""
    return float(np.max(np.abs(np.asarray(a) / np.asarray(b) - 1.0)))


def rms(x):
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(x))))


def below(name, value, bound):
    """One check: (name, figure, ok); NaN fails."""
    return "%s: %.2g <= %.2g" % (name, value, bound), bool(value <= bound)


# ---------------------------------------------------------------- growth

def check_growth():
    """ODE growth against closed forms."""
    a = np.array([1e-3, 0.02, 0.1, 0.3, 0.7, 1.0])
    g = replay.Growth(EDS)
    for name, got, want in zip(("D1", "D2", "f1", "f2"),
                               (g.D1(a), g.D2(a), g.f1(a), g.f2(a)),
                               analytic.growth_eds(a)):
        yield below("EdS " + name, relative(got, want), 1e-11)
    yield below("EdS true D2 = D1^2",
                relative(replay.Growth(EDS, "true").D2(a), a * a), 1e-11)
    for w in (-1.0, -0.9, -1.1):
        g = replay.Growth(replay.Cosmology(0.3, 0.0, w, 0.0))
        d, f = analytic.growth_flat(a, 0.3, w)
        yield below("flat w = %g D1" % w, relative(g.D1(a), d), 1e-10)
        yield below("flat w = %g f1" % w, relative(g.f1(a), f), 1e-10)
    for omega_k in (-0.1, 0.05, 0.7):
        g = replay.Growth(replay.Cosmology(0.3, omega_k))
        yield below("curved %g D1" % omega_k, relative(
            g.D1(a), analytic.growth_curved(a, 0.3, omega_k)), 1e-10)
    yield check_w0wa(replay.Cosmology(0.31, 0.02, -0.9, 0.3))
    g = replay.Growth(LCDM, "true")
    ratio = float(g.D2(1.0))
    yield ("LCDM D2(1)/(-3/7 D1(1)^2) = %.5f is Om^(-1/143) to 1e-3" % ratio,
           abs(ratio / 0.3075 ** (-1.0 / 143.0) - 1.0) < 1e-3)


def check_w0wa(cosmo):
    """w0-wa and curved: the Riccati equation f' + f^2 + (2+q) f = 1.5 Om(a).

    Here E^2 is written out and differenced, independently of dlnE_dlna.
    """
    def lne(lna):
        a = np.exp(lna)
        de = 1.0 - cosmo.omega_m - cosmo.omega_k
        de *= np.exp(-3.0 * ((1.0 + cosmo.w0 + cosmo.wa) * lna
                             + cosmo.wa * (1.0 - a)))
        return 0.5 * np.log(cosmo.omega_m / a ** 3 + cosmo.omega_k / a ** 2 + de)

    def rhs(lna, y):
        s = 2e-4
        q = (8.0 * (lne(lna + s) - lne(lna - s))
             - (lne(lna + 2 * s) - lne(lna - 2 * s))) / (12.0 * s)
        om = cosmo.omega_m * np.exp(-3.0 * lna - 2.0 * lne(lna))
        return [1.5 * om - y[0] ** 2 - (2.0 + q) * y[0], y[0]]

    lna = np.log(np.array([0.1, 0.5, 1.0]))
    sol = solve_ivp(rhs, (-14.0, 0.0), [1.0, 0.0], t_eval=lna, method="LSODA",
                    rtol=1e-12, atol=1e-13)
    g = replay.Growth(cosmo)
    error = max(relative(g.f1(np.exp(lna)), sol.y[0]),
                relative(g.D1(np.exp(lna)), np.exp(sol.y[1] - sol.y[1][-1])))
    return below("w0-wa, curved: Riccati D1, f1", error, 1e-8)


def check_factors():
    """Kick and drift factors: the published figures and closed forms."""
    g = replay.Growth(LCDM)
    (a, h, f), *_ = replay.schedule(0.1, 1.0, 10)
    figures = [
        ("E(0.1)", replay.efunc(LCDM, a), 17.555412, 1e-7),
        ("D1(0.1)", g.D1(a), 0.12758881, 5e-8),
        ("D2(0.1)", g.D2(a), 0.01614257, 1e-5),    # FastPM's is 7e-6 low
        ("f1(0.1)", g.f1(a), 0.99877372, 1e-8),
        ("f2(0.1)", g.f2(a), 1.9976027, 5e-6),     # FastPM's is 4e-6 high
        ("a_h", h, 0.13784049, 5e-8),
        ("kick 1", replay.kick_factor(g, a, a, h), -0.10818171, 1e-7),
        ("drift 1a", replay.drift_factor(g, a, h, h), 1.33145281738747, 1e-7),
        ("drift 1b", replay.drift_factor(g, h, h, f), 1.8269693237553051, 1e-7),
        ("kick 2", replay.kick_factor(g, h, f, f), -0.0919664977, 1e-7)]
    for name, got, want, bound in figures:
        yield below("figure " + name, relative(got, want), bound)
    g = replay.Growth(EDS)
    yield below("EdS kick", relative(
        replay.kick_factor(g, 0.1, 0.2, 0.3),
        -(0.3 ** 1.5 - 0.1 ** 1.5) / 0.2), 1e-11)
    yield below("EdS drift", relative(
        replay.drift_factor(g, 0.1, 0.2, 0.3), 0.2 / 0.2 ** 1.5), 1e-11)
    for cosmo in (LCDM, replay.Cosmology(0.3, 0.05, -0.9, 0.2)):
        g = replay.Growth(cosmo)
        step = 1e-4
        numeric = (8 * (g.Gf(0.6 + step) - g.Gf(0.6 - step))
                   - (g.Gf(0.6 + 2 * step) - g.Gf(0.6 - 2 * step))) / (12 * step)
        yield below("gf = dGf/da", relative(g.gf(0.6), numeric), 1e-9)
        yield below("kick = -dGf/D1", relative(
            replay.kick_factor(g, 0.5, 0.6, 0.7),
            -(g.Gf(0.7) - g.Gf(0.5)) / g.D1(0.6)), 1e-12)


# ---------------------------------------------------------------- meshes

def check_windows():
    """Mass, constants and momentum; weights at known points."""
    n, box = 8, 20.0
    x = np.random.RandomState(3).uniform(-box, 2 * box, (500, 3))
    for window in ("ngp", "cic", "tsc"):
        field = replay.paint(x, n, box, window)
        yield below(window + " conserves mass", abs(field.mean()), 1e-14)
        ones = replay.readout([np.ones((n, n, n))], x, n, box, window)
        yield below(window + " reads a constant", rms(ones - 1.0), 1e-14)
        # Adjointness: <paint(x), f> = <1, readout(f)>.
        f = np.random.RandomState(4).standard_normal((n, n, n))
        left = ((field + 1.0) * f).sum() * len(x) / n ** 3
        right = replay.readout([f], x, n, box, window).sum()
        yield below(window + " paint and readout are adjoint",
                    abs(left - right), 1e-10)
        g = replay.force(x, n, box, window=window)
        yield below(window + " conserves momentum", rms(g.sum(0)) / rms(g), 1e-11)
        shifted = replay.force(x + box / n, n, box, window=window)
        yield below(window + " force moves with the grid",
                    rms(shifted - g) / rms(g), 1e-11)
    point = np.array([[0.25, 0.0, 0.0]]) * box / n
    column = replay.paint(point, n, box)[:, 0, 0] / n ** 3 + n ** -3
    yield below("cic weights 3/4, 1/4",
                rms(column[:3] - [0.75, 0.25, 0.0]), 1e-14)
    column = replay.paint(point, n, box, "tsc")[:, 0, 0] / n ** 3 + n ** -3
    want = np.array([0.75 - 1 / 16, 0.5 * 0.75 ** 2, 0.0, 0.5 * 0.25 ** 2])
    want *= (0.75 * 0.75)
    yield below("tsc weights", rms(column[[0, 1, 2, -1]] - want), 1e-14)
    # One heavy clump: the acceleration, -g, points to it.
    x = replay.lattice(n, box)
    clump = np.concatenate([x, np.tile([[10.0, 10.0, 10.0]], (50, 1))])
    g = replay.force(clump, n, box)
    near = np.argmin(np.abs(x - [7.5, 10.0, 10.0]).sum(1))
    yield "kick pulls toward an overdensity", bool(-g[near, 0] > 0)


def check_spectrum():
    """Shells, one plane wave, and a Gaussian field's normalization."""
    n, box = 16, 100.0
    power = analytic.linear_power(wiggles=False)
    expected = analytic.expected_power(n, box, power)
    field = analytic.gaussian_field(n, box, power, 7)
    got = replay.power_spectrum(field, box)
    yield "mode counts", bool(np.array_equal(got[:, 2], expected[:, 3]))
    yield below("mean k", relative(got[1:, 0], expected[1:, 0]), 1e-13)
    yield "row 0 is zero", not got[0].any()
    yield below("P within cosmic variance [sigma]", np.max(np.abs(
        got[1:, 1] - expected[1:, 1]) / expected[1:, 2]), 4.0)
    wave = analytic.plane_wave_delta(n, box, 0.3, mode=3, axis=1)
    p = replay.power_spectrum(wave, box)
    yield below("plane wave: L^3 A^2/2 over the shell", relative(
        p[3, 1] * p[3, 2], box ** 3 * 0.3 ** 2 / 2), 1e-13)
    yield below("plane wave: nothing elsewhere",
                np.max(np.delete(p[:, 1], 3)) / p[3, 1], 1e-25)
    odd = replay.power_spectrum(np.random.RandomState(1).rand(9, 9, 9), box)
    yield "odd mesh: n//2 rows, right counts", bool(np.array_equal(
        odd[:, 2], analytic.expected_power(9, box, power)[:, 3]))


# ---------------------------------------------------------------- dynamics

def check_lpt():
    """Zel'dovich and 2LPT against plane and crossed waves."""
    n, box, a = 16, 80.0, 0.4
    g = replay.Growth(LCDM)
    for axis in range(3):
        delta = analytic.plane_wave_delta(n, box, 0.7, axis=axis)
        q = replay.lattice(n, box)
        for kernel, bound in (("exact", 1e-13), ("fd4", 2e-3)):
            x, p = replay.lpt_state(delta, box, g, a, kernel)
            want, speed = analytic.plane_wave_state(
                q[:, axis], box, 0.7, g.D1(a), g.f1(a), a,
                replay.efunc(LCDM, a))
            size = rms(want - q[:, axis])
            yield below("plane wave x, axis %d, %s" % (axis, kernel),
                        rms(x[:, axis] - want) / size, bound)
            yield below("plane wave v, axis %d, %s" % (axis, kernel), rms(
                100 * p[:, axis] / a - speed) / rms(speed), bound)
            x[:, axis] = q[:, axis]
            yield below("plane wave: no other motion", rms(x - q), 1e-13)
    delta, psi1, psi2 = analytic.crossed_waves(n, box, 0.5)
    got1, got2 = replay.lpt_displacements(delta, box, "exact")
    yield below("crossed waves psi1", rms(got1 - psi1) / rms(psi1), 1e-13)
    yield below("crossed waves psi2", rms(got2 - psi2) / rms(psi2), 1e-13)


def check_stepping():
    """Kick-drift-kick with the exact force of a Zel'dovich flow, g = -(x - q).

    FastPM's factors reproduce x = q + D1 psi, p = Gf psi to rounding, in any
    number of steps and any cosmology.
    """
    psi = np.random.RandomState(5).standard_normal((20, 3))
    q = 10.0 * np.random.RandomState(6).rand(20, 3)
    for cosmo in (EDS, LCDM, replay.Cosmology(0.3, 0.1),
                  replay.Cosmology(0.3, -0.02, -0.8, 0.4)):
        g = replay.Growth(cosmo, a_max=1.2)
        for steps, a_end in ((1, 1.0), (7, 0.8), (3, 1.2)):
            x, p = replay.evolve(
                q + g.D1(0.1) * psi, g.Gf(0.1) * psi, g, 0.1, a_end, steps,
                lambda y: q - y)
            yield below("exact stepping, %d steps to %g" % (steps, a_end),
                        max(rms(x - q - g.D1(a_end) * psi),
                            rms(p - g.Gf(a_end) * psi)), 1e-12)


def check_force():
    """The mesh force and density on a plane wave, where they are known.

    The force is -(x - q) and, to first order, CIC paint and readout reduce it
    by sinc(1/N)^4; what is left is the lattice's discreteness.
    """
    n, box = 32, 100.0
    g = replay.Growth(LCDM)
    q = replay.lattice(n, box)
    for boost, amplitude, noise in ((0.5, 0.3, 0.04), (1, 0.3, 0.04),
                                    (1, 0.6, 0.03), (2, 0.8, 0.025)):
        delta = analytic.plane_wave_delta(n, box, amplitude, axis=2)
        x, _ = replay.lpt_state(delta, box, g, 1.0, "exact")
        mesh = int(n * boost)
        got = replay.force(x, mesh, box, "exact")
        want = (q - x)[:, 2] * np.sinc(1.0 / mesh) ** 4
        name = "plane wave force, boost %g, A = %g: " % (boost, amplitude)
        yield below(name + "rms", rms(got[:, 2] - want) / rms(want), noise)
        slope = np.dot(got[:, 2], want) / np.dot(want, want)
        yield below(name + "response", abs(slope - 1.0), 0.01)
        yield below(name + "across", rms(got[:, :2]) / rms(want), 1e-12)
    # (1/L) int exp(-imKx) dq = J_m(m D A), times CIC's window; many particles
    # on a line, so that no lattice shows.
    line = np.zeros((8192, 3))
    line[:, 1] = analytic.plane_wave_state(
        np.arange(8192) * box / 8192, box, 0.6, 1.0, 1.0, 1.0, 1.0)[0]
    modes = replay.forward(replay.paint(line, n, box))[0, 1:4, 0]
    m = np.arange(1, 4)
    want = jv(m, 0.6 * m) * np.sinc(m / n) ** 2
    yield below("plane wave density modes 1..3", relative(modes.real, want), 1e-3)
    yield below("plane wave density phase", np.max(np.abs(modes.imag)), 1e-12)


def check_nbody():
    """A whole run on a plane wave, where Zel'dovich is exact."""
    n, box, amplitude = 32, 100.0, 0.6
    q = replay.lattice(n, box)[:, 0]
    delta = analytic.plane_wave_delta(n, box, amplitude)
    for cosmo, boost, bound in ((LCDM, 1, 0.04),
                                (replay.Cosmology(0.3, 0.1, -0.9, 0.2), 2, 0.15)):
        out = replay.simulate(delta, box, cosmo, boost, "exact", "exact", 5)
        x, v = analytic.plane_wave_state(
            q, box, amplitude, 1.0, float(replay.Growth(cosmo).f1(1.0)), 1.0, 1.0)
        d = compare.periodic_difference(out["position"][:, 0], x, box)
        yield below("N-body plane wave x, boost %d" % boost,
                    rms(d) / rms(x - q), bound)
        yield below("N-body plane wave v, boost %d" % boost,
                    rms(out["velocity"][:, 0] - v) / rms(v), bound)
    # A lattice and a field moved by whole cells move the run.
    field = make_case.make_delta_lin(8, 25.0, 2)
    one = replay.simulate(field, 25.0, steps=2)
    two = replay.simulate(np.roll(field, (1, 2, 3), (0, 1, 2)), 25.0, steps=2)
    yield below("a run moves with its input", rms(
        two["density"] - np.roll(one["density"], (1, 2, 3), (0, 1, 2))), 1e-10)


# ---------------------------------------------------------------- scripts

def quiet(function, argv):
    """Runs a command-line function silently; its exit code."""
    with contextlib.redirect_stdout(io.StringIO()), \
            contextlib.redirect_stderr(io.StringIO()):
        try:
            return function(argv)
        except SystemExit as e:
            return e.code


def check_scripts():
    """make_case, replay's command line, compare's verdicts."""
    with tempfile.TemporaryDirectory() as tmp:
        case, ref = os.path.join(tmp, "c"), os.path.join(tmp, "c", "reference")
        yield "make_case", quiet(make_case.main, [
            case, "--steps", "3", "--factors"]) == 0
        yield "its input is small", os.path.getsize(
            os.path.join(case, "delta_lin.npy")) < 20000
        yield "a reference agrees with itself", quiet(
            compare.main, [ref, ref, "--precision", "f64"]) == 0
        run = os.path.join(tmp, "run")
        yield "boost 2, exact", quiet(make_case.main, [
            run, "--steps", "3", "--boost", "2", "--kernel", "exact"]) == 0
        yield "another run is told apart", quiet(
            compare.main, [os.path.join(run, "reference"), ref]) == 1
        yield from check_verdicts(ref, os.path.join(tmp, "bad"))
        yield "a wrong n is refused", quiet(replay.main, [
            "--delta-lin", os.path.join(case, "delta_lin.npy"), "--box", "50",
            "--n", "17", "--out", run]) not in (0, None)


def check_verdicts(ref, folder):
    """compare on perturbed copies of a reference."""
    import h5py
    os.makedirs(folder)
    good = {name: np.load(os.path.join(ref, name + ".npy"))
            for name in compare.NAMES}

    def verdict(changes, *flags):
        for name, array in dict(good, **changes).items():
            path = os.path.join(folder, name + ".h5")
            if os.path.exists(path):
                os.remove(path)
            if array is not None:
                with h5py.File(path, "w") as f:
                    f[name] = array
        return quiet(compare.main, [folder, ref, *flags])

    yield "compare: h5", verdict({}) == 0
    yield "compare: a whole box apart is the same", verdict(
        {"position": good["position"] + 50.0}) == 0
    yield "compare: position off", verdict(
        {"position": good["position"] + [0, 0, 1e-4]}) == 1
    yield "compare: override", verdict(
        {"position": good["position"] + [0, 0, 1e-4]},
        "--position-rms", "2e-4") == 0
    yield "compare: f64 is stricter", (
        verdict({"velocity": good["velocity"] + 5e-3}),
        verdict({"velocity": good["velocity"] + 5e-3},
                "--precision", "f64")) == (0, 1)
    bad = good["density"].copy()
    bad[1, 2, 3] = np.nan
    yield "compare: NaN", verdict({"density": bad}) == 1
    yield "compare: missing", verdict({"power": None}) == 1
    yield "compare: --only", verdict({"power": None}, "--only", "density") == 0
    yield "compare: shape", verdict({"power": good["power"][:-1]}) == 1
    yield "compare: power off", verdict(
        {"power": good["power"] * [1, 1 + 2e-5, 1]}) == 1
    modes = good["power"].copy()
    modes[2, 2] += 1
    yield "compare: modes off", verdict({"power": modes}) == 1
    yield "compare: wrong usage", (
        verdict({}, "--only", "colour"),
        quiet(compare.main, [folder, ref + "x"])) == (2, 2)


# ---------------------------------------------------------------- FastPM

class FastPMStart(replay.Growth):
    """The ODE's growth, but FastPM's own D2 and f2 at a = 0.1.

    FastPM's D2 is 7e-6 low and its f2 4e-6 high against the ODE, which alone
    doubles the difference in the final positions.
    """

    def __init__(self, d2, f2):
        super().__init__(LCDM)
        self._start = d2, f2

    def D2(self, a):
        return self._start[0]

    def f2(self, a):
        return self._start[1]


def read_factors(path):
    """Rows (tag, [values]) of factors.txt."""
    with open(path, encoding="ascii") as f:
        return [(line[0], [float(v) for v in line.split()[1:]])
                for line in f if line[0] in "BKD"]


def check_fastpm_factors(rows):
    """Background, kick and drift factors of FastPM's run."""
    g = replay.Growth(LCDM)
    bounds = (1e-12, 1e-7, 1e-5, 1e-7, 1e-5)
    worst = np.zeros(5)
    kicks, drifts = [], []
    for tag, v in rows:
        if tag == "B":
            got = [f(v[0]) for f in (lambda a: replay.efunc(LCDM, a),
                                     g.D1, g.D2, g.f1, g.f2)]
            worst = np.maximum(worst, np.abs(np.array(got) / v[1:] - 1.0))
        elif tag == "K":
            kicks.append(relative(replay.kick_factor(g, *v[:3]), v[3]))
        else:
            drifts.append(relative(replay.drift_factor(g, *v[:3]), v[3]))
    for name, value, bound in zip(("E", "D1", "D2", "f1", "f2"), worst, bounds):
        yield below("FastPM " + name, value, bound)
    yield below("FastPM kick factors", max(kicks), 1e-7)
    yield below("FastPM drift factors", max(drifts), 1e-7)


def excess_rms(x, stored, box):
    """rms of x - stored beyond the rounding of `stored` to float32."""
    d = x - stored
    d -= box * np.rint(d / box)
    noise = np.mean(np.spacing(stored).astype(np.float64) ** 2) / 12.0
    return float(np.sqrt(max(np.mean(d * d) - noise, 0.0)))


def check_fastpm():
    """The 64^3 run, particle by particle."""
    folder = os.path.join(REFERENCE, "fastpm64")
    if not os.path.isdir(folder):
        print("# no FastPM reference at %s: skipped" % folder)
        return
    box = 200.0
    ref = {name: np.load(os.path.join(folder, name + ".npy"))
           for name in compare.NAMES}
    delta = np.load(os.path.join(folder, "delta_lin.npy"))
    rows = read_factors(os.path.join(folder, "factors.txt"))
    yield from check_fastpm_factors(rows)

    run = replay.simulate(delta, box)
    table = compare.compare_arrays(run.get, ref.get, compare.BOUNDS["f64"], box)
    for r in table:
        if r.bound is not None:
            yield below("FastPM %s %s" % (r.name, r.measure), r.value, r.bound)
    yield below("FastPM position beyond rounding, rms",
                excess_rms(run["position"], ref["position"], box), 1e-6)

    first = next(v for tag, v in rows if tag == "B")
    growth = FastPMStart(first[3], first[5])
    x, p = replay.lpt_state(delta, box, growth, 0.1)
    x, _ = replay.evolve(x, p, growth, 0.1, 1.0, 10,
                         lambda y: replay.force(y, 64, box))
    yield below("FastPM position, FastPM's D2 and f2, beyond rounding, rms",
                excess_rms(replay.wrap(x, box), ref["position"], box), 5e-7)
    k, pk = np.loadtxt(os.path.join(REFERENCE, "planck_pk.txt")).T
    yield below("sigma8 of planck_pk.txt",
                relative(analytic.sigma_r(k, pk), 0.8159), 1e-4)


def main():
    """Runs everything."""
    passed = failed = 0
    for group in (analytic.checks, check_growth, check_factors, check_windows,
                  check_spectrum, check_lpt, check_stepping, check_force,
                  check_nbody, check_scripts, check_fastpm):
        for name, ok in group():
            print(("ok " if ok else "not ok ") + name, flush=True)
            passed, failed = passed + bool(ok), failed + (not ok)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
