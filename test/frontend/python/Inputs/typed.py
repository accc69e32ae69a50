"""A program with types. mypy --strict accepts it, and reveals the expected types."""
from __future__ import annotations

import numpy as np

import pmc

sim: pmc.Program = pmc.compile("sim.pm", n=16, threads=2, plots="png")
noise = np.zeros((16, 16, 16), np.float32)
result: pmc.Result = sim(noise=noise, factor=2.0)
density: pmc.Field = result.density
print(density.unit, density.dims, density.lengths, density.coords["x"], result["density"].shape, density[0].name)
value, pull = sim.vjp(noise=noise)
reveal_type(value)
reveal_type(pull)
gradient = pull(total=1.0)
reveal_type(gradient)
tangent = sim.jvp({"noise": noise}, of=["total"], noise=noise)
reveal_type(density.to_xarray())
reveal_type(density.to_frame())
reveal_type(result.to_frame("power"))
reveal_type(density.plot())
costs = pmc.explain("sim.pm", mesh={"row": 2}, n=16)
print(costs["ops"], costs.to_frame("loops"))
run = pmc.read("out")
print(run.record["timing"], run.folder, run.density)
for name, figure in result.figures.items():
    figure.save(f"{name}.png")
try:
    sim(noise=noise)
except pmc.RunError as error:
    print(error.location, error.step, error.steps, error.notes, error.message, error.rank)
except pmc.SpecError as error:
    print(error.diagnostics[0].line, error.text)
reveal_type(sim.ranks(mesh={"row": 2}))
print(sim.ranks(object(), mesh={"row": 2}).part("noise"))
sim.progress = lambda progress: print(progress.step, progress.fraction)
sim.progress = True
print(sim.into({"density": noise}, noise=noise), sim.jax("noise")(noise)["density"], sim.torch("noise")(noise))
for name, param in sim.params.items():
    print(name, param.unit, param.min)
