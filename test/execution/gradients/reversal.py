#!/usr/bin/env python3
"""What programs say about the error of loops that are reversed (schedule "reverse").

    reversal.py PMC SPEC SCRATCH

SPEC prints the true errors of a loop that carries `s`. Those in run.json, ratios of norms that are each estimated from
64 sums a field, 192 a vector, have a standard deviation of 7 %: they are compared to 25 %."""
import json
import os
import subprocess
import sys

pmc, spec, scratch = sys.argv[1:]
os.makedirs(scratch, exist_ok=True)
program, out = os.path.join(scratch, "program"), os.path.join(scratch, "out")


def run(*flags):
    """The true errors, those in run.json by name, and the lines on stderr about them."""
    done = subprocess.run([program, "--out", out, "--threads=1", *flags], check=True, capture_output=True, text=True)
    with open(os.path.join(out, "run.json")) as file:
        loops = json.load(file)["reversals"]
    errors = {name: value for loop in loops for name, value in loop["errors"].items()}
    true = [float(word) for word in done.stdout.split("\n")[0].split()]
    return true, errors, [line for line in done.stderr.split("\n") if "reverse:" in line]


def near(what, value, expected):
    print(f"{what}: {value:.2e}, expected about {expected:.2e}")
    assert abs(value - expected) < 0.25 * expected, what


for precision, least, most in [("f32", 1e-7, 1e-5), ("f64", 1e-16, 1e-13)]:
    subprocess.run([*pmc.split(), spec, "--precision=" + precision, "-o", program], check=True)
    for mesh in ["row=1,col=1", "row=2,col=1", "row=1,col=2"]:
        true, errors, lines = run("--mesh", mesh)
        for name, value in zip(["s.disp", "s.mom"], true):
            near(f"{precision}, {mesh}, {name}", errors[name], value)
            assert least < value < most, f"expected between {least} and {most}"
        if mesh == "row=1,col=1":
            alone = errors
        near(f"{precision}, {mesh} and one rank", errors["s.disp"], alone["s.disp"])
        # v is zero at the start: its error is relative to the end.
        assert errors["u"] < 10 * most and errors["v"] < 10 * most, errors
        assert len(lines) == 2 and "warning" not in "".join(lines), lines
        assert f"{errors['s.disp']:.1e} of its rms (s.disp), {errors['s.mom']:.1e} (s.mom)" in lines[0], lines
    _, _, lines = run("--spreads=20", "--quiet")
    assert not lines, lines
    _, errors, lines = run("--spreads=20")
    print(f"{precision}, 20 spreads: {errors['u']:.1e}; {lines}")
    warnings = [line for line in lines if "warning" in line]
    assert errors["u"] > 1e-2 and len(warnings) == 1 and "(u)" in warnings[0], lines
