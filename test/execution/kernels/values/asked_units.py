#!/usr/bin/env python3
"""Columns, figures, tables and files in asked units, against NumPy.

    asked_units.py PMC SPEC PLOTS FOLDER"""
import json
import os
import shlex
import subprocess
import sys

import h5py
import numpy

PMC, SPEC, PLOTS, FOLDER = sys.argv[1:]
sys.path.insert(0, PLOTS)
from values import figure_of  # noqa: E402

N = 16
os.makedirs(FOLDER, exist_ok=True)
generator = numpy.random.default_rng(5)
flow = generator.normal(size=(N, N))  # nm/ms, which are um/s
times, speeds = numpy.linspace(1, 60, 20), generator.normal(size=20)  # ms, mm/s


def write(name, data, unit):
    with h5py.File(f"{FOLDER}/{name}.h5", "w") as file:
        file[name] = data
        file[name].attrs["unit"] = unit
        file.attrs["pmc_version"] = "test"


def write_table(name, heading, x, y):
    with open(f"{FOLDER}/{name}.txt", "w") as file:
        file.write(heading)
        for row in zip(x, y):
            file.write("%.17g %.17g\n" % row)


write_table("plain", "# from a fit\n", times, speeds)
write_table("named", "# time[ms] speed[mm/s]\n", times, speeds)
write_table("other", "# time [s], speed [m/s]\n", times / 1e3, speeds / 1e3)
write_table("unknown", "# time [ms] speed [mm s^-1]\n", times, speeds)
write_table("swapped", "# speed[mm/s] time[ms]\n", times, speeds)
write_table("kind", "# time[ms] speed[mm]\n", times, speeds)
write_table("pure", "# time[ms] speed\n", times, speeds)
numpy.save(f"{FOLDER}/flow.npy", flow)


def run(program, mesh, data="flow.npy", table="plain.txt", good=True, out="out"):
    done = subprocess.run([program, "--plan=estimate", f"--out={FOLDER}/{out}", "--mesh=" + mesh, f"--flow={FOLDER}/{data}",
                           f"--rate={FOLDER}/{table}"], capture_output=True, text=True)
    assert (done.returncode == 0) == good, done.stderr
    return " ".join(done.stderr.split())


def load(name, out="out"):
    with h5py.File(f"{FOLDER}/{out}/{name}.h5") as file:
        return file[name][()], file[name].attrs["unit"]


def check(name, found, expected, tolerance):
    error = abs(found - expected).max() / abs(numpy.asarray(expected)).max()
    assert error < tolerance, "%s: error %g" % (name, error)


def numbers(data):
    return numpy.frombuffer(data, dtype=numpy.float64)


def check_outputs(tolerance, out="out"):
    time = 3.0 * (1 + numpy.arange(N))  # ms
    speed = numpy.interp(time, times, speeds)  # mm/s
    for name, columns, unit in (
            ("curve", (time * 1e3, speed / 10, flow[:, 3] / 2), "us, cm/s, 1"),
            ("same", (speed, flow[:, 3] / 1e3), "mm/s"),
            ("again", (time * 1e3,), "us"),
            ("inverse", (1 / time, 1 / (1e3 * speed + 1e6)), "1/ms, 1/um*s"),
            ("total", (speed.sum(), 2 * speed.sum() * 1e3), "mm/s, um/s")):
        found, attribute = load(name, out)
        assert attribute == unit, (name, attribute)
        found = found.reshape(N, -1) if name != "total" else found
        check(name, found, numpy.stack(columns, axis=-1), tolerance)
    return time, speed


