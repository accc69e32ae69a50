#!/usr/bin/env python3
"""Contractions against NumPy, on meshes of ranks and layouts.

    contractions.py PMC FOLDER [--some] [FLAG...]

A case is the dims of two fields and of the result (as for numpy.einsum), and how the sum is written. Flags are the
compiler's, --target=cuda for one; --some: few cases and meshes, for what is slow."""
import os
import re
import shlex
import subprocess
import sys

import h5py
import numpy as np

SIZES = {"i": 11, "k": 24, "j": 13, "b": 6, "l": 5}
LAYOUTS = {"k->row": ["1x1", "3x1"], "i->row, j->col": ["2x2"], "k->row, j->col": ["2x3"], "b->row, k->col": ["5x2"], "l->(row,col)": ["2x2"]}
# Forms: a and b are fields over their dims, D all dims, O those summed over.
SUM, MAP, FACTORS = "sum({a} * {b}, over = {O})", "sum(map q in {D} => {a} * {b}, over = {O})", \
    "sum(map q in {D} => 2 * tanh({a}) * {b} * {a} * {b}^2, over = {O})"
CASES = [
    ("ik", "kj", "ij", SUM), ("ki", "kj", "ij", MAP), ("ik", "jk", "ij", SUM), ("ik", "kj", "ij", FACTORS),
    ("bik", "kj", "bij", SUM), ("bik", "bkj", "bij", MAP), ("kbi", "kbj", "bij", SUM), ("kil", "kjl", "ij", MAP),
    ("bikl", "bkl", "bi", SUM), ("bik", "kjl", "bijl", SUM), ("ik", "jkb", "ijb", FACTORS)]


def order(a, b):
    """All dims, in an order that keeps both."""
    dims, rest = "", b
    for dim in a:
        if dim in rest:
            before, rest = rest.split(dim)
            dims += before
        dims += dim
    return dims + rest


def spec():
    lines = [f"dim {name} = {size}" for name, size in SIZES.items()] + ["mesh ranks(row = 1, col = 1)"]
    for n, (a, b, c, form) in enumerate(CASES):
        text = form.format(a="u", b="v", D=f"[{', '.join(order(a, b))}]", O="(%s)" % ", ".join(d for d in order(a, b) if d not in c)
                           if len(set(a + b) - set(c)) > 1 else "".join(set(a + b) - set(c)))
        noise = "white_noise[{}]({})".format
        lines += [f"fn case{n}(u, v) = {text}", f"let a{n} = {noise(', '.join(a), 2 * n)}", f"let b{n} = {noise(', '.join(b), 2 * n + 1)}",
                  f"let w{n} = {noise(', '.join(c), n + 100)}", f"output a{n}", f"output b{n}", f"output w{n}",
                  f"let (c{n}, pulls{n}) = vjp(case{n}, wrt = (u, v))(a{n}, b{n}, cotangent = w{n})",
                  f"output c{n}", f"output by_a{n} = pulls{n}[0]", f"output by_b{n} = pulls{n}[1]",
                  f"let (again{n}, pushed{n}) = jvp(case{n}, wrt = (u, v))(a{n}, b{n}, tangent = (tanh(a{n}), tanh(b{n})))",
                  f"let size{n} = sqrt(inner(pushed{n}, pushed{n}) * inner(w{n}, w{n}))",
                  f'print "pair {n} {{:.17e}}", (inner(pushed{n}, w{n}) - inner(tanh(a{n}), pulls{n}[0]) - inner(tanh(b{n}), pulls{n}[1])) / size{n}',
                  f"let ahead{n} = case{n}(a{n} + 1e-5 * tanh(a{n}), b{n} + 1e-5 * tanh(b{n}))",
                  f"let behind{n} = case{n}(a{n} - 1e-5 * tanh(a{n}), b{n} - 1e-5 * tanh(b{n}))",
                  f'print "difference {n} {{:.17e}}", inner((ahead{n} - behind{n}) / 2e-5 - pushed{n}, w{n}) / size{n}',
                  # Of second order: the derivative of a sum of squares of a gradient.
                  f"fn steep{n}(u) = sum(grad(s => sum(case{n}(s, b{n})^2))(u)^2)",
                  f"output second{n} = grad(steep{n})(a{n})"]
    return "\n".join(lines) + "\n"


def run(command):
    return subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout


def outputs(folder):
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".h5"):
            with h5py.File(os.path.join(folder, name)) as file:
                found[name[:-3]] = np.asarray(file["data" if "data" in file else list(file)[0]])
    return found


