"""Parses #pm<window ...> attributes at and beside each limit of supports and coefficients."""

import subprocess
import sys

tool, path = sys.argv[1:]
MOST, COEFFICIENTS = 14, 32


def of(support, count):
    return f"of<{support}, array<f64: {', '.join(['1.0'] * count)}>>"


def support(width):
    return f"a window has the support {width}, expected 2 to {MOST}"


def coefficients(width, count):
    return f"a window of support {width} has {count} coefficients, expected as many for each cell, 1 to {COEFFICIENTS}"


CASES = [(name, "") for name in ("ngp", "cic", "tsc", "pcs", of(2, 2), of(MOST, MOST), of(2, 2 * COEFFICIENTS), of(3, 3))] + [
    (of(0, 2), support(0)), (of(1, 1), support(1)), (of(MOST + 1, MOST + 1), support(MOST + 1)),
    (of(2, 1), coefficients(2, 1)), (of(2, 3), coefficients(2, 3)),
    (of(2, 2 * COEFFICIENTS + 2), coefficients(2, 2 * COEFFICIENTS + 2)),
    ("qcs", "expected ngp, cic, tsc, pcs or of<support, coefficients>, not qcs")]

wrong = 0
for window, message in CASES:
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"module attributes {{test.a = #pm<window {window}>}} {{}}\n")
    done = subprocess.run([tool, path], capture_output=True, text=True)
    if bool(done.returncode) != bool(message) or message not in done.stderr:
        print(f"{window[:40]}: exit code {done.returncode}, {done.stderr}\nexpected: {message or 'no error'}")
        wrong += 1
sys.exit(wrong > 0)
