"""Calls give the bits of the program's files, for every kind of value. argv: the spec, the program."""
import os
import subprocess
import sys

import numpy as np

import pmc

spec, program = sys.argv[1:]
sim = pmc.compile(spec, n=16, plan="estimate", threads=2)
sim.quiet = True
noise = np.random.default_rng(1).standard_normal((16, 16, 16)).astype("f4")
curve = np.array([[0, 1], [1, 4], [2, 5]], float)
np.save("noise.npy", noise)
np.save("curve.npy", curve)


def files(*flags):
    subprocess.run([program, "--noise=noise.npy", "--plan=estimate", "--threads=2", "--quiet", "--out=out", *flags],
                   check=True, stdout=subprocess.DEVNULL)
    return pmc.read("out")


def same(result, run):
    for name in ("scaled", "three", "modes", "total", "at_half"):
        assert result[name].dtype == run[name].dtype and result[name].shape == run[name].shape, name
        assert result[name].tobytes() == run[name].tobytes(), name
        assert result[name].unit == run[name].unit
        assert result[name].lengths == run[name].lengths, (name, result[name].lengths, run[name].lengths)
    for array in result.after:
        assert array.tobytes() == run["after" + array.iterations].tobytes()


first = sim(noise=noise)
assert [array.iterations for array in first.after] == ["_000", "_001", "_002"]
same(first, files())
assert first.scaled.dims == ("x", "y", "z") and first.scaled.lengths == (100, 100, 100)
assert np.array_equal(first.scaled.coords["y"], np.arange(16) * 6.25)
# Half of a spectrum has 9 of 16 modes along its last axis.
assert sim.outputs["modes"].half == (2, 16) and first.modes.shape == (16, 16, 9), sim.outputs["modes"]
assert sim.outputs["scaled"].half is None

values = dict(factor=0.3, box=50, shift=[2, 1 / 3], steps=1, seed=2**64 - 1)
second = sim(noise=noise, curve=curve, **values)
same(second, files("--factor=0.3", "--box=50", f"--shift=2,{1 / 3!r}", "--steps=1", f"--seed={2**64 - 1}",
                   "--curve=curve.npy"))
assert second.at_half == 2.5 and second.scaled.lengths == (50, 50, 50)
assert not np.array_equal(first.scaled, second.scaled)

# The text that help shows.
for line in ("noise: float32[x 16, y 16, z 16]  the field", "curve: table optional",
             "factor: f64 in (0, 10] = 2.0  multiplies the field", "box: f64 in (0, inf) = 100.0  Mpc/h",
             "steps: int in [0, inf) = 3", "modes: complex64[kx 16, ky 16, kz 9]", "after: float64 in a loop"):
    assert f"\n    {line}\n" in f"{sim.__doc__}\n", sim.__doc__

# Nothing of a call is left in the next one.
same(sim(noise=noise), files())
# NumPy agrees, and other layouts and precisions of the input are read.
f = 2 * noise.astype("f8") + 1
assert np.allclose(first.scaled, f + 3 * 0.125 * noise, rtol=1e-6, atol=1e-6)
assert np.allclose(first.modes, np.fft.rfftn(first.scaled) / 16**3, atol=1e-6)
for other in (noise.astype("f8"), np.asfortranarray(noise), np.repeat(noise, 2, axis=1)[:, ::2]):
    assert sim(noise=other).scaled.tobytes() == first.scaled.tobytes()
# A program that is loaded, and results that outlive it.
other = pmc.load(sim.path, plan="estimate", threads=2)
other.quiet = True
kept = other(noise=noise)
del other
# A name without a folder is a file of this folder.
folder = os.getcwd()
os.chdir(os.path.dirname(sim.path))
pmc.load(os.path.basename(sim.path), plan="estimate")
os.chdir(folder)
assert kept.scaled.tobytes() == first.scaled.tobytes()
assert (kept.scaled + 1).__class__ is np.ndarray
# Ranks are threads that share the arrays.
ranks = sim.ranks(mesh=dict(row=4))
for _ in range(2):
    several = ranks(noise=noise, curve=curve)
    for name in ("scaled", "three", "modes", "total"):
        assert several[name].shape == first[name].shape and np.allclose(several[name], first[name], atol=1e-5), name
    assert several.scaled.tobytes() == first.scaled.tobytes() and several.at_half == 2.5
# The cache finds the same spec, and another const is another program.
assert pmc.compile(spec, n=16, plan="estimate").path == sim.path
assert pmc.compile(spec, n=12).path != sim.path


class Shell:
    """What %load_ext needs of a notebook."""

    def __init__(self):
        self.cells, self.names = {}, {}

    def register_magic_function(self, function, kind, name):
        self.cells[kind, name] = function

    def push(self, names):
        self.names |= names


shell = Shell()
pmc.load_ipython_extension(shell)
shell.cells["cell", "pm"]("twice n=3", "const n = 2\ndim x = n\ninput a: field[x]\noutput b = 2 * a\n")
assert list(shell.names["twice"](a=[1, 2, 3]).b) == [2, 4, 6]

# Both parts of complex numbers, of every precision and layout, in programs of both precisions.
square_spec = "dim x = 4, y = 5\ninput a: complex field[x, y]\noutput b = a^2\n"
numbers = np.array([[1 + 2j, -3 + 0.5j, 4j, 5, 1 - 1j]] * 4) * np.arange(1, 5)[:, None]
for precision in ("f32", "f64"):
    square = pmc.compile(square_spec, precision=precision)
    for other in (numbers, numbers.astype("c8"), np.asfortranarray(numbers), np.repeat(numbers, 2, axis=1)[:, ::2]):
        assert np.allclose(square(a=other).b, numbers**2, rtol=1e-6, atol=0), (precision, other.dtype)

# Calls keep nothing.
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


twice, three = shell.names["twice"], np.arange(3.0)
growth = []
for _ in range(4):  # the first calls fill the allocator
    before = resident()
    for _ in range(10000):
        twice(a=three)
    growth.append(resident() - before)
assert min(growth) < 1 << 20, growth
costs = pmc.explain(spec, mesh=dict(row=2), n=16)
assert isinstance(costs, dict) and costs
print("the same bits")
