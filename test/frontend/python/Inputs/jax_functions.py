"""A spec as a function of JAX. argv: the specs nbody.pm and run.pm."""
import gc
import os
import signal
import sys
import threading
import time

import jax
import numpy as np
from jax import numpy as jnp
from jax.test_util import check_grads

import pmc

jax.config.update("jax_enable_x64", True)
sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
noise = jnp.asarray(np.random.default_rng(5).standard_normal((8, 8, 8)))
f = sim.jax("noise", "omega_m", of=["density", "energy"])
plain = sim(noise=noise, omega_m=0.31)
assert np.array_equal(f(noise, 0.31)["density"], plain.density)
check_grads(lambda w, o: f(w, o), (noise, 0.31), order=1, modes=["rev"], rtol=1e-5, atol=1e-5)
# Lists, outputs of several components, and values that every call has.
weights = jnp.array([0.5, 3.0])
check_grads(sim.jax("weights", "amplitude", of=["disp", "energy"], noise=noise, omega_m=0.31), (weights, 1.2), order=1,
            modes=["rev"], rtol=1e-5, atol=1e-5)
lists = sim.jax("omega_m", of=["energy"], noise=np.asarray(noise), weights=[0.5, 3])
assert lists(0.31)["energy"] == sim(noise=noise, omega_m=0.31, weights=[0.5, 3]).energy


def loss(w, o):
    return jnp.sum(f(w, o)["density"] ** 2)


# XLA calls the runtime, not Python.
text = jax.jit(jax.value_and_grad(loss, argnums=(0, 1))).lower(noise, 0.31).as_text()
assert text.count("stablehlo.custom_call @pmc(") == 2 and "callback" not in text, text
value, slopes = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(noise, 0.31)
pulled = sim.vjp(noise=noise, omega_m=0.31)[1](density=2 * np.asarray(plain.density))
assert np.array_equal(slopes[0], pulled.noise) and slopes[1] == pulled.omega_m
several = jnp.array([0.3, 0.31])
assert np.array_equal(jax.vmap(lambda o: loss(noise, o))(several), [loss(noise, o) for o in several])
assert np.array_equal(jax.vmap(jax.grad(loss, argnums=1), (None, 0))(noise, several)[1], slopes[1])
# Two batches: every noise with every parameter.
noises = jnp.stack([noise, 2 * noise, 3 * noise])
table = jax.vmap(lambda w: jax.vmap(lambda o: loss(w, o))(several))(noises)
assert np.array_equal(table, [[loss(w, o) for o in several] for w in noises])

