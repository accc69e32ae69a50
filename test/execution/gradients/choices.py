#!/usr/bin/env python3
"""Derivatives of functions with choices whose other side is singular: 0/0, log 0, 1/0, drawn at every depth.

    choices.py PMC SCRATCH [SEED] [COUNT]

The mask m is exactly 0 in some cells, and so is its tangent. What is made with it is not finite there, and goes on through
sums, products, other maps, reductions over a dim, transforms and branches on numbers, until a choice leaves it out: m == 0, a
comparison, a branch, bins, a maximum. Compared are J v by jvp, J^T w by vjp and the central difference; then of second
derivatives jvp of grad in both orders, grad of grad and the difference of gradients."""
import os
import random
import subprocess
import sys

HEADER = """
param epsilon = 1e-5
param nothing = 0.0
dim x = 6, y = 5, z = 4 over 10 Mpc/h
fn noise(seed) = white_noise[x, y, z](seed)
let mask = map q in [x, y, z] => if index(q, x) < 3 then 0 else 1.1 + 0.2 sin(index(q, y) + 2 index(q, z))
fn square(u) = inner(u, u)
"""


class Drawing:
    """A function of fields a, b, of the mask m and of the number s, which is 0."""

    def __init__(self, rng, decks):
        self.rng, self.decks, self.lines = rng, decks, []
        self.good, self.bad = ["a", "b"], []  # finite, and finite only where m is not 0
        for _ in range(rng.randint(3, 5)):
            self.spoil()
            if rng.random() < 0.7:
                self.go_on()
            self.mend()
        last = self.good[-3:] if len(self.good) > 4 else self.good[2:]
        self.lines.append("sum(" + " + ".join(f"{g} * noise({40 + i})" for i, g in enumerate(last)) + ") + sum(a * a * b)")

    def name(self, body, pool):
        name = f"v{len(self.lines)}"
        self.lines.append(f"let {name} = {body}")
        pool.append(name)

    def pick(self, pool):
        return self.rng.choice(pool[-3:])

    def has(self, word):
        return any(word in line for line in self.lines)

    def draw(self, kind, forms):
        """One of the forms; all of a kind are drawn before one comes again."""
        deck = self.decks.setdefault(kind, [])
        if not deck:
            deck += self.rng.sample(range(len(forms)), len(forms))
        return forms[deck.pop()]

    def spoil(self):
        g, h = self.pick(self.good), self.pick(self.good)
        self.name(self.draw("spoil", [
            f"{g} / m", f"{g} * log(m)", f"map q in m => {g} * m / m", f"pow(m, -1.5) * {g} + {h}", f"atan2({g} * m, m) * {h} / m",
            f"sqrt(m) * {g} / m", f"map q in m => if {h} > 0 then {g} / m else log(m) * {h}", f"sin({g}) / (m * (2 + {h}^2))",
        ]), self.bad)

    def go_on(self):
        bad, g = self.pick(self.bad), self.pick(self.good)
        self.name(self.draw("go on", [
            f"{bad} * {g}", f"{g} - 0.3 {bad}", f"sin({bad}) * {g}", f"{bad} * {bad} * 0.1", f"exp(0 - {bad}^2) * {bad}", f"{g} / (2 + {bad}^2)",
            f"map q in m => {bad} * {g} + (if {g} > 0.3 then {bad} else {g} / m)", f"max({bad}, {g}) * {bad}",
        ]), self.bad)

    def mend(self):
        bad, other, g = self.pick(self.bad), self.pick(self.bad), self.pick(self.good)
        self.name("0.5 sin(" + self.draw("mend", [
            f"map q in m => if m == 0 then {g} else {bad}",
            f"map q in m => if m == 0 then {g}^2 else {bad} * {g} * {other}",
            f"map q in m => if m == 0 then {g} else (if {g} > 0 then {bad} / m else sqrt(1 + {other}^2))",
            f"map q in m => if index(q, x) >= 3 then (if index(q, y) > 2 then {bad} else {other} * {bad}) else 0",
            f"{g} * sum((bins q in m into 4 by (if index(q, x) < 3 then -1 else index(q, y)) => ({bad} * {g}, 1))[0])",
            f"{g} * sum(map q in m => if m == 0 then {g} else {bad} * {other}, over = z) * 0.2",
            f"inverse({g})",
            f"loop u = {g} for i in 0 .. 3 => {{ let w = sin({bad} * u); map q in m => if m == 0 then u else w }}",
            f"map q in m => if m == 0 then {g} else (loop u = {g} for i in 0 .. 3 => sin(u / m + {bad}))",
            f"map q in m => if m == 0 then {g} else interpolate(rows, log(m)) * {bad}",
            f"{{ let r = 1 / s; let t = {bad} * r; let w = {g} / s; if s == 0 then {g}^2 else t * w * r }}",
            f"{{ let r = log(s) * mean({g}); {g} * (if s > 0 then r / s else mean({g}^2)) }}",
        ]) + ")", self.good)


