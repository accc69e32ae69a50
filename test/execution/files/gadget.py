#!/usr/bin/env python3
"""Tests snapshots that programs write, and snapshots of SWIFT that they read: gadget.py WRITE READ FOLDER."""
import importlib.util
import os
import subprocess
import sys

import h5py
import numpy as np

write, read, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
MPC, SUN = 3.0856775814913673e24, 1.98841e33  # cm, g


def run(program, *flags, good=True):
    done = subprocess.run([program, "--quiet", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


run(write, "--out=plain", "--format=h5,place=npy,speed=npy")
place, speed = np.load("plain/place.npy"), np.load("plain/speed.npy")


def files_of(name, mesh):
    """Returns the files of a snapshot on a mesh, opened."""
    ranks = mesh[0] * mesh[1]
    names = [f"{name}.hdf5"] if ranks == 1 else [f"{name}.{rank}.hdf5" for rank in range(ranks)]
    folder = os.path.dirname(name)
    found = sorted(file for file in os.listdir(folder) if file.startswith(os.path.basename(name) + "."))
    assert found == sorted(os.path.basename(one) for one in names), found
    return [h5py.File(one) for one in names]


def rows(files, name):
    """Returns the rows of all files in the order of the particles' IDs, which count the lattice row by row.

    The IDs of PartType1 begin at 1, and those of PartType4 behind the 120 of PartType1."""
    group = name.split("/")[0]
    order = np.concatenate([file[group + "/ParticleIDs"][()] for file in files if group in file])
    assert np.array_equal(np.sort(order), np.arange(1, len(order) + 1) + (120 if group == "PartType4" else 0)), order
    all_rows = np.concatenate([file[name][()] for file in files if group in file])
    return all_rows[np.argsort(order)]


def check_counts(files, number, kinds):
    """The counts of the headers agree with the datasets."""
    for file in files:
        head = file["Header"].attrs
        here = [len(file[f"PartType{kind}/Coordinates"]) if f"PartType{kind}" in file else 0 for kind in range(kinds)]
        assert list(head["NumPart_ThisFile"]) == here, (here, head["NumPart_ThisFile"])
        assert list(head["NumPart_Total"]) == number and int(np.ravel(head["NumFilesPerSnapshot"])[0]) == len(files)


meshes = ((1, 1), (3, 1), (2, 3))
for mesh in meshes:
    run(write, f"--out=gadget{mesh[0]}{mesh[1]}", "--format=h5,cold=gadget", f"--mesh=row={mesh[0]},col={mesh[1]}")
    files = files_of(f"gadget{mesh[0]}{mesh[1]}/cold", mesh)
    check_counts(files, [0, 120, 0, 0, 0, 0], 6)
    assert np.array_equal(rows(files, "PartType1/Coordinates"), place), mesh
    assert np.array_equal(rows(files, "PartType1/Velocities"), speed), mesh
    for file in files:
        head, units = file["Header"].attrs, file["Parameters"].attrs
        assert (head["Time"], head["Redshift"], head["BoxSize"]) == (0.5, 1, 60)
        assert list(head["MassTable"]) == [0, 2.5e10, 0, 0, 0, 0]
        assert (units["HubbleParam"], units["Omega0"], units["OmegaLambda"]) == (0.7, 0.3, 0.7)
        assert np.allclose([units["UnitLength_in_cm"], units["UnitVelocity_in_cm_per_s"]], [MPC, 1e5], rtol=1e-12)
        assert np.isclose(units["UnitMass_in_g"], SUN, rtol=1e-5)
        at = file["PartType1/Coordinates"].attrs
        assert (at["a_scaling"], at["h_scaling"], at["length_scaling"]) == (1, -1, 1) and np.isclose(at["to_cgs"], MPC, rtol=1e-12)
        file.close()
print("snapshots of Gadget")

for mesh in meshes:
    out = f"swift{mesh[0]}{mesh[1]}"
    run(write, f"--out={out}", "--format=h5,free=swift", f"--mesh=row={mesh[0]},col={mesh[1]}")
    files = files_of(out + "/free", mesh)
    check_counts(files, [0, 120, 0, 0, 10, 0, 0], 7)
    assert np.allclose(rows(files, "PartType1/Coordinates"), place / 0.7, rtol=1e-6)
    assert np.array_equal(rows(files, "PartType1/Masses"), np.full(120, 3e10))
    assert np.array_equal(rows(files, "PartType4/Masses"), np.arange(1, 11, dtype=np.float32) * np.float32(1e9))
    assert np.array_equal(rows(files, "PartType4/Coordinates"), np.arange(10)[:, None] + np.arange(3)[None])
    for number, file in enumerate(files):
        head, units = file["Header"].attrs, file["Units"].attrs
        assert head["Code"] == b"SWIFT" and head["Dimension"][0] == 3 and head["ThisFile"][0] == number
        assert head["Scale-factor"][0] == 0.5 and np.allclose(head["BoxSize"], 60 / 0.7) and head["BoxSize"].shape == (3,)
        assert file["Cosmology"].attrs["Omega_cdm"][0] == 0.25
        assert np.isclose(units["Unit length in cgs (U_L)"][0], MPC, rtol=1e-12)
        assert np.isclose(units["Unit time in cgs (U_t)"][0], MPC / 1e5, rtol=1e-12)
        if "PartType1" in file:
            at = file["PartType1/Velocities"].attrs
            assert (at["U_L exponent"][0], at["U_t exponent"][0], at["a-scale exponent"][0]) == (1, -1, 0)
        file.close()
    first = "free.hdf5" if mesh == (1, 1) else "free.0.hdf5"
    for ranks in (1, 4):
        run(read, f"--pos={out}/{first}:/PartType1/Coordinates", "--out=back", "--format=npy", f"--mesh=row={ranks}")
        assert np.allclose(np.sort(np.load("back/place.npy"), axis=0), np.sort(place / 0.7, axis=0), rtol=1e-6), (mesh, ranks)
print("snapshots of SWIFT")

# If SWIFT writes several files, it adds one whose virtual datasets refer to them.
numbers = np.random.default_rng(1).uniform(0, 50, (120, 3))
layout = h5py.VirtualLayout((120, 3), "f8")
first = 0
for number, count in enumerate((70, 50)):
    with h5py.File(f"many.{number}.hdf5", "w") as file:
        file["PartType1/Coordinates"] = numbers[first:first + count]
        file.create_group("Header").attrs["NumFilesPerSnapshot"] = np.array([2], np.int32)
    layout[first:first + count] = h5py.VirtualSource(f"many.{number}.hdf5", "PartType1/Coordinates", (count, 3))
    first += count
with h5py.File("many.hdf5", "w") as file:
    file.create_virtual_dataset("PartType1/Coordinates", layout)
    file.create_group("Header").attrs["NumFilesPerSnapshot"] = np.array([1], np.int32)
for name in ("many.hdf5", "many.0.hdf5"):
    run(read, f"--pos={name}:/PartType1/Coordinates", "--out=back", "--format=npy", "--mesh=row=3")
    assert np.array_equal(np.load("back/place.npy"), numbers), name
print("a virtual file of SWIFT")

if importlib.util.find_spec("pynbody"):
    import pynbody

    for name in ("gadget11/cold.hdf5", "gadget23/cold", "swift11/free.hdf5"):
        snapshot = pynbody.load(name)
        cold = snapshot.dm
        h = 1 if name.startswith("swift") else 0.7
        assert len(cold) == 120 and np.isclose(snapshot.properties["a"], 0.5) and np.isclose(snapshot.properties["h"], 0.7)
        found = np.asarray(cold["pos"].in_units("Mpc a", **snapshot.conversion_context()))
        assert np.allclose(found[np.argsort(cold["iord"])], place / 0.7, rtol=1e-5), name
        mass = np.asarray(cold["mass"].in_units("Msol", **snapshot.conversion_context()))
        assert np.allclose(mass, 3e10 if h == 1 else 2.5e10 / 0.7, rtol=1e-3), (name, mass)
if importlib.util.find_spec("yt"):
    import yt

    # yt assumes kpc/h in files of Gadget.
    data = yt.load("gadget11/cold.hdf5", unit_base={"length": (1, "Mpccm/h")}).all_data()
    order = np.argsort(np.asarray(data["PartType1", "ParticleIDs"]))
    assert np.allclose(np.asarray(data["PartType1", "Coordinates"].to("Mpccm"))[order], place / 0.7, rtol=1e-5)
print("other programs")

for format_name, output, text in (
        ("gadget", "place", "it is not a record with the members Header and PartType1"),
        ("gadget", "untimed", "it has no number Header.Time"),
        ("gadget", "massless", "PartType1 has no Masses, and Header no MassTable"),
        ("gadget", "placeless", "PartType1 has no Coordinates"),
        ("gadget", "pure", "'PartType1.Coordinates' has the unit '', which is not a length"),
        ("gadget", "outside", "its field 'Header.density' is outside of PartType0 to PartType5"),
        ("gadget", "counted", "the format itself adds 'Header.NumPart_Total'"),
        ("gadget", "flat", "'PartType1.Coordinates' has 2 components, expected 3"),
        ("gadget", "rows", "'PartType1.Coordinates' has 1 component, expected 3"),
        ("gadget", "boxed", "'PartType1.Coordinates' has the unit 'Mpc', and 'Header.BoxSize' has 'Mpc/h'; a snapshot has one unit of length"),
        ("gadget", "bare", "'Header.BoxSize' has the unit '', which is not a length"),
        ("gadget", "heavy", "PartType2 has no Masses, and element 2 of Header.MassTable has no unit of mass"),
        ("gadget", "weighed", "'PartType1.Masses' has the unit 'Msun', and 'Header.MassTable' has 'Msun/h'; a snapshot has one unit of mass"),
        ("swift", "swift", "'Header.MassTable' has the unit 'Msun/h': SWIFT has units without h, such as Mpc and Msun"),
        ("gadget", "numbered", "'PartType1.ParticleIDs' is of f32, expected i64"),
        ("gadget", "chosen", "'PartType1.ParticleIDs' is of i8, expected i64"),
        ("gadget", "typed", "the components of 'PartType1.Kind' are of i64 and f32, expected one type"),
        ("gadget", "joined", "the components of 'PartType1.V' have the units 'Mpc/h' and '', expected one unit"),
        ("gadget", "masses", "'Header.MassTable' has 8 numbers, expected at most 6"),
        ("gadget", "onerow", "its field 'Header.density' is outside of PartType0 to PartType5"),
        ("gadget", "mixed", "the fields of PartType1 have different dims"),
        ("swift", "cold", "'Header.BoxSize' has the unit 'Mpc/h': SWIFT has units without h, such as Mpc and Msun")):
    message = run(write, "--out=bad", f"--format=h5,{output}={format_name}", good=False)
    assert text in message and "[PM9005]" in message, message
message = run(write, "--out=bad", "--format=h5,cold=gadget", "--a=0", good=False)
assert "Header.Time is 0, expected a scale factor above 0" in message, message
message = run(write, "--out=bad", "--format=h5,lossy=gadget", "--mesh=row=2", good=False)
assert ("cannot write output 'lossy': 'Header.count' is 9007199254740993, which f64, the type of attributes, cannot represent exactly; "
        "write two smaller numbers [PM9005]") in message, message
run(write, "--out=shifted", "--format=h5,shifted=gadget", "--a=0.5")
message = run(write, "--out=bad", "--format=h5,shifted=gadget", "--a=0.25", good=False)
assert "Header.Redshift is 1, but Header.Time is 0.25, which is the redshift 3; remove Header.Redshift" in message, message
run(write, "--out=named", "--format=h5,named=gadget")
with h5py.File("named/named.hdf5") as file:
    assert np.array_equal(file["PartType1/ParticleIDs"], np.tile((3 * 10**18 + 1) * np.arange(4), 30))
run(write, "--out=listed", "--format=h5,listed=gadget")
with h5py.File("listed/listed.hdf5") as file:
    assert np.allclose(file["Header"].attrs["MassTable"], 1e10 * np.arange(6)) and np.isclose(file["Units"].attrs["UnitMass_in_g"], SUN, rtol=1e-5)
print("errors say why")
