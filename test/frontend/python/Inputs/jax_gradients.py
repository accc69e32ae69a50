"""Gradients of lensing and of SENSE in f64 against differences of JAX. argv: a folder of specs."""
import sys

import jax
import numpy as np
from jax import numpy as jnp
from jax.test_util import check_grads

import pmc

jax.config.update("jax_enable_x64", True)
random = np.random.default_rng(7)


def check(f, *values):
    check_grads(f, values, order=1, modes=["rev"], rtol=1e-5, atol=1e-5)


def complex_normal(*shape):
    return jnp.asarray(random.standard_normal(shape) + 1j * random.standard_normal(shape))


born = pmc.compile(f"{sys.argv[1]}/born.pm", precision="f64", plan="estimate")
check(lambda w, o: born.jax("noise", "omega_m")(w, o)["kappa"] * 100, random.standard_normal((8, 8, 8)), 0.31)

sense = pmc.compile(f"{sys.argv[1]}/sense.pm", precision="f64", plan="estimate")
image, kspace, spectrum = complex_normal(8, 6, 4), complex_normal(3, 8, 6, 4), complex_normal(8, 6, 3)
fixed = dict(image=image, kspace=kspace, spectrum=spectrum)


def part(*names, of):
    others = {name: value for name, value in fixed.items() if name not in names}
    return lambda *values: sense.jax(*names, of=[of], **others)(*values)[of]


check(part("image", of="data"), image)
check(part("image", of="misfit"), image)
check(part("kspace", "ridge", of="reconstruction"), kspace, 0.02)
# Half spectra: each element is a number of JAX, though most stand for two modes.
check(part("image", of="modes"), image)
check(part("spectrum", of="waves"), spectrum)
# The derivative of a real number with respect to a complex array, which JAX computes by itself.
weight = jnp.asarray(random.standard_normal((8, 6, 3)))
own = lambda x: jnp.sum(weight * jnp.abs(jnp.fft.rfftn(jnp.real(x)) / x.size) ** 2)
ours = lambda x: jnp.sum(weight * jnp.abs(part("image", of="modes")(x)) ** 2)
assert jnp.allclose(own(image), ours(image), rtol=1e-12)
assert jnp.allclose(jax.grad(own)(image), jax.grad(ours)(image), rtol=1e-10)
print("gradients agree")
