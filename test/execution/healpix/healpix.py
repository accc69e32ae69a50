#!/usr/bin/env python3
"""Pixels of the sphere and spectra of maps against numbers that healpy made once (Inputs/make.py, Inputs/healpix.json).

    healpix.py PMC FOLDER MESH...

Angles near the poles and random ones, at nside 16, 64, 2048 and 8192, in both orders: 0 pixels may differ."""
import hashlib
import json
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

SIDES = (16, 64, 2048, 8192)
COUNT, FEW = 60000, 40
SKY_SIDE, STRIDE = 16, 29
LARGE_SIDE, LARGE_MOST = 64, 191  # a map of many multipoles, as far as its pixels have them


def angles():
    """(theta, phi): random directions, some near the poles, some beyond one turn."""
    random = np.random.RandomState(5)  # the stream of a seed is fixed for good
    z = 2 * random.random_sample(COUNT) - 1
    theta, phi = np.arccos(z), 2 * np.pi * random.random_sample(COUNT)
    theta[:2000] = 0.02 * random.random_sample(2000)
    theta[2000:4000] = np.pi - 0.02 * random.random_sample(2000)
    theta[4000:4004], phi[4000:4004] = (0, np.pi, np.pi / 2, 1e-9), (1, 2, 0, 3)
    phi[5000:6000] += 2 * np.pi
    phi[6000:7000] *= -1
    return theta, phi


def directions():
    """Vectors of any length, to these angles."""
    random = np.random.RandomState(6)
    return random.standard_normal((3, COUNT)) * np.array([[1], [1], [3]])


def pixels(nside):
    """All, or as many."""
    if 12 * nside**2 <= COUNT:
        return np.arange(12 * nside**2)
    found = np.random.RandomState(7).randint(0, 12 * nside**2, COUNT)
    found[:4] = 0, 12 * nside**2 - 1, 2 * nside * (nside - 1), 10 * nside**2
    return found


def sky(side=SKY_SIDE):
    random = np.random.RandomState(8)
    return random.standard_normal(12 * side**2) + 0.3


def digest(numbers):
    return hashlib.sha256(np.ascontiguousarray(numbers, dtype="<i8").tobytes()).hexdigest()


def spec():
    counts = {nside: len(pixels(nside)) for nside in SIDES}
    lines = ["use healpix, spectra", f"dim j = {COUNT}", "mesh ranks(row = 1, col = 1)", "layout j -> row, sky -> col",
             "input theta: field[j]", "input phi: field[j]"] + [f"input v{i}: field[j]" for i in range(3)]
    for nside, count in counts.items():
        lines += [f"dim p{nside} = {count}", f"input pixels{nside}: int field[p{nside}]"]
    lines.append(f"dim sky = {12 * SKY_SIDE**2}, l = {2 * SKY_SIDE + 1}, m = {2 * SKY_SIDE + 1}\ninput map_of: field[sky]")
    lines.append(f"dim large = {12 * LARGE_SIDE**2}, degree = {LARGE_MOST + 1}, wave = {LARGE_MOST + 1}\ninput large_map: field[large]")
    for nside in SIDES:
        for order in ("ring", "nest"):
            lines.append(f'output ang_{order}_{nside} = map q in [j] => ang2pix({nside}, theta, phi, "{order}")')
            lines.append(f'output vec_{order}_{nside} = map q in [j] => vec2pix({nside}, (v0, v1, v2), "{order}")')
            lines.append(f'output pix_{order}_{nside} = map q in [p{nside}] => pix2ang({nside}, pixels{nside}, "{order}")')
            lines.append(f'let there_{order}_{nside} = map q in [p{nside}] => vec2pix({nside}, pix2vec({nside}, pixels{nside}, "{order}"), "{order}")')
            lines.append(f'assert max(abs(there_{order}_{nside} - pixels{nside})) == 0, "there and back: {nside}, {order}"')
        lines.append(f"output to_ring_{nside} = map q in [p{nside}] => nest2ring({nside}, pixels{nside})")
        lines.append(f"output to_nest_{nside} = map q in [p{nside}] => ring2nest({nside}, pixels{nside})")
    lines.append("""
output spectrum = sphere_power[l, m](map_of)
output improved = sphere_power[l, m](map_of, iterations = 2)
let alm = map2alm[l, m](map_of)
output back = alm2map[sky](alm)
let large_alm = map2alm[degree, wave](large_map)
output large_spectrum = alm_power(large_alm)
output large_back = alm2map[large](large_alm)
output painted = sphere_paint[sky]((v0, v1, v2), weight = v0^2)
// The transforms are each other's transpose but for the weights of pixels, and have derivatives.
fn energy(f) = sum(sphere_power[l, m](f)^2)
let along = map q in [sky] => sin(0.1 * index(q, sky))
let slope = inner(grad(energy)(map_of), along)
let (high, low) = (energy(map_of + 1e-5 * along), energy(map_of - 1e-5 * along))
assert abs((high - low) / 2e-5 - slope) < 1e-6 * abs(slope), "{} is not a slope, {}", slope, (high - low) / 2e-5
""")
    return "\n".join(lines)


def check(folder, wanted):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    for nside in SIDES:
        here = wanted[str(nside)]
        for name in ("ang_ring", "ang_nest", "vec_ring", "vec_nest", "to_ring", "to_nest"):
            found = read(f"{name}_{nside}")
            if found.dtype != np.int64 or digest(found) != here[name]:
                sys.exit(f"{folder}: {name} at nside {nside} has other pixels than healpy")
        for name in ("pix_ring", "pix_nest"):
            found = read(f"{name}_{nside}")[:FEW].T
            if np.abs(found - np.array(here[name])).max() > 4e-15:
                sys.exit(f"{folder}: {name} at nside {nside} is {np.abs(found - np.array(here[name])).max():.1e} from healpy's")
    for name, found in (("spectrum", read("spectrum")), ("improved", read("improved")), ("back", read("back")[::STRIDE]),
                        ("large_spectrum", read("large_spectrum")), ("large_back", read("large_back")[::STRIDE**2])):
        off = np.abs(found / np.array(wanted[name]) - 1).max()
        if off > 1e-10:
            sys.exit(f"{folder}: {name} is {off:.1e} from healpy's")
    sums = np.bincount(read(f"vec_ring_{SKY_SIDE}"), directions()[0]**2, minlength=12 * SKY_SIDE**2)
    if not np.allclose(read("painted"), sums, 1e-13, 1e-13):
        sys.exit(f"{folder}: what is painted on the sphere is not NumPy's")


def main():
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    inputs = dict(zip(("theta", "phi"), angles()), map_of=sky(), large_map=sky(LARGE_SIDE), **{f"v{i}": v for i, v in enumerate(directions())},
                  **{f"pixels{nside}": pixels(nside) for nside in SIDES})
    flags = []
    for name, values in inputs.items():
        path = os.path.join(folder, name + ".npy")
        np.save(path, values)
        flags.append(f"--{name}={path}")
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs", "healpix.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    for _, _, out, _ in meshes.runs("healpix", spec(), flags):
        check(out, wanted)
    print(f"healpy {wanted['healpy']}: 0 pixels differ at nside {', '.join(map(str, SIDES))}")


if __name__ == "__main__":
    main()
