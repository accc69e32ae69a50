#!/usr/bin/env python3
"""Values beyond the edge, modes of transforms, dims in another order and twelve of them, against NumPy.

    edges.py PMC FOLDER MESHES...

A case is an expression of f and what NumPy makes of f. The program writes it, and prints <V f, w> and <f, V^T w> of the
linear ones."""
import os
import re
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

TWELVE = "abcdeghijklm"
HEADER = """
param v = 1.5
param mode: int = -2
dim x = 9, y = 6, z = 4 over 1
dim p = 5, q = 3, five = 5, wide = 14, all = 9, u = 2, more = 3
dim a = 3, b = 2, c = 3, d = 2, e = 2, g = 2, h = 2, i = 2, j = 2, k = 2, l = 2, m = 3
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row, all -> row, a -> row, m -> col
let f = white_noise[x, y, z](1)
let s = white_noise[y, z](2)
let t = white_noise[z, x](3)
let n = white_noise[a, b, c, d, e, g, h, i, j, k, l, m](4)
let c1 = white_noise[x, y, z](5) + 1i * white_noise[x, y, z](6)
output f
output s
output t
output n
output c1 = real(c1)
output c2 = imag(c1)
"""


def padded(f, axis, below, above, value):
    widths = [(0, 0)] * f.ndim
    widths[axis] = (below, above)
    return np.pad(f, widths, constant_values=value)


def beside(f, axis, offset, value):
    """f(i + o), and the value beyond the ends."""
    n = f.shape[axis]
    far = abs(offset)
    return np.take(padded(f, axis, far, far, value), np.arange(n) + far + offset, axis)


def at(f, axis, index, value):
    """f at the index, an array of one or two dims; the value beyond the ends."""
    n = f.shape[axis]
    low, high = max(-index.min(), 0), max(index.max() - n + 1, 0)
    return np.take(padded(f, axis, low, high, value), index + low, axis)


def filled(f, axis, offset, other):
    """The same with a field beyond the ends."""
    holes = beside(np.zeros(f.shape), axis, offset, 1)
    return np.where(holes > 0, other, beside(f, axis, offset, 0))


