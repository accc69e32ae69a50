"""Specs as functions of PyTorch: gradients in f64 against differences. argv: nbody.pm, run.pm, a folder of specs."""
import sys

import numpy as np
import torch
from torch.autograd import gradcheck

import pmc

torch.set_num_threads(1)
torch.manual_seed(7)


def normal(*shape, dtype=torch.float64):
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


def number(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def check(f, *values, fast=False):
    """`fast`: along one direction instead of all, where a call takes milliseconds."""
    assert gradcheck(f, values, eps=1e-5, rtol=1e-5, atol=1e-7, fast_mode=fast)


sim = pmc.compile(sys.argv[1], precision="f64", plan="estimate")
noise, weights = normal(8, 8, 8), torch.tensor([0.5, 3.0], dtype=torch.float64, requires_grad=True)
f = sim.torch("noise", "omega_m", "weights", of=["density", "disp", "energy"], amplitude=1.2)
plain = sim(noise=noise.detach(), omega_m=0.31, weights=[0.5, 3], amplitude=1.2)
found = f(noise, 0.31, weights)
for name in found:
    assert np.array_equal(found[name].detach(), plain[name]), name
check(lambda *values: tuple(f(*values).values()), noise, number(0.31), weights, fast=True)

# The gradient of one output, by the interface of programs.
loss = torch.sum(f(noise, number(0.31), weights)["density"] ** 2)
loss.backward()
pulled = sim.vjp(noise=noise.detach(), omega_m=0.31, weights=[0.5, 3], amplitude=1.2,
                 wrt=["noise", "omega_m", "weights"])[1](density=2 * plain.density)
assert np.array_equal(noise.grad, pulled.noise) and torch.all(weights.grad == 0)

# Transforms of torch.func, and a compiled function that calls the program.
lone = sim.torch("noise", "omega_m", of=["energy"])
energy = lambda w, o: lone(w, o)["energy"]
fields = torch.stack([noise, 2 * noise, 3 * noise]).detach()
omegas = torch.tensor([0.3, 0.31, 0.32], dtype=torch.float64)
slopes = []
for w, o in zip(fields, omegas):
    w.requires_grad_(), o.requires_grad_()
    slopes.append(torch.autograd.grad(energy(w, o), (w, o)))
    found = torch.func.grad(energy, argnums=(0, 1))(w.detach(), o.detach())
    assert all(map(torch.equal, found, slopes[-1]))
assert torch.equal(torch.func.vmap(energy)(fields, omegas), torch.stack([energy(w, o) for w, o in zip(fields, omegas)]))
found = torch.func.vmap(torch.func.grad(energy, argnums=(0, 1)))(fields, omegas)
assert all(torch.equal(ours, torch.stack(theirs)) for ours, theirs in zip(found, zip(*slopes)))
found = torch.func.vmap(energy, (None, 0))(fields[1], omegas)
assert torch.equal(found, torch.stack([energy(fields[1], o) for o in omegas]))
assert torch.equal(torch.func.jacrev(energy, argnums=1)(fields[0], omegas[0]), slopes[0][1])
assert torch.equal(torch.compile(lambda w, o: 2 * energy(w, o), backend="eager")(noise, 0.3), 2 * energy(noise, 0.3))
# Second derivatives: in reverse mode twice, forward mode of reverse mode, and a Hessian; against differences.
cube = lambda w, o: torch.sum(sim.torch("noise", "omega_m", of=["density"])(w, o)["density"] ** 3)
slopes = lambda w, o: torch.func.grad(cube, argnums=(0, 1))(w, o)
point, step = (fields[0], omegas[1]), (fields[1], torch.tensor(0.2, dtype=torch.float64))
expected = [(one - other) / 2e-5 for one, other in zip(*(
    slopes(*(value + h * turn for value, turn in zip(point, step))) for h in (1e-5, -1e-5)))]
twice = torch.autograd.functional.hvp(cube, point, step)[1]
forward = torch.func.jvp(slopes, point, step)[1]
for found in (twice, forward):
    assert all(torch.allclose(one, other, rtol=1e-5, atol=1e-5 * float(other.abs().max()))
               for one, other in zip(found, expected)), (found, expected)
hessian = torch.func.hessian(cube, argnums=1)(*point)
difference = (slopes(point[0], point[1] + 1e-5)[1] - slopes(point[0], point[1] - 1e-5)[1]) / 2e-5
assert abs(hessian - difference) < 1e-5 * abs(difference), (hessian, difference)
two = torch.tensor([0.5, 3.0], dtype=torch.float64, requires_grad=True)
lists = lambda pair: sim.torch("weights", "amplitude", of=["energy"], noise=noise)(pair, pair[1])["energy"]
assert torch.autograd.gradgradcheck(lists, (two,), eps=1e-5, rtol=1e-5, atol=1e-7)

born = pmc.compile(f"{sys.argv[3]}/born.pm", precision="f64", plan="estimate")
check(lambda w, o: born.torch("noise", "omega_m")(w, o)["kappa"] * 100, normal(8, 8, 8), number(0.31), fast=True)

sense = pmc.compile(f"{sys.argv[3]}/sense.pm", precision="f64", plan="estimate")
image, kspace, spectrum = (normal(*shape, dtype=torch.complex128) for shape in ((8, 6, 4), (3, 8, 6, 4), (8, 6, 3)))
fixed = dict(image=image, kspace=kspace, spectrum=spectrum)


def part(*names, of):
    others = {name: value for name, value in fixed.items() if name not in names}
    return lambda *values: sense.torch(*names, of=[of], **others)(*values)[of]


check(part("image", of="data"), image, fast=True)
check(part("image", of="misfit"), image, fast=True)
check(part("kspace", "ridge", of="reconstruction"), kspace, number(0.02), fast=True)
# Half spectra: each element is a number of PyTorch, though most stand for two modes.
check(part("image", of="modes"), image)
assert torch.autograd.gradgradcheck(lambda x: torch.sum(part("image", of="modes")(x).abs() ** 4), (image,), eps=1e-5,
                                    rtol=1e-5, atol=1e-7, fast_mode=True)
assert torch.autograd.gradgradcheck(part("image", of="misfit"), (image,), eps=1e-5, rtol=1e-5, atol=1e-7, fast_mode=True)
check(part("spectrum", of="waves"), spectrum)

# Other types: numbers of Python, reduced precision, whole numbers; and errors.
run = pmc.compile(sys.argv[2], plan="estimate")
run.quiet = True
ones = torch.ones(8, 8, 8, requires_grad=True)
g = run.torch("noise", "factor", "steps", of=["scaled", "total"])
assert torch.equal(g(ones.bfloat16(), 3, torch.tensor(2))["scaled"], g(ones.conj(), 3.0, 2)["scaled"])
try:
    run.torch("noise", "most", steps=30)(ones, 4.5)
    raise AssertionError("an error is expected")
except pmc.RunError as error:
    print(error)
assert g(ones, 1, 0)["scaled"].requires_grad and not g(ones.detach(), 1, 0)["scaled"].requires_grad
print("PyTorch agrees")
