#!/usr/bin/env python3
"""Makes a small self-contained N-body case: its input and its reference.

    make_case.py DIR [--n 16] [--box 50] [--seed 1] [replay options]

writes DIR/delta_lin.npy (float32, linear overdensity at a = 1), DIR/case.json
(every parameter) and DIR/reference/{position,velocity,density,power}.npy by
running replay.py. Every option of replay.py that shapes the run is accepted
(--boost, --kernel, --steps, --omega-k, ...). With the same options the input is
the same, byte for byte up to the rounding of the machine's FFT.

The field is Gaussian with the smooth Eisenstein-Hu spectrum, sigma8 = 0.8159;
the default box, 3.125 Mpc/h per particle, is that of the 64^3 reference run.
"""
import argparse
import json
import os
import sys

import numpy as np

import analytic
import replay

SPACING = 3.125


def make_delta_lin(n, box, seed):
    """The case's input, (n,n,n) float32."""
    power = analytic.linear_power(wiggles=False)
    return analytic.gaussian_field(n, box, power, seed).astype(np.float32)


def main(argv=None):
    """Returns replay's exit code; unknown options are replay's to judge."""
    p = argparse.ArgumentParser(
        description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("dir")
    p.add_argument("--n", type=int, default=16, help="particles a side")
    p.add_argument("--box", type=float, help="Mpc/h (default: 3.125 n)")
    p.add_argument("--seed", type=int, default=1)
    args, rest = p.parse_known_args(argv)
    if args.n < 2:
        p.error("--n must be at least 2")
    box = args.box or SPACING * args.n
    os.makedirs(args.dir, exist_ok=True)
    path = os.path.join(args.dir, "delta_lin.npy")
    np.save(path, np.ascontiguousarray(make_delta_lin(args.n, box, args.seed)))
    reference = os.path.join(args.dir, "reference")
    replay.main(["--delta-lin", path, "--box", repr(box), "--n", str(args.n),
                 "--out", reference] + rest)
    with open(os.path.join(reference, "replay.json"), encoding="ascii") as f:
        record = json.load(f)
    record["seed"] = args.seed
    with open(os.path.join(args.dir, "case.json"), "w", encoding="ascii") as f:
        json.dump(record, f, indent=1, sort_keys=True)
        f.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
