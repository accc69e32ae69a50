#!/usr/bin/env python3
"""Functions of one real number over their ranges, in f32 and f64: errors in units of the last place against SciPy, and results at
NaN, infinities, zeros and poles.

    accuracy.py PMC FOLDER FLAGS..."""
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.special as special

HEADER = "use special\ndim x = {count}\ndim w = {ends}\ninput codes: field[w]\n" \
    "let ends = map q in codes => if codes == 90 then log(codes - 91) else if codes == 91 then log(codes - 91) else if codes == 92 then -log(codes - 92) else codes\n"
WIDE = np.longdouble


def real(function):
    """In extended precision."""
    return lambda x: function(x.astype(WIDE))


def amplitude(x):
    """Of Bessel functions."""
    return np.minimum(1, np.sqrt(2 / np.pi / np.maximum(np.abs(x), 1e-300)))


def gamma_logarithm(x):
    """Near its zeros by Taylor series (Abramowitz & Stegun 6.1.33), which keep all digits."""
    def near_1(t):
        return -t * (np.euler_gamma + sum(special.zeta(k) * (-t) ** (k - 1) / k for k in range(2, 60)))
    t, u = x - 1, x - 2
    return np.where(np.abs(t) < 0.3, near_1(t), np.where(np.abs(u) < 0.3, np.log1p(u) + near_1(u), special.gammaln(x)))


def complement(x):
    """erfc, where the square in the exponent is not rounded to f64."""
    size = np.abs(x).astype(WIDE)
    return np.where(x > 1, special.erfcx(np.abs(x)) * np.exp(-size * size), special.erfc(x))


def bessel(order):
    """From 25 on by Hankel's expansion (9.2.5) in extended precision, because SciPy rounds the phase."""
    def wide(x):
        size = np.maximum(np.abs(x), 25).astype(WIDE)
        term, parts = np.ones_like(size), [0, 0]
        for k in range(24):
            parts[k % 2] = parts[k % 2] + term * (1 if k % 4 < 2 else -1)
            term = term * (4 * order**2 - (2 * k + 1) ** 2) / ((k + 1) * 8 * size)
        # The phase is x - turn: a difference of large numbers would be rounded.
        turn = np.pi * (WIDE(2) * order + 1) / 4
        cosine = np.cos(size) * np.cos(turn) + np.sin(size) * np.sin(turn)
        sine = np.sin(size) * np.cos(turn) - np.cos(size) * np.sin(turn)
        return np.sqrt(2 / (np.pi * size)) * (parts[0] * cosine - parts[1] * sine) * np.sign(x) ** order
    return lambda x: np.where(np.abs(x) > 25, wide(x), {0: special.j0, 1: special.j1}.get(order, lambda u: special.jv(order, u))(x))


def spherical(order):
    return lambda x: np.sign(x) ** order * special.spherical_jn(order, np.abs(x))


