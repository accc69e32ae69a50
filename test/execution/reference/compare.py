#!/usr/bin/env python3
"""Compares a run's outputs with a reference folder, against stated bounds.

    compare.py RUN REFERENCE [--box L] [--precision f32|f64] [options]

RUN holds DIR/NAME.h5 (dataset /NAME) or DIR/NAME.npy; REFERENCE likewise, for
NAME in density, power, position, velocity. Prints a table and exits 0 if every
bound holds, 1 if one is missed (or a quantity is missing, misshapen or not
finite), 2 for wrong usage.

Measures
  position  per component, rms and max of the periodic difference [Mpc/h], both
            sides rounded to float32 first
  velocity  per component, rms and max of the difference [km/s]
  density   ||run - ref|| / ||ref||, and max |run - ref|
  power     rows 1 and up: max relative difference of P and of mean k; the
            number of modes must be equal
"""
import argparse
import json
import os
import sys
from collections import namedtuple

import numpy as np

NAMES = ("position", "velocity", "density", "power")

# Bounds by precision; None: reported, not bounded.
BOUNDS = {
    "f64": {"position_rms": 1e-5, "position_max": 1e-4,
            "velocity_rms": 1e-3, "velocity_max": None,
            "density_rel": 2e-5, "density_max": None,
            "power_rel": 1e-5, "k_rel": 1e-6, "modes_diff": 0.0},
    "f32": {"position_rms": 3e-5, "position_max": 3e-4,
            "velocity_rms": 1e-2, "velocity_max": None,
            "density_rel": 2e-5, "density_max": None,
            "power_rel": 1e-5, "k_rel": 1e-6, "modes_diff": 0.0},
}

Row = namedtuple("Row", "name measure value bound ok")


def load(folder, name):
    """Array NAME of a folder, from NAME.h5:/NAME or NAME.npy; None if absent."""
    h5 = os.path.join(folder, name + ".h5")
    if os.path.exists(h5):
        import h5py
        with h5py.File(h5, "r") as f:
            return f[name][()] if name in f else None
    npy = os.path.join(folder, name + ".npy")
    return np.load(npy) if os.path.exists(npy) else None


