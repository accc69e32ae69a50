"""Compares --explain=json with counts by hand: costs_of_ops.py PMC FOLDER."""

import json
import pathlib
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
path = folder / "spec.pm"


def explain(spec, *flags):
    path.write_text(spec)
    done = subprocess.run([compiler, "--explain=json", *flags, path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["ops"]


CELLS = 1000
FUNCTION = 20  # operations of one
HEAD = f"""dim x = {CELLS}
input f: field[x]
input g: field[x]
input c: complex field[x]
input d: complex field[x]
let t = tabulate(u => exp(u), -1, 1, 100)
"""
# Expression, operations, functions, lookups of a cell.
CASES = [
    ("f + g", 1, 0, 0), ("f - g", 1, 0, 0), ("f * g", 1, 0, 0), ("f / g", 1, 0, 0), ("f + f * g", 2, 0, 0), ("-f", 1, 0, 0),
    ("abs(f)", 1, 0, 0), ("floor(f)", 1, 0, 0), ("max(f, g)", 1, 0, 0), ("f^3", 2, 0, 0),
    ("sqrt(f)", FUNCTION, 0, 0), ("exp(f)", FUNCTION, 1, 0), ("f^0.3", FUNCTION, 1, 0), ("sin(f) + cos(g)", 2 * FUNCTION + 1, 2, 0),
    # (a + b i)(c + d i), |c|^2 = a^2 + b^2, a (b + c i).
    ("c + d", 2, 0, 0), ("c * d", 6, 0, 0), ("norm2(c)", 3, 0, 0), ("f * c", 2, 0, 0), ("conj(c)", 1, 0, 0),
    ("exp(1i * f)", 2 * FUNCTION, 2, 0),
    ("map q in [x] => loop s = f for i in 0 .. 5 => s * f + 1", 10, 0, 0),
    ("map q in [x] => loop s = f for i in 2 .. 9 => exp(s)", 7 * FUNCTION, 7, 0),
]
wrong = 0
for expression, operations, functions, lookups in CASES:
    found = [sum(op[key] for op in explain(HEAD + f"output r = {expression}\n")) / CELLS for key in ("operations", "functions", "lookups")]
    if found != [operations, functions, lookups]:
        print(f"{expression}: {found}, expected {[operations, functions, lookups]}")
        wrong += 1
interpolated = explain(HEAD + "output r = interpolate(t, f)\n")
assert sum(op["lookups"] for op in interpolated) == CELLS, interpolated

# Operations for one matrix of a batch of 9. The matrix has 12 rows and 4 columns, or is the transpose of such a matrix.
SIZES = {"tall": (12, 4), "wide": (4, 12), "square": (4, 4), "right": (12, 5), "turned": (5, 12), "made": (4, 5), "few": (4, 3)}
MATRICES = [
    ("matrix_product adjoint %tall, %right", "made", 2 * 12 * 4 * 5), ("matrix_product %wide, %right", "made", 2 * 12 * 4 * 5),
    ("matrix_product %wide, adjoint %turned", "made", 2 * 12 * 4 * 5), ("matrix_product adjoint %tall, adjoint %turned", "made", 2 * 12 * 4 * 5),
    ("solve %square, %few", "few", 2 * 4**3 // 3 + 2 * 4**2 * 3), ("solve lower %square, %few", "few", 2 * 4**2 * 3), ("cholesky %square", "square", 4**3 // 3),
    ("least_squares %tall, %right", "made", 9 * 4**2 * 12),
]
for element, factor in (("f64", 1), ("complex<f64>", 4)):
    types = {name: f"!pm.field<[x=9, i=4, j=4], {element}>" if name == "square" else f"!pm.field<[x=9, {name[0]}r={rows}, {name[0]}c={columns}], {element}>"
             for name, (rows, columns) in SIZES.items()}
    for op, result, operations in MATRICES:
        given = [name for name in SIZES if "%" + name in op]
        given.sort(key=op.index)
        lines = ["%seed = arith.constant 1 : i64"]
        for name in given:
            real = types[name].replace("complex<f64>", "f64")
            lines.append(f"%{name}{'' if factor == 1 else 'r'} = pm.white_noise %seed -> {real}")
            if factor == 4:
                dims = real[len("!pm.field<"):-len(", f64>")]
                lines.append(f"%{name} = pm.map {dims} ins(%{name}r : {real}) {{\n^bb0(%e: f64):\n%c = complex.create %e, %e : complex<f64>\n"
                             f"pm.yield %c : complex<f64>\n}} -> {types[name]}")
        lines.append(f"%made = pm.{op} batch 1 : {', '.join(types[name] for name in given)} -> {types[result]}")
        lines += [f'pm.output "made"(%made : {types[result]})', "return"]
        module = folder / "matrices.mlir"
        module.write_text("func.func @main() {\n" + "\n".join(lines) + "\n}\n")
        done = subprocess.run([compiler, "--explain=json", module], capture_output=True, text=True, check=True)
        found, = [one["operations"] for one in json.loads(done.stdout)["ops"] if one["op"] == op.split()[0]]
        if found != 9 * factor * operations:
            print(f"{op} of {element}: {found} operations, expected {9 * factor * operations}")
            wrong += 1

# Units of bytes change at powers of 1024.
for cells, text in ((255, "1020 B"), (256, "1.0 KiB"), (257, "1.0 KiB"), (1 << 18, "1.0 MiB"), ((1 << 18) - 256, "1023.0 KiB"), (1 << 28, "1.0 GiB")):
    path.write_text(f"dim x = {cells}\nlet f = map q in [x] => 0.5 * index(q, x)\noutput r = f\n")
    done = subprocess.run([compiler, "--explain", path], capture_output=True, text=True, check=True)
    if f"memory: {text} of fields at the peak" not in done.stdout:
        print(f"{cells} cells: expected {text}\n{done.stdout}")
        wrong += 1

# A row of ranks: cells beside the part, as wide as the displacement bound on both sides, and the reading's offset on one.
for offset in (-3, -2, -1, 1, 2, 3):
    for bound in (1, 3):
        ops = explain(f"""use particles
mesh ranks(row = 1)
layout x -> row
dim x = 64, y = 64, z = 64
let s = for d in (x, y, z) => 0.1 * white_noise[x, y, z](1)
let rho = paint[x, y, z](s, window = "cic")
output g = readout(for d in (x, y, z) => rho[d + {offset}] - rho, s, window = "cic")
""".replace("+ -", "- "), "--mesh", "row=2", "--displacement-bound", str(bound))
        found = [message["bytes"] for op in ops if op["op"] == "halo_exchange" for message in op["messages"]]
        expected = [4 * 64 * 64 * (2 * bound + abs(offset))]
        if found != expected:
            print(f"offset {offset}, displacement bound {bound}: {found} bytes, expected {expected}")
            wrong += 1
sys.exit(wrong > 0)
