"""A linear function learnt from streams: as in NumPy, and with the same bits however often the program is killed.

    check_train.py PROGRAM SAMPLES FOLDER MESH...

A mesh is ROWxCOL. A program that is to be killed cannot end before: no process reads what it prints, and the pipe is full."""
import fcntl
import os
import random
import subprocess
import sys

import h5py
import numpy as np
from check_shuffled import shuffled

program, samples, folder, *meshes = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
STEPS, SEED, KILLS = 400, 7, 4


def dataset(where, name):
    with h5py.File(os.path.join(where, name + ".h5")) as file:
        return file[name][()]


subprocess.run([samples, "--quiet", "--out", folder], check=True)
maps, answers = dataset(folder, "maps"), dataset(folder, "answers")
with h5py.File(os.path.join(folder, "set.h5"), "w") as file:
    file.create_dataset("maps", data=maps, chunks=(3, 6, 5), compression="gzip")
os.makedirs(os.path.join(folder, "answers"), exist_ok=True)
for number, answer in enumerate(answers):
    np.save(os.path.join(folder, "answers", f"{number}.npy"), [answer])


def learnt():
    w, v, losses = np.zeros((6, 5)), 0, []
    for step in range(STEPS):
        chosen = [shuffled(8 * step + k, len(maps), SEED) for k in range(8)]
        off = np.einsum("sxy,xy->s", maps[chosen], w) - answers[chosen]
        losses.append((off**2).mean())
        v = 0.9 * v + 2 / 8 * np.einsum("s,sxy->xy", off, maps[chosen])
        w = w - 0.002 * v
    return w, np.array(losses)


def command(out, mesh, *more):
    row, col = mesh.split("x")
    return [program, "--threads=1", f"--mesh=row={row},col={col}", "--transport=threads", "--out", out, "--checkpoint", out + ".state",
            "--maps=" + os.path.join(folder, "set.h5:/maps"), "--answers=" + os.path.join(folder, "answers"), *more]


def killed(out, mesh, lines, more):
    """Ends the program by SIGKILL behind so many lines."""
    with subprocess.Popen(command(out, mesh, *more), stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        fcntl.fcntl(process.stdout, 1031, 4096)  # F_SETPIPE_SZ
        for _ in range(lines):
            if not process.stdout.readline():
                sys.exit(f"the program ended before it had said {lines} lines")
        process.kill()


w, losses = learnt()
for mesh in meshes:
    whole, parts = (os.path.join(folder, f"{name}{mesh}") for name in ("whole", "parts"))
    subprocess.run(command(whole, mesh, "--quiet"), check=True)
    for name, want in (("w", w), ("losses", losses)):
        error = np.abs(dataset(whole, name) - want).max() / np.abs(want).max()
        if not error < 1e-12:
            sys.exit(f"{name} on {mesh} is off by {error}")
    random.seed(mesh)
    more = []
    for _ in range(KILLS):
        killed(parts, mesh, random.randrange(20, 60), more)
        more = ["--resume"]
    subprocess.run(command(parts, mesh, "--quiet", "--resume"), check=True)
    for name in ("w", "losses"):
        if dataset(parts, name).tobytes() != dataset(whole, name).tobytes():
            sys.exit(f"{name} on {mesh} has other bits after {KILLS} kills")
    print(f"{mesh}: as in NumPy, and after {KILLS} kills, {losses[0]:.1f} to {losses[-1]:.1e}")

# Another set of samples is another run.
np.save(os.path.join(folder, "answers", "3.npy"), [answers[3] + 1])
text = subprocess.run(command(parts, meshes[-1], "--resume"), check=False, stderr=subprocess.PIPE, text=True).stderr
print(text.strip())
