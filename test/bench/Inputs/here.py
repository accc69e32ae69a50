"""What programs take on this machine beside what pmc predicts: `test/bench/model --here`.

A machine file is measured first. Each program runs with its profile, ranks as threads; compared is the time of all ops
that have a model (transforms, paint, readout, kernels, messages; not plans, files, and memory touched first), of the
first rank. The least of several turns counts.
"""
import itertools
import json
import os
import pathlib
import subprocess
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]

# Of a spec: its consts, and the flags of the program.
SPECS = {"nbody": ([], ["--steps=5"]), "reconstruction": (["-D", "method=adam", "-D", "each=1"], ["--steps=2"])}
# Layouts and meshes; a rank has a thread, one rank all of them.
LAYOUTS = [("x->row", "row=1"), ("x->row", "row=2"), ("z->row", "row=2"), ("x->row", "row=4"), ("y->row", "row=4"),
           ("x->row, y->col", "row=2,col=2")]


def count_ranks(mesh):
    return int(numpy.prod([int(axis.split("=")[1]) for axis in mesh.split(",")]))


class Runs:
    def __init__(self, pmc, folder, machine, turns):
        self.pmc, self.folder, self.machine, self.turns = pmc, folder, machine, turns

    def parts(self, spec, size, layout, mesh):
        """(predicted, measured) seconds by part."""
        source = ROOT / "examples" / spec / f"{spec}.pm"
        consts, flags = SPECS[spec]
        own = ["-D", f"n={size}", "--layout", layout, *consts, str(source)]
        program, profile = self.folder / "program", self.folder / "profile.json"
        subprocess.run([self.pmc, *own, "-o", program], check=True)
        threads = os.cpu_count() if count_ranks(mesh) == 1 else 1
        best = None
        for _ in range(self.turns):
            subprocess.run([program, "--quiet", "--mesh", mesh, "--transport=threads", f"--threads={threads}", *flags,
                            "--out", self.folder / "out", "--profile", profile], check=True, capture_output=True)
            said = subprocess.run([self.pmc, "--explain=json", "--profile", profile, "--machine", self.machine, *own],
                                  check=True, capture_output=True, text=True).stdout
            found = {part["what"]: (part["predicted"], part["seconds"]) for part in json.loads(said)["measured"]["parts"]}
            if best is None or found["together"][1] < best["together"][1]:
                best = found
        return best


def tell_orders(rows):
    """Whether the model knows which of two layouts is faster, where one takes over 20 % longer."""
    right = wrong = 0
    for _, group in itertools.groupby(rows, lambda row: row[:2] + (count_ranks(row[3]),)):
        for one, other in itertools.combinations(group, 2):
            if max(one[5], other[5]) > 1.2 * min(one[5], other[5]):
                agrees = (one[4] < other[4]) == (one[5] < other[5])
                right, wrong = right + agrees, wrong + (not agrees)
    print(f"layouts of the same program that differ by over 20 %: {right} pairs in the right order, {wrong} not")


def compare(pmc, machine, sizes, turns):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if machine is None:
            machine = folder / "here.toml"
            subprocess.run([pmc, "machine", "measure", "-o", machine], check=True)
            print(machine.read_text())
        runs, rows = Runs(pmc, folder, machine, turns), []
        kinds = ("transforms", "paint", "readout", "kernels", "messages")
        print(f"load {os.getloadavg()[0]:.1f}; ms, predicted/measured")
        print(f"{'':14} {'n':>4} {'layout':15} {'mesh':12} {'predicted':>9} {'measured':>9} {'error':>7}  " +
              " ".join(f"{kind:>11}" for kind in kinds))
        for spec, size, (layout, mesh) in itertools.product(SPECS, sizes, LAYOUTS):
            if size > 128 and layout not in ("x->row",):
                continue  # the larger ones take long: one layout
            parts = runs.parts(spec, size, layout, mesh)
            predicted, measured = parts["together"]
            rows.append((spec, size, layout, mesh, predicted, measured))
            print(f"{spec:14} {size:4d} {layout:15} {mesh:12} {1e3 * predicted:9.1f} {1e3 * measured:9.1f} "
                  f"{100 * (predicted / measured - 1):6.1f}%  " +
                  " ".join("{:5.0f}/{:<5.0f}".format(*(1e3 * t for t in parts.get(kind, (0, 0)))) for kind in kinds),
                  flush=True)
        errors = [abs(row[4] / row[5] - 1) for row in rows]
        print(f"median error {100 * numpy.median(errors):.1f} %, mean {100 * numpy.mean(errors):.1f} %, "
              f"most {100 * max(errors):.1f} %; at most 20 % of the median asked")
        tell_orders(rows)