def expected(values, n):
    """The outputs of a case, of the fields that the program has written."""
    a, b, c, form = CASES[n]
    x, y, w = (values[f"{name}{n}"] for name in "abw")
    if form == FACTORS:
        f, g = 2 * np.tanh(x) * x, y**3
        slope, other = 2 * (np.tanh(x) + x / np.cosh(x)**2), 3 * y**2
    else:
        f, g, slope, other = x, y, 1, 1
    wanted = {f"c{n}": np.einsum(f"{a},{b}->{c}", f, g), f"by_a{n}": slope * np.einsum(f"{c},{b}->{a}", w, g),
              f"by_b{n}": other * np.einsum(f"{c},{a}->{b}", w, f)}
    if form != FACTORS:
        # sum((AB)^2) has the gradient G = 2 (AB)B^T, and sum(G^2) the gradient 2 (2 (G B) B^T).
        def twice(u):
            return 2 * np.einsum(f"{c},{b}->{a}", np.einsum(f"{a},{b}->{c}", u, y), y)
        wanted[f"second{n}"] = 2 * twice(twice(x))
    return wanted


def check_double(pmc, folder, flags):
    worst, meshes, count = 0, 0, 0
    for number, (layout, all_meshes) in enumerate(LAYOUTS.items()):
        program = os.path.join(folder, f"double{number}")
        run(pmc + [program_text(folder), "--precision=f64", "--layout", layout, "-o", program, *flags])
        for mesh in all_meshes:
            row, col = mesh.split("x")
            out = os.path.join(folder, f"out{number}_{mesh}")
            text = run([program, f"--mesh=row={row},col={col}", "--transport=threads", "--threads=1", "--quiet", "--out", out])
            values, meshes, count = outputs(out), meshes + 1, 0
            for n in range(len(CASES)):
                for name, want in expected(values, n).items():
                    error, count = np.abs(values[name] - want).max() / np.abs(want).max(), count + 1
                    worst = max(worst, error)
                    if not error <= 1e-12:
                        sys.exit(f"layout {layout}, mesh {mesh}: {name} differs by {error:.3g}, expected at most 1e-12")
            for kind, number_text, value in re.findall(r"(pair|difference) (\d+) (\S+)", text):
                if not abs(float(value)) <= (1e-13 if kind == "pair" else 1e-8):
                    sys.exit(f"layout {layout}, mesh {mesh}: {kind} of case {number_text} is off by {value}")
    print(f"f64: {count} outputs on {meshes} meshes, worst {worst:.1e}")


def check_single(pmc, folder, flags):
    program, out, worst = os.path.join(folder, "single"), os.path.join(folder, "out_single"), 0
    run(pmc + [program_text(folder), "--precision=f32", "-o", program, *flags])
    run([program, "--threads=2", "--quiet", "--out", out])
    values = {name: value.astype(float) for name, value in outputs(out).items()}
    for n, (a, b, c, form) in enumerate(CASES):
        if form == FACTORS:
            continue
        x, y = values[f"a{n}"], values[f"b{n}"]
        size = np.einsum(f"{a},{b}->{c}", np.abs(x), np.abs(y))
        worst = max(worst, (np.abs(values[f"c{n}"] - np.einsum(f"{a},{b}->{c}", x, y)) / (513 * 2.0**-24 * size)).max())
    if not worst <= 1:
        sys.exit(f"f32: {worst:.3g} times the bound")
    print(f"f32: worst {worst:.4f} of the bound")


def check_ops(pmc, folder):
    """Every case is one op, and nothing is over the dims of both fields."""
    text = run(pmc + [program_text(folder), "--emit=sharded", "-o", "-"])
    everything = [f"[{', '.join(f'{d}={SIZES[d]}' for d in order(a, b))}]" for a, b, _, _ in CASES if set(a) | set(b) not in (set(a), set(b))]
    for dims in everything:
        if "field<" + dims in text:
            sys.exit(f"a field over {dims} is made, expected none")
    if text.count("pm.contract") < 5 * (len(CASES) - 1):
        sys.exit(f"{text.count('pm.contract')} contractions, expected more")


def program_text(folder):
    path = os.path.join(folder, "contractions.pm")
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec())
    return path


def main():
    pmc, folder, *flags = sys.argv[1:]
    if "--some" in flags:
        flags.remove("--some")
        CASES[:] = CASES[1:4] + CASES[8:9]
        for layout in list(LAYOUTS)[1:]:
            del LAYOUTS[layout]
    os.makedirs(folder, exist_ok=True)
    check_ops(shlex.split(pmc), folder)
    check_double(shlex.split(pmc), folder, flags)
    check_single(shlex.split(pmc), folder, flags)


if __name__ == "__main__":
    main()