def find_box(*folders):
    """The box recorded with a replay or a case in one of the folders, or None."""
    for folder in folders:
        for name in ("replay.json", "case.json"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    return float(json.load(f)["box"])
    return None


def periodic_difference(x, y, box):
    """x - y folded into [-box/2, box/2]; both rounded to float32 first."""
    d = (np.asarray(x, np.float32).astype(np.float64)
         - np.asarray(y, np.float32).astype(np.float64))
    return d - box * np.rint(d / box)


def _components(name, d, bounds, axes="xyz"):
    """rms and max of each column of d (np,3)."""
    for c, axis in enumerate(axes):
        yield (name, axis + " rms", np.sqrt(np.mean(d[:, c] ** 2)),
               bounds[name + "_rms"])
        yield (name, axis + " max", np.max(np.abs(d[:, c])),
               bounds[name + "_max"])


def _power_measures(run, ref, bounds):
    """Relative differences of P and k, absolute of the mode count, rows 1..."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rel = np.abs(run[1:] / ref[1:] - 1.0)
    yield "power", "P rel max", np.max(rel[:, 1]), bounds["power_rel"]
    yield "power", "k rel max", np.max(rel[:, 0]), bounds["k_rel"]
    yield ("power", "modes diff", np.max(np.abs(run[1:, 2] - ref[1:, 2])),
           bounds["modes_diff"])
    yield "power", "row 0", np.max(np.abs(run[0])), 0.0


def measures(name, run, ref, bounds, box):
    """Yields (name, measure, value, bound) for one quantity."""
    if name == "position":
        yield from _components(name, periodic_difference(run, ref, box), bounds)
    elif name == "velocity":
        yield from _components(name, np.asarray(run, np.float64) - ref, bounds)
    elif name == "density":
        d = np.asarray(run, np.float64) - ref
        norm = np.linalg.norm(np.asarray(ref, np.float64))
        yield (name, "rel norm", np.linalg.norm(d) / norm,
               bounds["density_rel"])
        yield name, "max", np.max(np.abs(d)), bounds["density_max"]
    else:
        yield from _power_measures(np.asarray(run, np.float64),
                                   np.asarray(ref, np.float64), bounds)


def compare_arrays(run, ref, bounds, box=None, names=NAMES):
    """Rows for two dicts (or callables by name) of arrays.

    A quantity absent from one side, of another shape, or not finite gives a
    failing row. NaN never passes: the test is value <= bound.
    """
    rows = []
    for name in names:
        a, b = run(name), ref(name)
        if a is None or b is None:
            side = "run" if a is None else "reference"
            rows.append(Row(name, "missing in " + side, np.nan, None, False))
            continue
        if a.shape != b.shape:
            rows.append(Row(name, "shape %s, reference %s" % (a.shape, b.shape),
                            np.nan, None, False))
            continue
        for side, values in (("run", a), ("reference", b)):
            if not np.all(np.isfinite(values)):
                rows.append(Row(name, "not finite in " + side, np.nan, None,
                                False))
                break
        else:
            for _, measure, value, bound in measures(name, a, b, bounds, box):
                ok = bound is None or bool(value <= bound)
                rows.append(Row(name, measure, float(value), bound, ok))
    return rows


def table(rows):
    """The rows as text."""
    lines = ["%-9s %-12s %12s %12s" % ("quantity", "measure", "value", "bound")]
    for r in rows:
        bound = "-" if r.bound is None else "%.3g" % r.bound
        lines.append("%-9s %-12s %12.4g %12s%s"
                     % (r.name, r.measure, r.value, bound,
                        "" if r.ok else "  MISSED"))
    return "\n".join(lines)


def parser():
    """The command line."""
    p = argparse.ArgumentParser(
        description="compare a run with a reference folder")
    p.add_argument("run")
    p.add_argument("reference")
    p.add_argument("--box", type=float,
                   help="Mpc/h, for positions; default: replay.json/case.json")
    p.add_argument("--precision", choices=sorted(BOUNDS), default="f32",
                   help="which set of bounds")
    p.add_argument("--only", default=",".join(NAMES),
                   help="comma-separated quantities (default: all)")
    for key in BOUNDS["f64"]:
        p.add_argument("--" + key.replace("_", "-"), metavar="BOUND",
                       help="override; 'none' only reports")
    return p


def bounds_from(args):
    """The precision's bounds with the overrides of the command line."""
    bounds = dict(BOUNDS[args.precision])
    for key in bounds:
        text = getattr(args, key)
        if text is not None:
            bounds[key] = None if text == "none" else float(text)
    return bounds


def main(argv=None):
    """Exit code: 0 all bounds hold, 1 one is missed, 2 wrong usage."""
    p = parser()
    args = p.parse_args(argv)
    names = [s.strip() for s in args.only.split(",") if s.strip()]
    if not names or any(s not in NAMES for s in names):
        p.error("--only takes names among " + ", ".join(NAMES))
    for folder in (args.run, args.reference):
        if not os.path.isdir(folder):
            p.error("no such folder: " + folder)
    try:
        bounds = bounds_from(args)
    except ValueError as e:
        p.error(str(e))
    box = args.box or find_box(args.reference, args.run)
    if "position" in names and not box:
        p.error("--box is needed to compare positions")
    rows = compare_arrays(lambda s: load(args.run, s),
                          lambda s: load(args.reference, s), bounds, box, names)
    print(table(rows))
    missed = sum(not r.ok for r in rows)
    print("%d of %d checks missed" % (missed, len(rows)) if missed
          else "all %d checks within bounds" % len(rows))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
