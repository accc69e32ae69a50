"""Gradients of an N-body simulation against differences of its calls. argv: a spec."""
import sys

import numpy as np

import pmc

sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
random = np.random.default_rng(5)
noise, direction = random.standard_normal((2, 8, 8, 8))
point = dict(noise=noise, omega_m=0.31, amplitude=1.2, weights=[0.5, 3])
step = dict(noise=direction, omega_m=0.2, amplitude=-0.3, weights=[0.4, 0.7])


def near(h):
    return sim(**{name: np.asarray(value) + h * np.asarray(step[name]) for name, value in point.items()})


value, pull = sim.vjp(**point)
assert value.density.tobytes() == sim(**point).density.tobytes()
after, before = near(1e-5), near(-1e-5)
weights = {name: random.standard_normal(value[name].shape) for name in ("density", "disp", "energy")}
# One output, several at once, and components.
for of in (("density",), ("disp",), ("energy",), ("density", "disp", "energy")):
    difference = sum(np.sum((after[name] - before[name]) * weights[name]) for name in of) / 2e-5
    gradient = pull(**{name: weights[name] for name in of})
    product = sum(np.sum(gradient[name] * np.asarray(step[name])) for name in point)
    assert abs(difference - product) < 1e-6 * max(1, abs(difference)), (of, difference, product)
assert set(gradient) == set(point) and gradient.noise.shape == noise.shape and gradient.weights.shape == (2,)

tangent = sim.jvp(step, **point)
for name in weights:
    assert np.allclose(tangent[name], (after[name] - before[name]) / 2e-5, rtol=1e-5, atol=1e-6), name

# With respect to some, and the same bits again.
only = sim.vjp(**point, wrt=["noise"])[1](density=weights["density"])
assert list(only) == ["noise"]
assert only.noise.tobytes() == sim.vjp(**point, wrt=["noise"])[1](density=weights["density"]).noise.tobytes()

for wrong in (lambda: pull(mass=1), lambda: pull(density=np.ones(3)), lambda: sim.vjp(noise=noise, wrt=["seed"])):
    try:
        wrong()
        raise AssertionError("InputError expected")
    except pmc.InputError as error:
        print(error)
# Units and names.
area = pmc.compile("param side: length = 3 Mpc/h\nparam factor = 1.0\noutput area = factor * side^2\n")
gradient, tangent = area.vjp(side=2.0, factor=1.0)[1](area=1.0), area.jvp({"side": 1.0}, side=2.0)
assert (gradient.side, gradient.side.name, gradient.side.unit) == (4, "side", "1/(Mpc/h)"), gradient.side.unit
assert (gradient.factor, gradient.factor.unit) == (4, "")
assert (tangent.area, tangent.area.name, tangent.area.unit) == (4, "area", "(Mpc/h)^2")
print("gradients agree")
