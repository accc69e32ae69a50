"""A network trained on samples from files: check_streamed.py BOXES PROGRAM FOLDER MOST

Its errors on other samples are at most MOST of those of the mean, its answers are those of the same network in NumPy, another mesh has
the same losses, and a program that is killed in the middle of an epoch and resumed ends with the same bits."""

import array
import fcntl
import itertools
import os
import subprocess
import sys
import termios
import time

import h5py
import numpy

boxes, program, folder, most = *sys.argv[1:4], float(sys.argv[4])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
SAMPLES = [f"--{name}=set/{name}.h5" for name in ("maps", "answers", "held_maps", "held_answers")]


def read(out, name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def command(out, *more):
    return [program, *SAMPLES, "--threads=1", "--steps=100", "--rate=0.01", "--out", out, "--checkpoint", out + ".state", *more]


def killed(room, *more):
    """Ends a run by SIGKILL: it fills all but 64 of `room` bytes of a pipe without a reader, so it cannot have come much further."""
    out, into = os.pipe()
    fcntl.fcntl(into, 1031, 4096)  # F_SETPIPE_SZ
    os.write(into, b"\n" * (4096 - room))
    with subprocess.Popen(command("parts", *more), stdout=into) as process:
        held = array.array("i", [0])
        while held[0] <= 4096 - 64:
            time.sleep(0.01)
            if process.poll() is not None:
                sys.exit(f"the program ended before it was killed: {os.read(out, 4096).decode().strip()}")
            fcntl.ioctl(out, termios.FIONREAD, held)
        process.kill()
    os.close(into)
    text = os.read(out, 4096).decode().strip()
    os.close(out)
    return text


def network(net, maps):
    """The answers for maps[sample, x, y, z]."""
    f = maps[:, None]
    for layer in ("first", "second", "third"):
        weight, bias = (net[f"net/{layer}/{part}"][()] for part in ("weight", "bias"))
        seen = numpy.zeros((len(f), len(bias), *f.shape[2:]))
        for taps in itertools.product(range(3), repeat=3):
            moved = numpy.roll(f, [1 - t for t in taps], axis=(2, 3, 4))
            seen += numpy.einsum("oc,scxyz->soxyz", weight[(..., *taps)], moved)
        seen += bias[:, None, None, None]
        f = numpy.where(seen > 0, seen, 0.01 * seen)
        s, c, x, y, z = f.shape
        f = f.reshape(s, c, x // 2, 2, y // 2, 2, z // 2, 2).mean((3, 5, 7))
    f = f.mean((2, 3, 4)) @ net["net/fourth/weight"][()].T + net["net/fourth/bias"][()]
    return numpy.where(f > 0, f, 0.01 * f) @ net["net/last/weight"][()].T + net["net/last/bias"][()]


subprocess.run([boxes, "--threads=1", "--quiet", "--out", "set"], check=True)
subprocess.run(command("whole", "--quiet"), check=True)
maps, held = read("set", "maps"), read("set", "held_answers")
with h5py.File("whole/net.h5") as file:
    answers = network(file, (read("set", "held_maps") - maps.mean()) / maps.std())
omega, omega_mean, sigma, sigma_mean = read("whole", "errors")
print(f"omega_m {omega:.4f} of {omega_mean:.4f}, sigma8 {sigma:.4f} of {sigma_mean:.4f}")
wanted = numpy.stack([0.3 + 0.2 * answers[:, 0], 0.3 + 0.2 * held[:, 0], 0.8 + 0.2 * answers[:, 1], 0.8 + 0.2 * held[:, 1]], axis=1)
error = numpy.abs(read("whole", "predicted").reshape(-1, 4) - wanted).max()
if not error < 1e-10:
    sys.exit(f"the answers are off by {error:.1e} from those of NumPy")
errors = numpy.abs(wanted[:, ::2] - wanted[:, 1::2]).mean(0)
if numpy.abs(errors - [omega, sigma]).max() > 1e-10 or not 0.5 * (omega / omega_mean + sigma / sigma_mean) < most:
    sys.exit(f"the errors are {errors}, expected those that are written, and {most} of {omega_mean} and {sigma_mean}")

said = [killed(270), killed(150, "--resume")]
subprocess.run(command("parts", "--quiet", "--resume"), check=True)
for name in ("losses", "predicted", "errors"):
    if read("parts", name).tobytes() != read("whole", name).tobytes():
        sys.exit(f"{name} has other bits after the program was killed")
print("killed behind", " and ".join(text.splitlines()[-1] for text in said), "and resumed: the same bits")

for name, mesh in (("one", "data=1,space=1"), ("four", "data=2,space=2")):
    subprocess.run([program, *SAMPLES, "--threads=1", "--quiet", "--steps=10", "--mesh", mesh, "--transport=threads", "--out", name], check=True)
difference = numpy.abs(read("four", "losses") / read("one", "losses") - 1).max()
if not difference < 1e-6:
    sys.exit(f"on four ranks the losses differ by {difference}")
