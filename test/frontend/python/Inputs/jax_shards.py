"""A spec in jax.shard_map over two devices: the numbers and gradients of one. argv: nbody.pm."""
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax import numpy as jnp  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import pmc  # noqa: E402

jax.config.update("jax_enable_x64", True)
sim = pmc.compile(sys.argv[1], precision="f64", flags=["--deterministic"], threads=1)
noise, weight = jnp.asarray(np.random.default_rng(5).standard_normal((2, 8, 8, 8)))
names = ("noise", "omega_m")
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("row",))
part = sim.jax(*names, of=["density", "disp", "energy"], shards=dict(row=2))
sharded = jax.shard_map(lambda w, o: part(w, o), mesh=mesh, in_specs=(P("row"), P()),
                        out_specs={"density": P("row"), "disp": P("row"), "energy": P()}, check_vma=False)
whole = sim.jax(*names, of=["density", "disp", "energy"])
for call in (sharded, jax.jit(sharded)):
    found, alone = call(noise, 0.31), whole(noise, 0.31)
    for name in alone:
        assert np.asarray(found[name]).tobytes() == np.asarray(alone[name]).tobytes(), name


def loss(f):
    def value(w, o):
        found = f(w, o)
        return jnp.sum(weight * found["density"]) + 2 * found["energy"] + jnp.sum(found["disp"] ** 2)
    return jax.jit(jax.grad(value, argnums=(0, 1)))


ours, alone = loss(sharded)(noise, 0.31), loss(whole)(noise, 0.31)
assert np.allclose(ours[0], alone[0], rtol=1e-12, atol=1e-12 * np.abs(alone[0]).max()), np.abs(ours[0] - alone[0]).max()
assert np.allclose(ours[1], alone[1], rtol=1e-12), (ours[1], alone[1])

# The gradient of given cotangents has the same bits.
cotangents = {"density": weight, "disp": jnp.stack([noise, weight, noise], axis=-1), "energy": jnp.asarray(2.0)}
ours, alone = (jax.vjp(f, noise, 0.31)[1](cotangents) for f in (sharded, whole))
for one, other in zip(ours, alone):
    assert np.asarray(one).tobytes() == np.asarray(other).tobytes(), np.abs(one - other).max()

# Products with the Hessian.
products = [jax.jvp(loss(f), (noise, 0.31), (weight, 0.2))[1] for f in (sharded, whole)]
for one, other in zip(*products):
    assert np.allclose(one, other, rtol=1e-10, atol=1e-10 * np.abs(other).max()), np.abs(one - other).max()

# An error is one of all devices, and the next call works.
try:
    jax.block_until_ready(sharded(noise, -1.0))
    raise AssertionError("an error is expected")
except jax.errors.JaxRuntimeError as error:
    print(str(error).split("\n")[0])
assert np.array_equal(jax.jit(sharded)(noise, 0.31)["density"], whole(noise, 0.31)["density"])
print("shards agree")
