"""Programs for GPUs in sessions, on a simulated GPU. argv: the folder of specs."""
import ctypes
import sys
import threading

import numpy as np

import pmc
from gpu_arrays import Array, check, driver

folder = sys.argv[1]
gpu = ["--target=cuda", "--emulate-gpu"]


def current():
    context = ctypes.c_void_p()
    check(driver.cuCtxGetCurrent(ctypes.byref(context)))
    return context.value


host = pmc.compile(f"{folder}/run.pm", n=16)
sim = pmc.compile(f"{folder}/run.pm", n=16, flags=gpu)
host.quiet = sim.quiet = True
assert (host.target, sim.target) == ("cpu", "cuda")
rng = np.random.default_rng(1)
noise = rng.standard_normal((16, 16, 16)).astype("f4")


def near(result, expected, bound=2e-6):
    for name in ("scaled", "three", "modes", "total", "at_half"):
        a, b = np.asarray(result[name]), np.asarray(expected[name])
        assert a.shape == b.shape and a.dtype == b.dtype, name
        assert np.abs(a - b).max() <= bound * np.abs(b).max(), (name, np.abs(a - b).max())
    assert len(result.after) == len(expected.after)


# Arrays of NumPy, also of another precision; a session is used again; its thread has no context before and after.
assert current() is None
first = sim(noise=noise, factor=0.5)
near(first, host(noise=noise, factor=0.5))
assert first.scaled.lengths == (100, 100, 100) and first.scaled.dims == ("x", "y", "z")
again = sim(noise=noise.astype("f8"), factor=0.5)
assert again.modes.tobytes() == first.modes.tobytes()
near(sim(noise=noise, box=50), host(noise=noise, box=50))
assert current() is None
print("the same on the GPU")

# The context of the caller is the current one again after a run.
context = ctypes.c_void_p()
check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(driver.cuCtxSetCurrent(context))
there = Array.of(noise)
near(sim(noise=there, factor=0.5), first, 0)
assert current() == context.value
# Strides, outputs on the GPU and on the host, components that take turns.
turned = Array.of(noise.transpose(2, 1, 0).copy()).transposed()
outputs = {"scaled": Array((16, 16, 16), "f4"), "three": Array((16, 16, 16, 3), "f4"), "modes": Array((16, 16, 9), "c8"),
           "total": Array((), "f8"), "at_half": np.empty(())}
written = sim.into(outputs, noise=turned, factor=0.5)
for name, array in outputs.items():
    assert written[name] is array or name == "at_half"
    got = array.get() if isinstance(array, Array) else array
    assert got.tobytes() == np.asarray(first[name]).tobytes(), name
mine = np.zeros((16, 16, 16), "f4")
assert np.shares_memory(host.into({"scaled": mine}, noise=noise).scaled, mine)
assert np.array_equal(mine, host(noise=noise).scaled)
before = mine.copy()
host(noise=2 * noise)  # no longer writes to it
assert np.array_equal(mine, before)
print("arrays on the GPU")

# A run follows the work that is queued on the streams of its arrays. The simulated GPU does no work of a
# stream before a call waits for it.
spec = """
const n = 8
param b = 2
dim x = n, y = n over 10
mesh m(row = 1)
layout x -> row
input f: field[x, y]
output s = sum(f^3) * b
output g = b * f^2
"""
pair = [pmc.compile(spec, precision="f64", flags=flags) for flags in ([], gpu)]
for one in pair:
    one.quiet = True
stream = ctypes.c_void_p()
check(driver.cuStreamCreate(ctypes.byref(stream), 1))
f = rng.standard_normal((8, 8))
for number in range(2):  # the first run makes the session's memory
    late = Array.of((number + 1) * f, stream)
    assert np.array_equal(pair[1](f=late).g, 2 * ((number + 1) * f)**2), number
    target = Array((8, 8), "f8", stream)
    garbage = np.full((8, 8), 7.0)
    check(driver.cuMemcpyHtoDAsync_v2(target.address, garbage.ctypes.data_as(ctypes.c_void_p),
                                      ctypes.c_size_t(garbage.nbytes), stream))
    pair[1].into({"g": target}, f=f)
    check(driver.cuStreamSynchronize(stream))
    assert np.array_equal(target.get(), 2 * f**2), number
