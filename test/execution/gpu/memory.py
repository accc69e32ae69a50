"""Compares the memory that --dry-run predicts with the allocations of the simulated driver, and that of halos on CPUs with the borrowed memory.

    memory.py FOLDER EXAMPLES PMC..."""
import json
import os
import pathlib
import re
import subprocess
import sys

folder, examples, pmc = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
MOST = 0.1  # relative difference

# Matrices in batches and one after the other, and a convolution with its derivatives. Both need more memory than their fields.
SPECS = {"matrices": """
use linalg
const n = 300
dim batch = 3, i = n, j = n, right = 5, few = 24, other = 24, kept = 24
let A = map q in [batch, i, j] =>
  0.001 * index(q, i) - 0.002 * index(q, j) + (if index(q, i) == index(q, j) then 3.0 * n else 0.0)
let B = map q in [batch, i, right] => 1.0 + index(q, right)
let S = map q in [batch, few, other] => if index(q, few) == index(q, other) then 2.0 else 0.01
output solved = solve_over(A, B, i, j)
output factors = cholesky(A, i, j)
output singular = svd_over(S, few, other, kept).values
""", "layer": """
const n = 64
dim b = 4, c = 8, o = 12, x = n, y = n, i = 3, j = 3
let image = white_noise[b, c, x, y](1)
let kernel = white_noise[o, c, i, j](2)
fn layer(u, v) = sum(u[x = x + i - 1, y = y + j - 1, edge = ("zero", "zero")] * v, over = (c, i, j))
let (made, pulls) = vjp(layer, wrt = (u, v))(image, kernel, cotangent = layer(image, kernel))
output made
output by_kernel = pulls[1]
""", "packed": """
const n = 96
dim i = n, j = 2 * n, k = n, l = 3
let A = white_noise[j, l, i](1)
let B = white_noise[j, k, l](2)
output product = sum(A * B, over = (j, l))
"""}

# 64 cells a side. A few steps suffice, because all steps use the same memory.
NBODY = ("nbody", ["-D", "n=64"], ["--steps=1"])
CASES = (NBODY,
         ("lensing", ["-D", "n=64", "-D", "pixels=64", "-D", "planes=4"], ["--steps=1", "--z1=0.1", "--z2=0.2", "--z3=0.25"]),
         ("reconstruction", ["-D", "n=64", "-D", "each=1"], ["--steps=1"]),
         *((name, [], []) for name in SPECS))
# On several ranks. Particles move by some cells.
MESHES = (("row=2", "nccl"), ("row=2,col=2", "nccl"), ("row=2", "threads"), ("row=1,col=3", "threads"))


def run(program, flags, **environment):
    done = subprocess.run([program, "--quiet", "--format=npy", "--plot-format=none", f"--out={folder / 'out'}", *flags],
                          capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def compiled(name, constants, *target):
    spec = folder / f"{name}.pm" if name in SPECS else examples / name / f"{name}.pm"
    if name in SPECS:
        spec.write_text(SPECS[name])
    program = folder / (name + "".join(target).replace("-", "_"))
    subprocess.run([*pmc, *target, *constants, spec, "-o", program], check=True)
    return program


def size_of(number, unit):
    return float(number) * UNITS[unit]


def added(plan, cells):
    """Returns the additional memory of halos and messages if particles move this number of cells, interpolated in the table."""
    table = plan.split("by the same width:\n")[1].splitlines()[1:]
    rows = []
    for line in table:
        found = re.fullmatch(r" +(\d+) +[\d.]+ \w+ +[\d.]+ \w+ +([\d.]+) (\w+)", line)
        if not found:
            break
        rows.append((int(found[1]), size_of(found[2], found[3])))
    assert rows[0] == (0, 0) and rows[-1][0] >= cells, table
    for (low, below), (high, above) in zip(rows, rows[1:]):
        if cells <= high:
            return below + (above - below) * (cells - low) / (high - low)


def compare(name, program, flags, where="", ranks=1):
    """Prints and checks the prediction for one rank's device."""
    plan = run(program, [*flags, "--dry-run"], FAKECUDA_DEVICES=str(ranks))
    predicted = size_of(*re.search(r"^  ([\d.]+) (\w+) at the peak on the GPU", plan, re.M).groups())
    peak = folder / "peak"
    run(program, flags, FAKECUDA_PEAK=str(peak), FAKECUDA_DEVICES=str(ranks))
    allocated = max(int(line.split()[1]) for line in peak.read_text().splitlines())
    memory = json.loads((folder / "out/run.json").read_text())["memory"]
    moved = ""
    if ranks > 1:
        # With a window of two cells, particles that do not move need one cell of the next rank.
        predicted += added(plan, memory["halo_cells"] - 1)
        moved = f", {memory['halo_cells'] - 1} cells moved"
    print(f"{name}{where}: {predicted / 2**20:.1f} MiB predicted, {allocated / 2**20:.1f} MiB allocated, "
          f"{memory['device_bytes'] / 2**20:.1f} MiB recorded{moved}", flush=True)
    assert abs(predicted - allocated) <= MOST * allocated, plan
    assert abs(memory["device_bytes"] - allocated) <= 0.02 * allocated


def compare_host(mesh):
    """Compares the memory that a CPU borrows: halos, and workspaces of transposes and sorts, which are also in the plan."""
    program = compiled(*NBODY[:2])
    flags = [*NBODY[2], "--mesh", mesh]
    plan = run(program, [*flags, "--dry-run"])
    memory_of = lambda text: sum(size_of(*one) for one in re.findall(rf"^  ([\d.]+) (\w+) {text}", plan, re.M))
    run(program, flags)
    memory = json.loads((folder / "out/run.json").read_text())["memory"]
    predicted = (memory_of("for transposes of FFTs") + memory_of("to sort particles") + memory_of("for halos")
                 + added(plan, memory["halo_cells"] - 1))
    borrowed = memory["borrowed_bytes"]
    print(f"CPU, {mesh}: {predicted / 2**20:.2f} MiB predicted, {borrowed / 2**20:.2f} MiB borrowed", flush=True)
    assert abs(predicted - borrowed) <= MOST * borrowed, plan


GPU = ["--target=cuda", "--emulate-gpu"]
for case, constants, arguments in CASES:
    compare(case, compiled(case, constants, *GPU), arguments)
for ranks, transport in MESHES:
    count = eval(re.sub(r"\w+=", "", ranks).replace(",", "*"))
    compare("nbody", compiled(*NBODY[:2], *GPU), [*NBODY[2], "--mesh", ranks, f"--transport={transport}"],
            f" on {ranks} by {transport}", count)
for ranks in ("row=2", "row=2,col=2"):
    compare_host(ranks)
# Without access to each other's memory, GPUs send through the host. The memory of these messages is in the table, but does not grow with the distance.
plan = run(compiled(*NBODY[:2], *GPU), [*NBODY[2], "--mesh", "row=2,col=2", "--transport=threads", "--dry-run"],
           FAKECUDA_DEVICES="4", FAKECUDA_PEERS="0")
assert re.search(r"^  [\d.]+ KiB for messages", plan, re.M) and added(plan, 1) > 0, plan
print("messages through the host are in the plan")
