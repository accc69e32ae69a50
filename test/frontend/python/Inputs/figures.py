"""Pictures of the plots of a spec as results of calls, and in notebooks."""
import os
import pickle
import sys
import threading
import types

import numpy as np

import pmc

SPEC = """
use fields
const n = 8
param steps: int = 2
dim x = n, y = n over n * 2 Mpc/h
mesh ranks(row = 1)
layout x -> row
input f: field[x, y]
output total = sum(f)
plot plane = f title "A map of f"
plot f[y = 0]
let g = loop u = f for i in 0 .. steps => {
  plot wave = u
  2 * u
}
output last = g
"""
before = set(os.listdir("."))
f = np.random.default_rng(1).standard_normal((8, 8)).astype("f4")
sim = pmc.compile(SPEC, plots="svg", plan="estimate", threads=1)
shown = []
sim.show = shown.append
result = sim(f=f)
assert list(result.figures) == ["plane", "plot2", "wave_000", "wave_001"], list(result.figures)
assert [one.name for one in shown] == list(result.figures)
text = result.figures["plane"]._repr_svg_()
assert "<svg" in text and result.figures["plane"]._repr_png_() is None
assert list(sim(f=f, steps=0).figures) == ["plane", "plot2"] and len(result.figures) == 4
assert sim.vjp(f=f)[1](last=np.ones((8, 8), "f4")).f[0, 0] == 4

# An exception of a callback ends the run. The next call works.
def fails(figure):
    raise LookupError(figure.name)


sim.show = fails
try:
    sim(f=f)
    raise AssertionError("an error is expected")
except LookupError as error:
    print(error)
sim.show = None
assert len(sim(f=f).figures) == 4

png = pmc.load(sim.path, plots="png", threads=1)
pictures = png(f=f).figures
figure = pictures["plane"]
assert png.ranks(mesh=dict(row=2))(f=f).figures == pictures
assert figure.data.startswith(b"\x89PNG") and figure._repr_png_() == figure.data and figure._repr_svg_() is None
figure.save("plane.png")
with open("plane.png", "rb") as file:
    assert file.read() == figure.data
assert not pmc.compile(SPEC)(f=f).figures
# Several threads draw at the same time.
drawn = []
threads = [threading.Thread(target=lambda: drawn.extend(png(f=f).figures for _ in range(5))) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert len(drawn) == 20 and all(one == pictures for one in drawn)
# A program in another process has the same options, even if a part of the cache was deleted.
text = pickle.dumps(png)
assert pickle.loads(text)(f=f).figures == pictures
again = pickle.dumps(sim)
sim.path.unlink()
assert list(pickle.loads(again)(f=f).figures) == list(pictures) and sim.path.exists()
try:
    pmc.compile(SPEC, plots="gif")
    raise AssertionError("an error is expected")
except pmc.InputError as error:
    print(error)

# A cell of a notebook shows its figures.
displayed, names = [], {}
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython.display"] = types.ModuleType("IPython.display")
sys.modules["IPython.display"].display = displayed.append
shell = types.SimpleNamespace(push=names.update, register_magic_function=lambda *magic: names.update(magic=magic))
pmc.load_ipython_extension(shell)
cell, kind, name = names["magic"]
assert (kind, name) == ("cell", "pm")
cell("waves n=4", SPEC)
names["waves"](f=f[:4, :4])
assert [one.name for one in displayed] == list(result.figures)
assert set(os.listdir(".")) - before <= {"cache", "plane.png"}, os.listdir(".")
print("figures agree")