class Function:
    """An expression of u, the numbers that it is compared with, its domain, and bounds for f64 and f32 in ulps of the value, or of
    `scale(x)` where that is larger."""

    def __init__(self, exact, domain=(-np.inf, np.inf), bounds=(1, 1), scale=None, text=None, near=(0,), largest=np.inf):
        self.exact, self.domain, self.bounds, self.scale, self.text, self.near, self.largest = (
            exact, domain, bounds, scale, text, near, largest)

    def points(self, kind, count):
        """Evenly, over all magnitudes, and towards the numbers of `near`."""
        random, info = np.random.default_rng(1), np.finfo(kind)
        low, high = (np.clip(end, -40, 40) for end in self.domain)
        largest = min(self.largest, float(info.max) / 4)
        sizes = np.exp(random.uniform(np.log(float(info.tiny)), np.log(largest), count))
        close = [c + side * np.exp(random.uniform(-30, 0, count // 4)) for c in self.near for side in (-1, 1)]
        x = np.concatenate([random.uniform(low, high, count), sizes, -sizes, *close]).astype(kind)
        return x[(x > self.domain[0]) & (x < self.domain[1])]

    def error(self, x, found):
        """The largest error, and where it is."""
        kind, info = found.dtype, np.finfo(found.dtype)
        with np.errstate(all="ignore"):
            exact = self.exact(x.astype(np.float64))
            size = np.abs(exact) if self.scale is None else np.maximum(np.abs(exact), self.scale(x.astype(np.float64)))
            usable = np.isfinite(exact) & (size < float(info.max) / 2) & (np.abs(exact) > float(info.tiny))
            ulps = np.abs(found - exact) / np.spacing(size.astype(kind))
        ulps = np.where(usable, np.where(np.isfinite(found), ulps, np.inf), 0)
        place = int(np.argmax(ulps))
        return float(ulps[place]), float(x[place])


UNIT = (-1, 1)
FUNCTIONS = {
    "exp": Function(real(np.exp)), "log": Function(real(np.log), (0, np.inf), near=(0, 1)),
    "sin": Function(real(np.sin), largest=1e6), "cos": Function(real(np.cos), largest=1e6), "tan": Function(real(np.tan), largest=1e6),
    "sinh": Function(real(np.sinh), bounds=(3, 3)), "cosh": Function(real(np.cosh), bounds=(3, 3)), "tanh": Function(real(np.tanh), bounds=(3, 3)),
    "atan": Function(real(np.arctan)), "erf": Function(special.erf, bounds=(4, 2)),
    "log10": Function(real(np.log10), (0, np.inf), (3, 3), near=(0, 1)), "log1p": Function(real(np.log1p), (-1, np.inf), near=(-1, 0)),
    "expm1": Function(real(np.expm1)), "asin": Function(real(np.arcsin), UNIT, near=(-1, 0, 1)),
    "acos": Function(real(np.arccos), UNIT, near=(-1, 0, 1)), "asinh": Function(real(np.arcsinh), bounds=(3, 3)),
    "acosh": Function(real(np.arccosh), (1, np.inf), (3, 3), near=(1,)), "atanh": Function(real(np.arctanh), UNIT, (3, 3), near=(-1, 0, 1)),
    "erfc": Function(complement, (-np.inf, 26), (10, 3)),
    "lgamma": Function(gamma_logarithm, (0, np.inf), (20, 10), near=(0, 1, 2, 3)),
    "lgamma_left": Function(special.gammaln, (-100, 0), (20, 20), lambda x: 1 + np.abs(special.gammaln(1 - x)), "lgamma(u)"),
    "digamma": Function(special.digamma, (0, np.inf), (10, 10), near=(0, 1, 1.4616321449683623, 2)),
    "digamma_left": Function(special.digamma, (-100, 0), (20, 20), lambda x: np.abs(x) + np.pi ** 2 / np.sin(np.pi * x) ** 2 * np.abs(x), "digamma(u)"),
    "erfinv": Function(special.erfinv, UNIT, (10, 10), near=(-1, 0, 1)),
    "bessel_j0": Function(bessel(0), bounds=(10, 10), scale=amplitude, largest=1e6),
    "bessel_j1": Function(bessel(1), bounds=(10, 10), scale=amplitude, largest=1e6),
    "bessel_j7": Function(bessel(7), bounds=(50, 50), scale=amplitude, text="bessel_j(7, u)", largest=1e6),
    "bessel_j0_of_order": Function(bessel(0), bounds=(10, 10), scale=amplitude, text="bessel_j(0, u)", largest=1e6),
    "spherical_bessel_0": Function(spherical(0), bounds=(10, 10), scale=lambda x: np.minimum(1, 1 / np.abs(x)), text="spherical_bessel(0, u)", largest=1e6),
    "spherical_bessel_1": Function(spherical(1), bounds=(10, 10), scale=lambda x: np.minimum(1, 1 / np.abs(x)), text="spherical_bessel(1, u)", largest=1e6),
    "spherical_bessel_60": Function(spherical(60), bounds=(200, 200), scale=lambda x: np.minimum(1, 1 / np.abs(x)), text="spherical_bessel(60, u)", largest=1e6),
    "legendre_9": Function(lambda x: special.eval_legendre(9, x), UNIT, (30, 20), np.ones_like, "legendre_polynomial(9, u)"),
    "legendre_0": Function(np.ones_like, UNIT, (0, 0), text="legendre_polynomial(0, u)"),
}
NAN, INF = np.nan, np.inf
ENDS = np.array([NAN, -INF, INF, -3, -1, 0, 1, 2])
# The first three, which files may not hold.
CODES = np.array([90, 91, 92, *ENDS[3:]])
# What the functions are at these: nan, -inf, inf, or 0 for a finite number.
AT_ENDS = {
    "log10": (NAN, NAN, INF, NAN, NAN, -INF, 0, 0), "log1p": (NAN, NAN, INF, NAN, -INF, 0, 0, 0), "expm1": (NAN, 0, INF, 0, 0, 0, 0, 0),
    "asin": (NAN, NAN, NAN, NAN, 0, 0, 0, NAN), "acos": (NAN, NAN, NAN, NAN, 0, 0, 0, NAN), "asinh": (NAN, -INF, INF, 0, 0, 0, 0, 0),
    "acosh": (NAN, NAN, INF, NAN, NAN, NAN, 0, 0), "atanh": (NAN, NAN, NAN, NAN, -INF, 0, INF, NAN), "erfc": (NAN, 0, 0, 0, 0, 0, 0, 0),
    "lgamma": (NAN, INF, INF, INF, INF, INF, 0, 0), "erfinv": (NAN, NAN, NAN, NAN, -INF, 0, INF, NAN),
    "digamma": (NAN, NAN, INF, -INF, -INF, -INF, 0, 0),
    "bessel_j0": (NAN, 0, 0, 0, 0, 0, 0, 0), "bessel_j1": (NAN, 0, 0, 0, 0, 0, 0, 0),
}
# A number for each kind of result: outputs must be finite.
KIND_OF = "if y > 1e30 then 1 else if y < -1e30 then -1 else if y == y then 0 else 2"


def spec(points):
    lines = [HEADER.format(count=len(next(iter(points.values()))), ends=len(ENDS))]
    for name, function in FUNCTIONS.items():
        call = function.text or f"{name}(u)"
        lines.append(f"input in_{name}: field[x]\nfn of_{name}(u) = {call}\nlet y_{name} = of_{name}(in_{name})\n"
                     f"output out_{name} = map q in y_{name} => if abs(y_{name}) < 1e300 then y_{name} else 0")
    for name in AT_ENDS:
        lines.append(f"let e_{name} = of_{name}(ends)\noutput at_{name} = map q in e_{name} => {{ let y = e_{name}\n {KIND_OF} }}")
    return "\n".join(lines).replace("1e300", "3e38") + "\n"


def kind_of(values):
    return [2 if np.isnan(v) else np.sign(v) if np.isinf(v) else 0 for v in values]


def run(pmc, folder, precision, flags, count=4000):
    """The results of the functions, at their points, and the kinds at the ends."""
    kind = np.dtype(precision.replace("f", "float"))
    points = {name: f.points(kind, count) for name, f in FUNCTIONS.items()}
    longest = max(map(len, points.values()))
    points = {name: np.resize(x, longest) for name, x in points.items()}
    path = os.path.join(folder, "functions_" + precision)
    with open(path + ".pm", "w", encoding="utf-8") as file:
        file.write(spec(points).replace("3e38", "1e308" if precision == "f64" else "3e38"))
    inputs = {"codes": CODES.astype(kind), **{"in_" + name: x for name, x in points.items()}}
    with h5py.File(path + ".in.h5", "w") as file:
        for name, x in inputs.items():
            file[name] = x
    subprocess.run([*pmc, "--precision=" + precision, *flags, path + ".pm", "-o", path], check=True)
    subprocess.run([path, "--quiet", "--out", path + ".out"] + [f"--{name}={path}.in.h5:/{name}" for name in inputs], check=True)

    def read(name):
        with h5py.File(os.path.join(path + ".out", name + ".h5")) as file:
            return file[name][()]
    return points, {name: read("out_" + name) for name in FUNCTIONS}, {name: read("at_" + name) for name in AT_ENDS}


def main():
    pmc, folder, flags = sys.argv[1].split(), sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    wrong = []
    for i, precision in enumerate(("f64", "f32")):
        points, found, ends = run(pmc, folder, precision, flags)
        for name, function in FUNCTIONS.items():
            error, place = function.error(points[name], found[name])
            print(f"{precision} {name}: {error:.2f} ulp at {place!r}")
            if not error <= function.bounds[i]:
                wrong.append(f"{precision} {name}({place!r}): {error:.2f} ulp, expected at most {function.bounds[i]}")
        for name, expected in AT_ENDS.items():
            if list(ends[name]) != kind_of(expected):
                wrong.append(f"{precision} {name}: kinds {list(ends[name])} at {list(ENDS)}, expected {kind_of(expected)}")
    for line in wrong:
        print("WRONG", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
