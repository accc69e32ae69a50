#!/usr/bin/env python3
"""Files of FITS in and out: fits.py PROGRAM FOLDER."""
import gzip
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs"))
import fits_file  # pylint: disable=wrong-import-position

program, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def save(name, raw):
    open(name, "wb").write(raw)


def run(*flags, good=True):
    done = subprocess.run([program, "--quiet", "--out=out", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


random = np.random.default_rng(1)
real = random.standard_normal((6, 5))
sky = random.standard_normal(192)
cube = random.standard_normal((6, 5, 4))
save("real.fits", fits_file.image(real))
save("cube.fits", fits_file.image(cube))
save("sky.fits", fits_file.table({"I": sky.reshape(3, 64), "Q": -sky.reshape(3, 64)}, "D", PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=4))
formats = "--format=fits,map_one=healpix,map_both=healpix"
first = {}
for mesh in ("row=1,col=1", "row=2,col=1", "row=2,col=2", "row=3,col=1"):
    run("--real=real.fits", "--sky=sky.fits:/I", "--cube=cube.fits", formats, f"--mesh={mesh}")
    [(keys, twice)] = fits_file.load("out/twice.fits", sums=True)
    assert np.array_equal(twice, 2 * real) and keys["BUNIT"] == "km/s" and keys["OBJECT"] == "twice", keys
    assert (keys["CTYPE1"], keys["CTYPE2"]) == ("y", "x") and abs(keys["CDELT1"] / keys["CDELT2"] - 1) < 1e-14, keys
    [(keys, solid)] = fits_file.load("out/solid.fits")
    assert np.array_equal(solid, cube + 1) and "BUNIT" not in keys, keys  # pure numbers have no unit
    [(keys, both)] = fits_file.load("out/both.fits")
    assert np.array_equal(both, [real, -real]) and keys["COLUMN2"] == "two"
    assert np.array_equal(fits_file.load("out/signs.fits")[0][1], real > 0)
    [(keys, place)] = fits_file.load("out/place.fits")
    assert np.array_equal(place, 10.0 * np.indices((6, 5))) and keys["COLUMN1"] == "place_1", keys
    [(keys, columns)] = fits_file.load("out/map_one.fits", sums=True)
    assert np.array_equal(columns["map_one"], sky + 1) and keys["NSIDE"] == 4 and keys["ORDERING"] == "RING", keys
    [(keys, columns)] = fits_file.load("out/map_both.fits")
    assert np.array_equal(columns["E"], sky) and np.array_equal(columns["B"], 2 * sky)
    for name in ("twice", "solid", "both", "signs", "place", "map_one", "map_both"):
        raw = open(f"out/{name}.fits", "rb").read()
        assert first.setdefault(name, raw) == raw, (name, mesh)
print("same files on all meshes")

# What was written is read; packed, whole numbers with a scale, single columns, by number and name.
run("--real=out/twice.fits", "--sky=out/map_one.fits", "--format=npy")
assert np.array_equal(np.load("out/twice.npy"), 4 * real) and np.array_equal(np.load("out/map_one.npy"), (sky + 1) + 1)
save("real.fits.gz", gzip.compress(fits_file.image(real)))
run("--real=real.fits.gz", "--format=npy")
assert np.array_equal(np.load("out/twice.npy"), 2 * real)
whole = random.integers(-500, 500, (6, 5)).astype(np.int16)
save("whole.fits", fits_file.image(whole, BSCALE=0.25, BZERO=3.0))
run("--real=whole.fits", "--format=npy", "--mesh=row=2,col=2")
assert np.array_equal(np.load("out/twice.npy"), 2 * (0.25 * whole + 3))
save("table.fits", fits_file.table({"a": real, "b": -real}, "E", EXTNAME="velocities"))
run("--real=table.fits:/b", "--format=npy")
assert np.array_equal(np.load("out/twice.npy"), -2 * real.astype(np.float32).astype(float))
save("named.fits", fits_file.table({"a": real}, "D", EXTNAME="velocities"))
for part in ("velocities", "1", "a"):
    run(f"--real=named.fits:/{part}", "--format=npy")
    assert np.array_equal(np.load("out/twice.npy"), 2 * real)
print("scaled, packed, and columns")

# All types as real numbers and as whole ones, with a scale, with an offset that makes them unsigned, and with blanks.
for bits, name in fits_file.KINDS.items():
    kind = np.dtype(name)
    limits = (np.iinfo(kind).min, np.iinfo(kind).max) if kind.kind in "iu" else (-1000, 1000)
    values = random.integers(max(limits[0], -2**40), min(limits[1], 2**40), (6, 5), endpoint=True).astype(kind)
    unsigned = {8: -2.0**7, 16: 2.0**15, 32: 2.0**31}.get(bits, 0)
    for slope, offset in ((1, 0), (0.25, 3.0), (1, -1024.0), (1, unsigned)):
        expected = slope * values.astype("f8") + offset
        save("typed.fits", fits_file.image(values, BSCALE=float(slope), BZERO=float(offset)))
        isWhole = kind.kind in "iu" and slope == 1 and offset in (0, unsigned)
        run("--real=typed.fits", "--format=npy", *["--counts=typed.fits"] * isWhole)
        assert np.array_equal(np.load("out/twice.npy"), 2 * expected), (name, slope, offset)
        assert not isWhole or np.array_equal(np.load("out/count.npy"), expected), (name, offset)
        if kind.kind == "f":
            continue
        save("blank.fits", fits_file.image(values, BSCALE=float(slope), BZERO=float(offset), BLANK=int(values[2, 3])))
        place = str([int(i) for i in np.argwhere(values == values[2, 3])[0]])
        assert f"blank.fits is not finite: element {place} is nan" in run("--real=blank.fits", good=False), (name, slope, offset)
        if isWhole:
            assert f"--counts: blank.fits has no value in element {place}: found BLANK, but each element of an integer field needs a value" in run("--real=real.fits", "--counts=blank.fits", good=False)
save("null.fits", fits_file.table({"n": np.arange(30).reshape(6, 5)}, "J", TNULL1=7))
assert "null.fits has no value in element [1, 2]: found TNULL, but each element of an integer field needs a value" in run("--real=real.fits", "--counts=null.fits", "--mesh=row=2,col=1", good=False)
print("all types, with blanks")


def flipped(name, place, bit=0):
    raw = bytearray(open(f"out/{name}.fits", "rb").read())
    raw[place] ^= 1 << bit
    save(f"{name}_flipped.fits", raw)
    return f"{name}_flipped.fits"


# A bit of the numbers, of the header, and of the padding behind the numbers.
run("--real=real.fits", "--sky=sky.fits:/I", "--cube=cube.fits", formats)
size = os.path.getsize("out/twice.fits")
data = size - 2880
assert "twice_flipped.fits is damaged or was changed: HDU 0 has other data than its DATASUM says" in run("--real=" + flipped("twice", data + 7), good=False)
assert "twice_flipped.fits is damaged or was changed: HDU 0 has other data than its DATASUM says" in run("--real=" + flipped("twice", size - 1, 6), good=False)
place = open("out/twice.fits", "rb").read().index(b"km/s")
assert "twice_flipped.fits is damaged or was changed: HDU 0 has another header than its CHECKSUM says" in run("--real=" + flipped("twice", place), good=False)
size = os.path.getsize("out/map_one.fits")
assert "map_one_flipped.fits is damaged or was changed: HDU 1 ('map_one') has other data than its DATASUM says" in run(
    "--real=real.fits", "--sky=" + flipped("map_one", size - 2880), "--mesh=row=2,col=1", good=False)
save("packed.fits.gz", gzip.compress(open("twice_flipped.fits", "rb").read()))
assert "packed.fits.gz is damaged" in run("--real=packed.fits.gz", good=False)
# What has no checksums is not asked for them.
save("plain.fits", fits_file.image(real))
run("--real=plain.fits", "--format=npy")
print("flipped bits are found")

assert "table.fits has a table with the columns a, b: select one with FILE:/NAME" in run("--real=table.fits", good=False)
assert "table.fits has no part 'c', but velocities, a, b" in run("--real=table.fits:/c", good=False)
assert "wide.fits has shape 7x5, expected 6x5 (dims x, y)" in (save("wide.fits", fits_file.image(np.zeros((7, 5)))), run("--real=wide.fits", good=False))[1]
save("nested.fits", fits_file.table({"I": sky.reshape(1, 192)}, "D", PIXTYPE="HEALPIX", ORDERING="NESTED", NSIDE=4))
assert "nested.fits is a map in the order 'NESTED', expected RING" in run("--real=real.fits", "--sky=nested.fits", good=False)
save("some.fits", fits_file.table({"I": sky.reshape(192, 1)}, "D", PIXTYPE="HEALPIX", ORDERING="RING", INDXSCHM="EXPLICIT"))
assert "some.fits is a map of a part of the sky" in run("--real=real.fits", "--sky=some.fits", good=False)
big = np.zeros((60, 50))
save("cut.fits", fits_file.image(big)[:2880 * 3])
assert "cut.fits" in run("--real=cut.fits", good=False)
save("short.fits", fits_file.image(real)[:2880 + 100])
assert "short.fits is truncated or damaged" in run("--real=short.fits", good=False)
save("none.fits", b"no header")
assert "none.fits is not a complete FITS file" in run("--real=none.fits", good=False)
hole = real.copy()
hole[2, 3] = np.nan
save("hole.fits", fits_file.image(hole))
assert "nan" in run("--real=hole.fits", good=False).lower()
# Sentinels of missing pixels are no values, in f32 and f64, of tables and of images with the keyword.
unseen = sky.copy()
unseen[100] = -1.6375e30
for letter in "ED":
    save("unseen.fits", fits_file.table({"I": unseen.reshape(3, 64)}, letter, PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=4))
    found = run("--real=real.fits", "--sky=unseen.fits", good=False)
    assert "unseen.fits is not finite: element [100] is nan (the file has no value there: NaN, BLANK, BAD_DATA or UNSEEN)" in found, found
unseen[100] = -999
save("bad.fits", fits_file.table({"I": unseen.reshape(3, 64)}, "E", PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=4, BAD_DATA=-999.0))
assert "bad.fits is not finite: element [100] is nan" in run("--real=real.fits", "--sky=bad.fits", good=False)
run("--real=real.fits", "--sky=" + (save("plain_sky.fits", fits_file.table({"I": unseen.reshape(3, 64)}, "E", ORDERING="RING", NSIDE=4)), "plain_sky.fits")[1])
bad = real.copy()
bad[1, 2] = -32768.5
save("bad.fits", fits_file.image(bad, BAD_DATA=-32768.5))
assert "bad.fits is not finite: element [1, 2] is nan" in run("--real=bad.fits", good=False)
print("errors say where")
