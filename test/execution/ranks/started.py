"""Reductions that were started early, on meshes whose parts are uneven, against NumPy: started.py PROGRAM FOLDER"""

import pathlib
import subprocess
import sys

import numpy

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
wrong = 0
for mesh in ("row=1", "row=2", "row=3", "row=4", "row=2,col=2", "row=3,col=4"):
    subprocess.run([program, "--quiet", "--format=npy", f"--mesh={mesh}", "--transport=threads", f"--out={folder}"], check=True)
    g, h, top, low, total, back = (numpy.load(folder / f"{name}.npy") for name in ("g", "h", "top", "low", "total", "back"))
    f = (h - numpy.cos(g)) / 2
    pairs = {"top": (top, f.max(0)), "low": (low, f.min((0, 1))), "total": (total, f.sum((0, 2))),
             "back": (back, f - f.max(0) + g * f.sum((0, 2))[None, :, None])}
    for name, (got, want) in pairs.items():
        off = abs(got - want).max()
        if not off < 1e-13:
            wrong += 1
            print(f"{mesh}: {name} is {off:.1e} off")
print(f"{wrong} wrong")
sys.exit(wrong > 0)
