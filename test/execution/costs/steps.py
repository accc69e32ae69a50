#!/usr/bin/env python3
"""Pins the cost of each example without measuring time.

    steps.py PMC EXAMPLES TABLE [--update]

Each row of TABLE is an example on a mesh of ranks. The columns are
  fields     the most memory of a rank's fields and kept states at a time, KiB
  moved      memory that a run reads and writes, MiB, of the rank that moves the most
  launches   ops that run, each as often as it runs
  ffts       transforms that run
  sent       MiB that a rank sends
  messages   collectives and exchanges that run
  gathers    hardware gathers in the program's assembly for x86-64-v4 (one rank only)
from the cost model (`pmc --explain=json`) and the assembly (`pmc --emit=asm`). A run is slower if one of them grows. The test fails if one grows
by more than 0.5 %, and also if one falls, so that the table keeps the gain. `--update` writes the table anew; its difference belongs into the
message of the commit.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

pmc, examples, table = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
COLUMNS = ("fields", "moved", "launches", "ffts", "sent", "messages", "gathers")
# Modules and networks that other specs use, and specs that read the files of another one, are left out.
SPECS = ("nbody/nbody", "reconstruction/reconstruction", "fisher/fisher", "hmc/hmc", "lensing/lensing", "lensing_fit/lensing_fit", "imaging/imaging",
         "radial/radial", "filter/filter", "gan/gan", "fullsky/fullsky", "powerspectrum/powerspectrum", "scaling/scaling", "zeldovich/zeldovich")
SMALL = 0.005


def pmc_output(spec, *flags):
    result = subprocess.run([pmc, examples / (spec + ".pm"), *flags], capture_output=True, text=True)
    if result.returncode:
        sys.exit("%s %s: exit code %d\n%s" % (spec, " ".join(flags), result.returncode, result.stderr))
    return result.stdout


def explain(spec, mesh):
    cost = json.loads(pmc_output(spec, "--explain=json", *(["--mesh", *mesh.split(",")] if mesh else [])))
    ops = cost["ops"]
    times = lambda pick: sum(op["times"] for op in ops if pick(op))
    total = lambda value: sum(op["times"] * value(op) for op in ops)
    memory = cost["memory"]
    return {
        "fields": round((memory["fields"] + memory["tapes"]) / 1024),
        "moved": round(total(lambda op: op["read"] + op["written"]) / 2**20, 1),
        "launches": times(lambda op: True),
        "ffts": times(lambda op: op["op"] in ("fft", "ifft")) + 2 * times(lambda op: op["op"] == "spectral_filter"),
        "sent": round(total(lambda op: sum(message["bytes"] for message in op["messages"])) / 2**20, 2),
        "messages": total(lambda op: sum(message["bytes"] > 0 for message in op["messages"])),
    }


def count_gathers(spec):
    return len(re.findall(r"^\s+v?p?gather\w+\s", pmc_output(spec, "--emit=asm", "--cpu", "x86-64-v4"), re.MULTILINE))


def measure(job):
    spec, mesh = job
    row = explain(spec, mesh)
    row["gathers"] = "-" if mesh else count_gathers(spec)
    return spec.split("/")[-1], mesh or "-", row


def has_mesh(spec):
    return re.search(r"^mesh \w+\(row", (examples / (spec + ".pm")).read_text(), re.MULTILINE)


jobs = [(spec, mesh) for spec in SPECS for mesh in ("", "row=4") if not mesh or has_mesh(spec)]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    rows = list(pool.map(measure, jobs))

if "--update" in sys.argv:
    lines = ["%-16s %-8s" % ("example", "mesh") + "".join("%12s" % name for name in COLUMNS)]
    lines += ["%-16s %-8s" % (name, mesh) + "".join("%12s" % row[column] for column in COLUMNS) for name, mesh, row in rows]
    table.write_text("\n".join(lines) + "\n")
    sys.exit(0)

pinned = {}
header, *lines = table.read_text().splitlines()
names = header.split()[2:]
for line in lines:
    name, mesh, *values = line.split()
    pinned[name, mesh] = dict(zip(names, values))
bad = 0
for name, mesh, row in rows:
    known = pinned.pop((name, mesh), None)
    if known is None:
        print("%s on mesh %s is not in the table" % (name, mesh))
        bad += 1
        continue
    for column in COLUMNS:
        found, expected = str(row[column]), known[column]
        if found == expected:
            continue
        if "-" not in (found, expected) and abs(float(found) - float(expected)) <= SMALL * float(expected):
            continue
        print("%s on mesh %s: %s is %s, expected %s" % (name, mesh, column, found, expected))
        bad += 1
for name, mesh in pinned:
    print("%s on mesh %s is in the table, but not an example" % (name, mesh))
    bad += 1
if bad:
    sys.exit("if the change is intended, run: test/execution/costs/steps.py build/bin/pmc examples test/execution/costs/steps.txt --update")
