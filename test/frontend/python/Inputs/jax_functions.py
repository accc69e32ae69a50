"""A spec as a function of JAX. argv: a spec."""
import sys

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


def loss(w, o):
    return jnp.sum(f(w, o)["density"] ** 2)


value, slopes = jax.jit(jax.value_and_grad(loss, argnums=(0, 1)))(noise, 0.31)
pulled = sim.vjp(noise=noise, omega_m=0.31)[1](density=2 * np.asarray(plain.density))
assert np.allclose(slopes[0], pulled.noise, rtol=1e-12) and np.allclose(slopes[1], pulled.omega_m, rtol=1e-12)
several = jnp.array([0.3, 0.31])
assert np.allclose(jax.vmap(lambda o: loss(noise, o))(several), [loss(noise, o) for o in several], rtol=1e-12)
assert np.allclose(jax.vmap(jax.grad(loss, argnums=1), (None, 0))(noise, several)[1], slopes[1], rtol=1e-12)
print("JAX agrees")
