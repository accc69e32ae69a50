"""Second derivatives in f64 against differences of first ones. argv: nbody.pm."""
import sys

import numpy as np

import pmc

sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
random = np.random.default_rng(5)
noise, direction, weight = random.standard_normal((3, 8, 8, 8))
point = dict(noise=noise, omega_m=0.31, weights=[0.5, 3])
step = dict(noise=direction, omega_m=0.2, weights=[0.4, 0.7])


def gradient(h):
    pull = sim.vjp(**{name: np.asarray(value) + h * np.asarray(step[name]) for name, value in point.items()})[1]
    return pull(density=weight, energy=0.3)


after, before = gradient(1e-5), gradient(-1e-5)
product = sim.vjp(**point)[1].jvp(step, density=weight, energy=0.3)
assert list(product) == list(point)
for name in point:
    difference = (after[name] - before[name]) / 2e-5
    scale = np.abs(difference).max()
    assert scale > 1e-3 and np.allclose(product[name], difference, rtol=1e-5, atol=1e-5 * scale), name
# Tangents of a member of a list, and mistakes.
member = sim.vjp(**point)[1].jvp({"weights.1": 0.7}, energy=0.3).weights
assert np.allclose(member, sim.vjp(**point)[1].jvp({"weights": [0, 0.7]}, energy=0.3).weights, atol=1e-12)
table = pmc.compile("""
param count: int = 2
param list: list = (1, 2)
input f: field[x]
input t: table(k -> P)
dim x = 4
output e = sum(f^2) * (list[0] + interpolate(t, list[1])) * count
output g = f * list[0]
""", precision="f64")
f = np.ones(4)
pull = table.vjp(f=f, list=[1.0, 2.0], t=np.array([[0, 1], [3, 4.0]]))[1]
for text, wrong in (("there is no tangent", lambda: pull.jvp({}, e=1)),
                    ("there is no cotangent of an output; give one, such as e=weight", lambda: pull.jvp({"f": f})),
                    ("there is no cotangent", lambda: pull()),
                    ("'count' has no tangent", lambda: pull.jvp({"f": f, "count": 1}, e=1)),
                    ("'t' has no tangent", lambda: pull.jvp({"t": f}, e=1)),
                    ("tangent of 'list' has shape (1,), expected (2,)", lambda: pull.jvp({"list": [1]}, e=1)),
                    ("tangent of 'list' has shape (3,), expected (2,)", lambda: pull.jvp({"list": [1, 2, 3]}, e=1)),
                    ("'list.0' is given twice", lambda: pull.jvp({"list": [1, 2], "list.0": 1}, e=1)),
                    ("tangent/f' has shape 3, expected 4", lambda: pull.jvp({"f": f[:3]}, e=1))):
    try:
        wrong()
        raise AssertionError(f"no error: {text}")
    except pmc.InputError as error:
        assert text in str(error), error
print("second derivatives agree")
