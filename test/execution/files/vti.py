#!/usr/bin/env python3
"""Image data of VTK: vti.py PROGRAM FOLDER."""
import glob
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import numpy as np

program, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
TYPES = {"Float32": "<f4", "Float64": "<f8", "UInt8": "u1", "Int64": "<i8"}


def run(*flags, out="out", good=True):
    done = subprocess.run([program, "--quiet", f"--out={out}", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


def numbers(text, kind=int):
    return [kind(word) for word in text.split()]


def cells(extent):
    """How many cells are along each axis: an axis without cells has one corner, and counts as one."""
    return [max(1, end - begin) for begin, end in zip(extent[::2], extent[1::2])]


def image(root):
    attributes = root[0].attrib
    return numbers(attributes["WholeExtent"]), numbers(attributes["Origin"], float), numbers(attributes["Spacing"], float)


def load_vti(path):
    """The extent and the arrays of a file, in the order of its axes, with the units that it names."""
    data = open(path, "rb").read()
    begin = data.index(b'<AppendedData encoding="raw">')
    start = data.index(b"_", begin) + 1
    end = data.rindex(b"\n  </AppendedData>\n</VTKFile>\n")
    root = xml.fromstring(data[:begin] + b"</VTKFile>")
    assert root.attrib == {"type": "ImageData", "version": "1.0", "byte_order": "LittleEndian", "header_type": "UInt64"}, root.attrib
    extent, origin, spacing = image(root)
    piece = root[0].find("Piece")
    assert numbers(piece.attrib["Extent"]) == extent
    arrays, units, used = {}, {}, 0
    for array in piece.find("CellData"):
        at = start + int(array.attrib["offset"])
        size = int.from_bytes(data[at:at + 8], "little")
        values = np.frombuffer(data[at + 8:at + 8 + size], TYPES[array.attrib["type"]])
        used = max(used, at + 8 + size)
        if "NumberOfComponents" in array.attrib:
            assert (array.attrib["ComponentName0"], array.attrib["ComponentName1"]) == ("real", "imag")
            values = values[0::2] + 1j * values[1::2]
        arrays[array.attrib["Name"]] = values.reshape(cells(extent), order="F")
        key = array.find("InformationKey")
        units[array.attrib["Name"]] = None if key is None else (key.attrib["name"], key.attrib["location"], key.text)
    assert used == end, "bytes beyond the arrays"
    field = root[0].find("FieldData")
    unit = "" if field is None else bytes(numbers(field[0].text)[:-1]).decode()
    return extent, arrays, (origin, spacing, unit, units)


def load(name, out="out"):
    if os.path.exists(f"{out}/{name}.vti"):
        return load_vti(f"{out}/{name}.vti")
    root = xml.parse(f"{out}/{name}.pvti").getroot()
    extent, origin, spacing = image(root)
    whole = {array.attrib["Name"]: None for array in root[0].find("PCellData")}
    filled = np.zeros(cells(extent), int)
    for piece in root[0].findall("Piece"):
        own, arrays, facts = load_vti(f"{out}/{piece.attrib['Source']}")
        assert own == numbers(piece.attrib["Extent"]) and facts[:2] == (origin, spacing) and list(arrays) == list(whole)
        box = tuple(slice(begin, max(end, begin + 1)) for begin, end in zip(own[::2], own[1::2]))
        filled[box] += 1
        for key, values in arrays.items():
            if whole[key] is None:
                whole[key] = np.zeros(cells(extent), values.dtype)
            whole[key][box] = values
    assert np.all(filled == 1), name
    return extent, whole, facts


FORMATS = "--format=h5,cube=vti,speed=vti,vector=vti,mask=vti,count=vti,pair=vti,batch=vti,line=vti,step=vti,last=vti"
run("--format=npy", out="rows")
rows = {os.path.basename(path)[:-4]: np.load(path) for path in glob.glob("rows/*.npy")}
for mesh in ("row=1,col=1", "row=2,col=2", "row=3,col=1"):
    alone = mesh == "row=1,col=1"
    out = "out" if alone else f"out.{mesh}"
    run(FORMATS, f"--mesh={mesh}", out=out)
    for name in ("cube", "mask", "count", "pair", "line", "step_000", "step_001", "last"):
        extent, arrays, _ = load(name, out)
        assert list(arrays) == [name[:4] if "_" in name else name], (name, arrays.keys())
        found = next(iter(arrays.values())).squeeze()
        assert np.array_equal(found, rows[name]), (mesh, name)
    for name, columns in (("speed", ["a", "b"]), ("vector", ["vector_1", "vector_2", "vector_3"])):
        _, arrays, _ = load(name, out)
        assert list(arrays) == columns, arrays.keys()
        assert all(np.array_equal(arrays[column], rows[name][..., i]) for i, column in enumerate(columns)), (mesh, name)
    # Directions precede what counts a batch.
    assert np.array_equal(load("batch", out)[1]["batch"], np.moveaxis(rows["batch"], 0, -1)), mesh
    # The values of a lattice are at multiples of the spacing, which are the centers of cells.
    extent, _, (origin, spacing, unit, _) = load("cube", out)
    assert extent == [0, 12, 0, 10, 0, 8] and unit == "Mpc/h", (extent, unit)
    assert np.allclose(spacing, [100 / 12, 10, 12.5], rtol=1e-14) and np.allclose(origin, np.multiply(spacing, -0.5), rtol=1e-14)
    extent, _, (origin, spacing, unit, _) = load("pair", out)
    assert (extent, origin, spacing, unit) == ([0, 6, 0, 5, 0, 0], [-5, -6, 0], [10, 12, 1], "mm"), (extent, origin, spacing, unit)
    assert load("batch", out)[2][2] == "mm, mm, 1"
    units = load("speed", out)[2][3]
    assert units == {"a": ("UNITS_LABEL", "vtkDataArray", "mm/s"), "b": ("UNITS_LABEL", "vtkDataArray", "Mpc/h")}, units
    written = json.load(open(f"{out}/run.json", encoding="utf-8"))
    files = {os.path.basename(path) for path in glob.glob(f"{out}/*vti")}
    assert files == {file for file in written["outputs_sha256"] if file.endswith("vti")}, files
    assert ("cube.vti" in files) == alone and ("cube.pvti" in files) != alone
print("same numbers as .npy")

# A rank writes a file where it owns cells that no rank before it has.
pieces = sorted(os.path.basename(path) for path in glob.glob("out.row=2,col=2/*.vti"))
assert [name for name in pieces if name.startswith("cube")] == [f"cube.{rank}.vti" for rank in range(4)], pieces
assert [name for name in pieces if name.startswith("pair")] == ["pair.0.vti", "pair.2.vti"], pieces
assert [name for name in pieces if name.startswith("line")] == ["line.0.vti"], pieces
print("pieces of ranks")

# Pieces of ranks that do not write are files that the run did not replace: they come back.
run(FORMATS, "--mesh=row=2,col=2", out="again")
run(FORMATS, "--mesh=row=2,col=1", "--box=50", out="again")
assert np.allclose(load("cube", "again")[2][1], [50 / 12, 5, 6.25], rtol=1e-14)
assert not glob.glob("again/earlier.*")
print("earlier pieces")

assert "output 'deep' cannot be a .vti file: it has 4 dims, and this format supports at most 3; use deep=h5" in run("--format=vti", good=False)
message = run("--format=h5,modes=vti", good=False)
assert "output 'modes' cannot be a .vti file: 'ku' is a dim of modes, and this format stores only fields over space; use modes=h5" in message, message
assert "output 'half' cannot be a .vti file: 'kv' is a half dim, and this format requires all modes" in run("--format=h5,half=vti", good=False)
assert "output 'number' cannot be a .vti file: it is a list of numbers, and this format stores only fields" in run("--format=h5,number=vti", good=False)
print("errors say why")