# Calls from several threads, each with memory of its own.
compiled = jax.jit(loss)
results = {}
threads = [threading.Thread(target=lambda k=k: results.update({k: compiled(k * noise, 0.31)})) for k in (1, 2, 3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
# XLA may add in another order when it compiles the sum, so that only calls of one function have the same bits.
assert [results[k] for k in (1, 2, 3)] == [compiled(k * noise, 0.31) for k in (1, 2, 3)]
assert np.allclose([results[k] for k in (1, 2, 3)], table[:, 1], rtol=1e-5)

# A failure has its place in the spec, and the next call works.
run = pmc.compile(sys.argv[2], plan="estimate")
ones = jnp.ones((8, 8, 8), jnp.float32)
g = jax.jit(run.jax("noise", "most", "seed", of=["scaled", "total"], steps=30))
for most, seed in ((4.5, 1), (1e9, -1)):
    try:
        g(ones, most, seed)["total"].block_until_ready()
        raise AssertionError("an error is expected")
    except jax.errors.JaxRuntimeError as error:
        print(str(error).split("\n")[0])
try:
    jax.jit(run.jax("noise", "factor"))(ones, -1)["total"].block_until_ready()
    raise AssertionError("an error is expected")
except jax.errors.JaxRuntimeError as error:
    print(str(error).split("\n")[0])
assert np.array_equal(g(ones, 1e9, 1)["scaled"], run(noise=np.ones((8, 8, 8)), steps=30).scaled)
# Ctrl-C ends a run during a computation. The next call works.
signal.signal(signal.SIGINT, signal.default_int_handler)
for _ in range(2):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    try:
        try:
            jax.jit(run.jax("noise", "steps", of=["total"]))(ones, 10**9)["total"].block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            assert "interrupted" in str(error), error  # Python calls its handler here
        raise AssertionError("not interrupted")
    except KeyboardInterrupt:
        late = time.monotonic() - begin - 0.5
        assert late < 2, late
assert g(ones, 1e9, 1)["total"] == run(noise=ones, steps=30).total
# Subnormal numbers, which XLA flushes to zero on its threads.
tiny = np.full((8, 8, 8), 1e-40, "f4")
exact = run(noise=tiny, shift=[0, 0], steps=0).scaled
assert exact.min() > 0
assert np.array_equal(run.jax("noise", of=["scaled"], shift=[0, 0], steps=0)(tiny)["scaled"], exact)

# JAX of 32 bits: f64 parameters and results, elements of another precision, whole numbers.
with jax.enable_x64(False):
    narrow = sim.jax("noise", "omega_m", of=["density", "energy"])(jnp.asarray(np.asarray(noise, "f4")), 0.31)
    single = sim(noise=np.asarray(noise, "f4"), omega_m=float(np.float32(0.31)))
    assert narrow["density"].dtype == np.float32
    assert np.array_equal(narrow["density"], single.density.astype("f4"))
    assert narrow["energy"] == np.float32(single.energy)
    half = run.jax("noise", "factor", "steps", of=["total"])(ones.astype(jnp.bfloat16), np.int32(3), jnp.int16(2))
    assert half["total"] == np.float32(run(noise=ones, factor=3, steps=2).total)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


# Calls keep nothing, also those of functions that were made anew.
twice = pmc.compile("const n = 2\ndim x = n\ninput a: field[x]\noutput b = 2 * a\n", threads=1)
double = jax.jit(twice.jax("a"))
two = jnp.arange(2, dtype=jnp.float32)
growth = []
for _ in range(4):  # the first calls fill the allocator
    before = resident()
    for _ in range(10000):
        double(two)["b"].block_until_ready()
    growth.append(resident() - before)
assert min(growth) < 1 << 20, growth
del f, g, double
gc.collect()
# Shapes are checked: other leading dimensions are for vmap alone.
def refused(text, work):
    try:
        work()
    except pmc.InputError as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)


f = sim.jax("noise", "omega_m")
for shape in ((2, *noise.shape), (1, *noise.shape), noise.shape[1:], ()):
    refused(f"input 'noise' has shape {tuple(shape)}, expected {noise.shape}; use jax.vmap for a batch",
            lambda shape=shape: f(jnp.ones(shape), 0.3))
refused("parameter 'omega_m' has shape (2,), expected (); use jax.vmap", lambda: f(noise, jnp.array([0.3, 0.4])))
refused("did you mean 'omega_m'?", lambda: sim.jax("omega"))
refused("'noise' is real, but its value has complex numbers", lambda: f(noise + 1j * noise, 0.3))
refused("'omega_m' is real, but its value has complex numbers", lambda: jax.jit(f)(noise, 0.3 + 1j))
refused("'noise' is an argument of the function and has a fixed value; give one of them",
        lambda: sim.jax("noise", noise=np.zeros((2, 2, 2))))
refused("of='density' is not a list of outputs; write of=['density']", lambda: sim.jax("noise", of="density"))
labels = pmc.compile("""
dim i = 4
input label: int field[i]
input weight: field[i]
output total = sum(map q in [i] => if label == 2 then weight else 0.0)
""")
totals = labels.jax("label", "weight")
assert totals(jnp.array([1, 2, 2, 0]), jnp.arange(4.0))["total"] == 3
jax.config.update("jax_enable_x64", False)  # the default: integers have 32 bits
assert totals(jnp.array([1, 2, 2, 0]), jnp.arange(4.0))["total"] == 3
print("JAX agrees")