def modes(f, axis, first, count, period=None):
    """Modes from `first` on, along axis; zeros beyond the existing ones, or again."""
    n = f.shape[axis]
    numbers = np.arange(count) + first
    inside = (numbers >= -(n // 2)) & (numbers <= (n - 1) // 2)
    shape = [1] * f.ndim
    shape[axis] = count
    return np.take(f, numbers % n, axis) * (1 if period else inside.reshape(shape))


def mode_shift(f, axis, by, value=None):
    n = f.shape[axis]
    numbers = np.fft.fftfreq(n, 1 / n).astype(int) + by
    moved = np.take(f, numbers % n, axis)
    if value is None:
        return moved
    shape = [1] * f.ndim
    shape[axis] = n
    inside = ((numbers >= -(n // 2)) & (numbers <= (n - 1) // 2)).reshape(shape)
    return np.where(inside, moved, value)


class Inputs:
    def __init__(self, read):
        self.f, self.s, self.t, self.n = (read(name) for name in "fstn")
        self.c = read("c1") + 1j * read("c2")
        self.xk = np.fft.fft(self.c, axis=0) / 9
        self.yk = np.fft.fft(self.c, axis=1) / 6
        self.half = np.fft.rfft(self.f, axis=2) / 4


# The expression; what it is.
CASES = [
    ("f[x + 1, edge = 3]", lambda i: beside(i.f, 0, 1, 3)),
    ("f[x - 2, y + 1, edge = (v, \"zero\")]", lambda i: beside(beside(i.f, 1, 1, 0), 0, -2, 1.5)),
    ("f[x + 1, y - 1, edge = (1, 2)]", lambda i: beside(beside(i.f, 1, -1, 2), 0, 1, 1)),
    ("f[x - 2, y + 2, z - 1, edge = (\"reflect\", 2 * v, \"clamp\")]",
     lambda i: beside(np.take(np.take(i.f, [2, 1, 0, 1, 2, 3, 4, 5, 6], 0), [0, 0, 1, 2], 2), 1, 2, 3)),
    ("f[x - 2, y + 1, edge = (\"zero\", v)]", lambda i: beside(beside(i.f, 1, 1, 1.5), 0, -2, 0)),
    ("f[y + 1, x - 2, z - 1, edge = (\"zero\", v, \"zero\")]",
     lambda i: beside(beside(beside(i.f, 2, -1, 0), 0, -2, 1.5), 1, 1, 0)),
    ("f[x + 1, y = 2 * u + more - 1, edge = (\"zero\", 6)]",
     lambda i: beside(at(i.f, 1, np.add.outer(2 * np.arange(2), np.arange(3)) - 1, 6), 0, 1, 0)),
    ("f[x + 20, edge = -1]", lambda i: -np.ones((9, 6, 4))),
    ("f[z + 1, edge = s]", lambda i: filled(i.f, 2, 1, np.broadcast_to(i.s, (9, 6, 4)))),
    ("f[z + 1, edge = f]", lambda i: filled(i.f, 2, 1, i.f)),
    ("map q in f => f[x + 1, edge = 2 * v] - f[x - 1, edge = f]", lambda i: beside(i.f, 0, 1, 3) - filled(i.f, 0, -1, i.f)),
    ("(f, 2 * f)[y - 1, z - 1, edge = ((7, 8), \"zero\")][1]", lambda i: beside(beside(2 * i.f, 2, -1, 0), 1, -1, 8)),
    ("shift(f, x = 2, edge = 4)", lambda i: beside(i.f, 0, -2, 4)),
    ("{ let a = f > 0.3; map q in f => if a[y + 1, edge = true] then 1 else 0 }", lambda i: beside((i.f > 0.3) * 1.0, 1, 1, 1)),
    ("f[x + 1, edge = 3][x - 1, edge = 5]", lambda i: beside(beside(i.f, 0, 1, 3), 0, -1, 5)),
    ("f[x = wide - 3, edge = 9]", lambda i: at(i.f, 0, np.arange(14) - 3, 9)),
    ("f[x = 3 * coarsen(x, 3) + five - 2, edge = v]", lambda i: at(i.f, 0, np.add.outer(3 * np.arange(3), np.arange(5)) - 2, 1.5)),
    ("f[x + 1, y = 2 * u + more - 1, edge = (4, 6)]",
     lambda i: beside(at(i.f, 1, np.add.outer(2 * np.arange(2), np.arange(3)) - 1, 6), 0, 1, 4)),
    ("imag((f + 2i * f)[x + 1, edge = 3 + 4i])", lambda i: beside(2 * i.f, 0, 1, 4)),
    # Orders of dims.
    ("f + t", lambda i: i.f + i.t.T[:, None, :]),
    ("map q in [z, x, y] => f * t", lambda i: (i.f * i.t.T[:, None, :]).transpose(2, 0, 1)),
    ("map q in [y, x, z] => f[x + 1]", lambda i: np.roll(i.f, -1, 0).transpose(1, 0, 2)),
    ("t * f", lambda i: i.f * i.t.T[:, None, :]),
    ("s * t * f", lambda i: (np.einsum("yz,zx->yzx", i.s, i.t) * i.f.transpose(1, 2, 0))),
    ("f / (2 + t^2)", lambda i: i.f / (2 + i.t.T[:, None, :] ** 2)),
    ("(2 + t^2) / (f + 9)", lambda i: (2 + i.t.T[:, None, :] ** 2) / (i.f + 9)),
    ("s * t", lambda i: np.einsum("yz,zx->yzx", i.s, i.t)),
    ("sum(t * f, over = z)", lambda i: np.einsum("zx,xyz->xy", i.t, i.f)),
    ("sum((map q in [z, y] => s) * f, over = (y, z))", lambda i: np.einsum("yz,xyz->x", i.s, i.f)),
    ("max((map q in [z, y, x] => f) - f, over = y)", lambda i: np.zeros((4, 9))),
    ("real(fft(c1, over = x) * (map q in [z, y] => 1 + index(q, z)))", lambda i: i.xk.real * (1 + np.arange(4))),
    ("ifft(fft(f, over = z) * (map q in [y, x] => 1 + index(q, x)), over = z)", lambda i: i.f * (1 + np.arange(9))[:, None, None]),
    # Modes.
    ("real(fft(c1, over = x)[x + 2])", lambda i: mode_shift(i.xk, 0, 2).real),
    ("imag(fft(c1, over = y)[y - 1, edge = \"zero\"])", lambda i: mode_shift(i.yk, 1, -1, 0).imag),
    ("real(fft(c1, over = y)[y + 2, edge = v])", lambda i: mode_shift(i.yk, 1, 2, 1.5).real),
    ("real(fft(c1, over = x)[x = p - 2])", lambda i: modes(i.xk, 0, -2, 5).real),
    ("imag(fft(c1, over = x)[x = wide - 7, edge = \"zero\"])", lambda i: modes(i.xk, 0, -7, 14).imag),
    ("imag(fft(c1, over = y)[y = five - 4, edge = \"periodic\"])", lambda i: modes(i.yk, 1, -4, 5, True).imag),
    ("real(fft(c1, over = y)[y = -3])", lambda i: i.yk[:, 3].real),
    ("real(fft(c1, over = x)[x = mode])", lambda i: i.xk[-2].real),
    ("imag(fft(c1, over = (x, y))[x = all - 4, y = 2])", lambda i: modes(np.fft.fft(i.yk, axis=0) / 9, 0, -4, 9)[:, 2].imag),
    ("norm2(fft(c1, over = x)[y = q + 1])", lambda i: np.abs(i.xk[:, 1:4]) ** 2),
    ("ifft(fft(f, over = z)[y = q + 1], over = z)", lambda i: i.f[:, 1:4]),
    ("imag(fft(f, over = z)[y - 1, x = 2 * u + more, edge = \"zero\"])",
     lambda i: beside(np.take(i.half, np.add.outer(2 * np.arange(2), np.arange(3)), 0), 2, -1, 0).imag),
    # Twelve dims.
    ("n[a + 1, m - 1, g + 1, edge = (\"clamp\", 2, \"periodic\")]",
     lambda i: beside(np.roll(np.take(i.n, [1, 2, 2], 0), -1, 5), 11, -1, 2)),
    ("sum(n^2, over = (b, d, g, i, k, m))", lambda i: (i.n**2).sum((1, 3, 5, 7, 9, 11))),
    ("n[a = more, d = 1, m = u + 1]", lambda i: i.n[:, :, :, 1, ..., 1:3]),
    ("real(fft(n + 0i, over = (a, c, m)))", lambda i: np.fft.fftn(i.n, axes=(0, 2, 11)).real / 27),
    ("ifft(fft(n))", lambda i: i.n),
    ("map q in [%s] => n" % ", ".join(reversed(TWELVE)), lambda i: i.n.T),
    ("n with {[h = 1, m = 0] = 5, [a = 2] += n[a = 0]}", lambda i: updated(i.n)),
]
# Of these <V f, w> = <f, V^T w>; jvp leaves out what does not depend on f.
LINEAR = [i for i, (text, _) in enumerate(CASES) if not re.search(r"\^|\bmax|norm2|f > |imag\(fft\(f,", text)]


def updated(n):
    changed = n.copy()
    changed[:, :, :, :, :, :, 1, ..., 0] = 5
    changed[2] += n[0]
    return changed


def spec():
    lines = [HEADER]
    for i, (text, _) in enumerate(CASES):
        name = next(name for name in ("c1", "n", "f", "t") if re.search(rf"\b{name}\b", text))
        lines.append(f"fn of{i}({name}) = {text}")
        lines.append(f"output case{i} = of{i}({name})")
        if i in LINEAR:
            tangent = "0.5 * c1 + conj(c1)" if name == "c1" else f"cos(3 * {name})"
            lines.append(f"let t{i} = {tangent}")
            lines.append(f"let (value{i}, along{i}) = jvp(of{i})({name}, tangent = t{i})")
            lines.append(f"let w{i} = sin(2 * value{i}) + 0.3")
            lines.append(f"let back{i} = vjp(of{i})({name}, cotangent = w{i})[1]")
            lines.append(f'print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(along{i}, w{i}), inner(t{i}, back{i}), '
                         f"sqrt(inner(t{i}, t{i}) * inner(w{i}, w{i}))")
    # What lies beyond has a derivative, too.
    lines.append("""
fn energy(v) = sum(f[x + 2, edge = v]^3)
fn wall(s) = sum(f[z - 1, edge = s]^3)
print "slope {:.15e}", grad(energy)(v)
output by_wall = grad(wall)(s)
""")
    return "\n".join(lines)


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    inputs = Inputs(read)
    expected = {f"case{i}": of(inputs) for i, (_, of) in enumerate(CASES)}
    expected["by_wall"] = 3 * 9 * inputs.s**2 * [1, 0, 0, 0]
    for name, wanted in expected.items():
        found = read(name)
        if found.shape != wanted.shape or not np.allclose(found, wanted, 1e-13, 1e-13):
            which = CASES[int(name[4:])][0] if name[4:].isdigit() else name
            sys.exit(f"{folder}: {name} ({which}) is not NumPy's: {found.shape}, {wanted.shape}, "
                     + (str(np.abs(found - wanted).max()) if found.shape == wanted.shape else ""))
    slope = float(re.search(r"slope (\S+)", text)[1])
    if not abs(slope - 2 * 6 * 4 * 3 * 1.5**2) < 1e-10:
        sys.exit(f"{folder}: the derivative by what lies beyond is {slope}")


def main():
    for mesh, _, out, text in meshes.runs("edges", spec()):
        check(out, text)
        meshes.check_pairs(mesh, text, len(LINEAR), lambda case: CASES[int(case)][0])
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