print("streams")

# A session is made by one thread and used and freed by others.
found = {}


def call(number):
    try:
        found[number] = sim(noise=there if number % 2 else noise, factor=0.5)
        found[number].left = current()
    except BaseException as error:
        found[number] = error


for many in (1, 4):
    threads = [threading.Thread(target=call, args=(i,)) for i in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(many):
        assert not isinstance(found[number], BaseException), found[number]
        near(found[number], first, 0)
        assert found[number].left is None
print("threads")

values = dict(f=f, b=1.5)
cotangent = rng.standard_normal((8, 8))
gradients = [one.vjp(**values)[1](g=cotangent, s=0.5) for one in pair]
assert np.allclose(gradients[0].f, gradients[1].f, rtol=1e-13)
assert np.allclose(gradients[1].f, 2 * 1.5 * values["f"] * cotangent + 1.5 * values["f"]**2 * 3 * 0.5, rtol=1e-12)
assert np.allclose(gradients[0].b, gradients[1].b, rtol=1e-13)
tangents = pair[1].jvp({"f": cotangent}, **values)
assert np.allclose(tangents.g, 3 * values["f"] * cotangent, rtol=1e-13)
print("derivatives")

two = sim.ranks(mesh={"row": 2})
two.quiet = True
near(two(noise=noise, factor=0.5), first)
near(two(noise=there, factor=0.5), first)
both = {"scaled": Array((16, 16, 16), "f4"), "three": Array((16, 16, 16, 3), "f4")}
two.into(both, noise=there, factor=0.5)
for name, array in both.items():
    assert np.allclose(array.get(), first[name], rtol=2e-6, atol=1e-6), name
print("ranks")


def fails(kind, text, work):
    try:
        work()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)


fails(pmc.InputError, "input 'noise' is in the memory of a GPU, but the program runs on the CPU; copy it to the host, "
      "or compile with --target=cuda", lambda: host(noise=there))
fails(pmc.InputError, "output 'scaled' is in the memory of a GPU",
      lambda: host.into({"scaled": outputs["scaled"]}, noise=noise))
fails(pmc.InputError, "has elements f64 in the memory of a GPU, expected f32; convert it there",
      lambda: sim(noise=Array.of(noise.astype("f8"))))
fails(pmc.InputError, "input 'curve' is a table, which the host reads",
      lambda: sim(noise=noise, curve=Array.of(np.array([[0, 1], [1, 2.]]))))
fails(pmc.InputError, "in row-major order",
      lambda: sim.into({"scaled": outputs["scaled"].transposed()}, noise=noise))
fails(pmc.InputError, "cannot be written to elements float64, expected float32",
      lambda: sim.into({"scaled": Array((16, 16, 16), "f8")}, noise=noise))
fails(pmc.InputError, "the program run has no output 'scale'", lambda: sim.into({"scale": mine}, noise=noise))
fails(pmc.InputError, "cannot be written to list", lambda: sim.into({"scaled": [1]}, noise=noise))
bad = noise.copy()
bad[1, 2, 3] = np.nan
for one in (bad, Array.of(bad)):
    fails(pmc.InputError, "input 'noise' is not finite: element [1, 2, 3] is nan", lambda one=one: sim(noise=one))
fails(pmc.RunError, "step 0 has", lambda: sim(noise=noise, most=1e-3))
near(sim(noise=noise, factor=0.5), first, 0)  # after a failure
fails(pmc.InputError, "option 'device'", lambda: pmc.load(host.path, device=1))
loaded = pmc.load(sim.path, device=0)
loaded.quiet = True
near(loaded(noise=noise, factor=0.5), first, 0)
print("errors")