def check_figures(time, speed, tolerance):
    one = lambda name: figure_of(f"{FOLDER}/out/{name}.png")
    picture = one("pictures")
    axes = {key: (picture[key]["name"], picture[key]["unit"], picture[key]["length"]) for key in ("right", "up")}
    assert axes["right"][:2] == ("x", "nm") and abs(axes["right"][2] / 8000 - 1) < 1e-12, axes
    assert axes["up"][:2] == ("y", "cm") and abs(axes["up"][2] / 8e-4 - 1) < 1e-12, axes
    assert picture["value"]["unit"] == "mm/s" and picture["value"]["asked"], picture["value"]
    check("crange", numpy.array(picture["value"]["range"]), [-1e-3, 2e-3], 1e-12)
    values = numpy.frombuffer(picture["values"], dtype=numpy.float32).reshape(N, N)
    check("map", values, flow / 1e3, 2e-6)
    lines = one("lines")
    assert lines["right"]["unit"] == "us" and [curve["unit"] for curve in lines["curves"]] == ["cm/s"] * 2, lines
    check("xrange", numpy.array(lines["right"]["range"]), [6000, 40000], 1e-12)
    check("x", numbers(lines["x"]), time * 1e3, tolerance)
    for curve, factor in zip(lines["curves"], (1, 2)):
        check("curve", numbers(curve["values"]), factor * speed / 10, tolerance)
    over = one("over")
    assert over["right"]["unit"] == "mm" and over["curves"][0]["unit"] == "nm/s", over
    check("over", numbers(over["x"]), numpy.arange(N) * 8e-3 / N, 1e-12)
    check("over range", numpy.array(over["right"]["range"]), [1e-3, 6e-3], 1e-12)
    check("nm/s", numbers(over["curves"][0]["values"]), flow[:, 3] * 1e3, tolerance)
    counts = one("counts")
    assert counts["right"]["unit"] == "m/s", counts
    edges = numbers(counts["x"])
    check("bins", numpy.array([edges[0], edges[-1]]), [flow.min() / 1e6, flow.max() / 1e6], tolerance)
    levels = one("levels")
    assert levels["value"]["unit"] == "km/s" and levels["value"]["asked"], levels["value"]
    panels = one("panels")["panels"]
    assert panels[0]["value"]["unit"] == panels[1]["curves"][0]["unit"] == "mm/s", panels
    assert panels[0]["right"]["unit"] == panels[1]["right"]["unit"] == "nm", panels
    kilometers = one("kilometers")
    assert kilometers["right"]["unit"] == "km" and kilometers["right"]["asked"], kilometers["right"]
    check("km", numbers(kilometers["x"]), flow[:, 3] / 1e9, tolerance)
    check("m/s", numbers(kilometers["curves"][0]["values"]), flow[:, 3] / 1e6, tolerance)
    angle = one("angle")
    assert angle["right"]["unit"] == "′", angle["right"]
    check("arcmin", numbers(angle["x"]), numpy.arange(N) * 600 / N, 1e-12)
    check("degrees", numpy.array(angle["right"]["range"]), [60, 300], 1e-12)


for precision, tolerance in (("f32", 2e-6), ("f64", 1e-13)):
    program = f"{FOLDER}/{precision}"
    subprocess.run([*shlex.split(PMC), SPEC, "--precision=" + precision, "-o", program], check=True)
    for mesh in ("row=1,col=1", "row=2,col=2", "row=3,col=1"):
        run(program, mesh)
        check_figures(*check_outputs(tolerance), tolerance)
    # What a program wrote in working units is converted to the declared ones.
    os.replace(f"{FOLDER}/out/written.h5", f"{FOLDER}/written.h5")
    with h5py.File(f"{FOLDER}/written.h5", "r+") as file:
        assert file["written"].attrs["unit"] == "um/s"
        file["written"][...] = flow / 1e3
        file["written"].attrs["unit"] = "mm/s"
    for mesh in ("row=1,col=1", "row=2,col=2"):
        text = run(program, mesh, "written.h5", "other.txt", out="converted")
        for line in ("--flow: converted from mm/s to um/s", "--rate: converted time from s to ms, speed from m/s to mm/s"):
            assert text.count(line) == 1, (line, text)
        check_outputs(2 * tolerance, "converted")
    with open(f"{FOLDER}/converted/run.json") as file:
        assert json.load(file)["conversions"] == {"flow": "from mm/s to um/s", "rate": "time from s to ms, speed from m/s to mm/s"}
    for table in ("named", "unknown"):
        assert "converted" not in run(program, "row=1,col=1", table=table + ".txt")
        check_outputs(tolerance)
    with open(f"{FOLDER}/out/run.json") as file:
        assert "conversions" not in json.load(file)
    for table, why in (("swapped", "has the columns speed and time, expected time and speed"),
                       ("kind", "column 'speed' is in mm, expected in mm/s"),
                       ("pure", "column 'speed' is a pure number, expected in mm/s")):
        found = run(program, "row=1,col=1", table=table + ".txt", good=False)
        assert f"--rate: {FOLDER}/{table}.txt" in found and why in found, found
with h5py.File(f"{FOLDER}/written.h5", "r+") as file:
    file["written"].attrs["unit"] = "um"
found = run(program, "row=1,col=1", "written.h5", good=False)
assert "is in um, expected in um/s" in found, found
subprocess.run([program, f"--out={FOLDER}/text", "--format=h5,curve=txt,inverse=txt", f"--flow={FOLDER}/flow.npy",
                f"--rate={FOLDER}/plain.txt", "--quiet", "--plot-format=none"], check=True)
for name, heading in (("curve", "# time[us] speed[cm/s] ratio"), ("inverse", "# t[1/ms] v[1/um*s]")):
    with open(f"{FOLDER}/text/{name}.txt") as file:
        assert file.readline().split() == heading.split(), name
help = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
assert "two columns time [ms], speed [mm/s], time increasing" in " ".join(help.split()), help
