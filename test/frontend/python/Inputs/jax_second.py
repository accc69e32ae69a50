"""Second derivatives in JAX, f64, against differences. argv: nbody.pm, a folder of specs."""
import sys

import jax
import numpy as np
from jax import numpy as jnp
from jax.test_util import check_grads

import pmc

jax.config.update("jax_enable_x64", True)
random = np.random.default_rng(5)


def near(found, expected, tolerance=1e-5):
    scale = np.abs(np.asarray(expected)).max()
    assert scale > 1e-4, scale
    assert np.allclose(found, expected, rtol=tolerance, atol=tolerance * scale), np.abs(found - expected).max() / scale


sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
f = sim.jax("noise", "omega_m", "weights", of=["density", "energy"])
noise, direction = (jnp.asarray(one) for one in random.standard_normal((2, 8, 8, 8)))
point, step = (noise, 0.31, jnp.array([0.5, 3.0])), (direction, 0.2, jnp.array([0.4, 0.7]))


def loss(w, o, weights):
    found = f(w, o, weights)
    return jnp.sum(found["density"] ** 3) + found["energy"]


# Forward mode, and products with the Hessian, one by one and for several directions.
check_grads(f, point, order=1, modes=["fwd", "rev"], rtol=1e-5, atol=1e-5)
slopes = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))
moved = lambda h: slopes(*(one + h * other for one, other in zip(point, step)))
product = jax.jit(lambda *tangents: jax.jvp(slopes, point, tangents)[1])
found, after, before = product(*step), moved(1e-5), moved(-1e-5)
for one, other, third in zip(found, after, before):
    near(one, (other - third) / 2e-5)
both = jax.vmap(product)(*(jnp.stack([one * 1.0, 2.0 * one]) for one in map(jnp.asarray, step)))
for one, alone in zip(both, found):
    near(one[0], alone, 1e-12), near(one[1], 2 * alone, 1e-12)
# The same in reverse mode.
inner = lambda *values: sum(jnp.sum(one * other) for one, other in zip(slopes(*values), step))
for one, other in zip(jax.grad(inner, argnums=(0, 1, 2))(*point), found):
    near(one, other, 1e-9)
# The Hessian of a few numbers.
numbers = lambda pair: loss(noise, pair[0], jnp.array([0.5, pair[1]]))
pair = jnp.array([0.31, 3.0])
hessian, h = jax.hessian(numbers)(pair), 1e-5
rows = [(jax.grad(numbers)(pair + h * axis) - jax.grad(numbers)(pair - h * axis)) / (2 * h) for axis in np.eye(2)]
near(hessian, np.stack(rows))
near(jax.jacfwd(jax.jacfwd(numbers))(pair), hessian, 1e-9)
near(jax.jacrev(jax.jacrev(numbers))(pair), hessian, 1e-9)


# SENSE: complex arrays and half spectra, whose products JAX computes by itself, too.
def complex_normal(*shape):
    return jnp.asarray(random.standard_normal(shape) + 1j * random.standard_normal(shape))


sense = pmc.compile(f"{sys.argv[2]}/sense.pm", precision="f64", plan="estimate")
image, kspace, spectrum = complex_normal(8, 6, 4), complex_normal(3, 8, 6, 4), complex_normal(8, 6, 3)
fixed = dict(image=image, kspace=kspace, spectrum=spectrum)


def part(*names, of):
    others = {name: value for name, value in fixed.items() if name not in names}
    return lambda *values: sense.jax(*names, of=[of], **others)(*values)[of]


weight = jnp.asarray(random.standard_normal((8, 6, 3)))
own = lambda x: jnp.sum(weight * jnp.abs(jnp.fft.rfftn(jnp.real(x)) / x.size) ** 4)
ours = lambda x: jnp.sum(weight * jnp.abs(part("image", of="modes")(x)) ** 4)
turn = complex_normal(8, 6, 4)
product = lambda f: jax.jvp(jax.grad(f), (image,), (turn,))[1]
near(product(ours), product(own), 1e-9)
reverse = lambda f: jax.grad(lambda x: jnp.sum(jnp.real(jax.grad(f)(x) * turn)))(image)
near(reverse(ours), reverse(own), 1e-9)
check_grads(lambda x: part("image", of="misfit")(x), (image,), order=2, rtol=1e-5, atol=1e-5)
check_grads(lambda s: jnp.sum(part("spectrum", of="waves")(s) ** 2), (spectrum,), order=2, rtol=1e-5, atol=1e-5)
print("second derivatives agree")