HEADER += """
let rows = tabulate(u => cos(u), from = 0, to = 1, points = 20)
fn inverse(f) {
  let u = fft(f)
  ifft(map k in u => {
    let square = index(k, x)^2 + index(k, y)^2 + index(k, z)^2
    if square == 0 then 0 else 1i * index(k, x) / square * u
  })
}
"""


def spec_of(drawings):
    lines = [HEADER]
    for i, drawing in enumerate(drawings):
        once = drawing.has("bins") or drawing.has("loop")  # the adjoints of bins, and of loops with checkpoint stores, have none
        lines += [f"fn f{i}(a, b, m, s) {{"] + ["  " + line for line in drawing.lines] + ["}"]
        lines += [f"fn test{i}() {{",
                  "  let (p, v, w) = ((noise(1), noise(2), mask), (noise(3), noise(4), 0.1 mask * noise(5)), "
                  "(noise(6), noise(7), 0.1 mask * noise(8)))"]
        all_of = "p[0], p[1], p[2], nothing"

        def moved(sign):
            return ", ".join(f"p[{j}] {sign} epsilon * v[{j}]" for j in range(3)) + ", nothing"

        which = "wrt = (a, b, m)"
        lines += [f"  let g = grad(f{i}, {which})",
                  f"  let d = jvp(f{i}, {which})({all_of}, tangent = v)[1]",
                  f"  let g0 = g({all_of})",
                  f"  let central = (f{i}({moved('+')}) - f{i}({moved('-')})) / (2 epsilon)",
                  f"  let h = jvp(g, {which})({all_of}, tangent = v)[1]",
                  f"  let back = jvp(g, {which})({all_of}, tangent = w)[1]",
                  "  let twice = " + ("inner(h, w)" if once else f"inner(grad((a, b, m, s) => inner(g(a, b, m, s), v), {which})({all_of}), w)"),
                  f"  let slope = (inner(g({moved('+')}), w) - inner(g({moved('-')}), w)) / (2 epsilon)",
                  f'  print "{i} ' + " ".join(["{:.17e}"] * 9) + '", d, inner(g0, v), central, square(g0), square(v), '
                  "inner(h, w), inner(back, v), twice, slope",
                  "}"]
    return "\n".join(lines + [f"test{i}()" for i in range(len(drawings))]) + "\n"


def complaints(line):
    name, *numbers = line.split()
    forward, reverse, central, g2, v2, hvw, hwv, twice, slope = map(float, numbers)
    size = (g2 * v2) ** 0.5
    hessian = max(abs(hvw), abs(slope), 1e-3 * size)
    wrong = []

    def near(what, a, b, bound):
        if not abs(a - b) <= bound:
            wrong.append(f"function {name}: {what}: {a} and {b}, expected to be within {bound:.1e}")

    if not size > 0:
        wrong.append(f"function {name}: the derivative is {size}")
    near("jvp and vjp", forward, reverse, 1e-12 * size)
    near("jvp and the central difference", forward, central, 1e-6 * size)
    near("second derivatives, jvp of grad in both orders", hvw, hwv, 1e-9 * hessian)
    near("second derivatives, jvp of grad and grad of grad", hvw, twice, 1e-9 * hessian)
    near("second derivatives, jvp of grad and the difference of gradients", hvw, slope, 1e-5 * hessian)
    return wrong


def main():
    pmc, scratch, *rest = sys.argv[1:]
    seed, count = (int(word) for word in rest + ["1", "4"][len(rest):])
    os.makedirs(scratch, exist_ok=True)
    spec, program = os.path.join(scratch, "spec.pm"), os.path.join(scratch, "spec")
    rng = random.Random(seed)
    decks = {}
    drawings = [Drawing(rng, decks) for _ in range(count)]
    with open(spec, "w") as file:
        file.write(spec_of(drawings))
    subprocess.run(pmc.split() + [spec, "-o", program, "--precision=f64"], check=True)
    text = subprocess.run([program, "--quiet", "--out", os.path.join(scratch, "out")], check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = text.splitlines()
    wrong = [complaint for line in lines for complaint in complaints(line)]
    if len(lines) != count:
        wrong.append(f"{len(lines)} lines of {count}")
    print(f"{len(lines)} functions, {len(wrong)} complaints")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
