#!/usr/bin/env python3
"""Writes healpix.json, what healpy (https://healpy.readthedocs.io) gives for the angles and pixels of healpix.py, and a map's
spectrum: SHA-256 of pixel numbers, and numbers. Needs healpy, which the tests do not.

    make.py > healpix.json"""
import json
import os
import sys

import healpy
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import healpix  # pylint: disable=wrong-import-position


def main():
    found = {"healpy": healpy.__version__}
    theta, phi = healpix.angles()
    vector = healpix.directions()
    for nside in healpix.SIDES:
        pixels = healpix.pixels(nside)
        few = pixels[:healpix.FEW]
        found[str(nside)] = {
            **{name: healpix.digest(healpy.ang2pix(nside, theta, phi, nest=name == "ang_nest")) for name in ("ang_ring", "ang_nest")},
            **{name: healpix.digest(healpy.vec2pix(nside, *vector, nest=name == "vec_nest")) for name in ("vec_ring", "vec_nest")},
            "to_ring": healpix.digest(healpy.nest2ring(nside, pixels)), "to_nest": healpix.digest(healpy.ring2nest(nside, pixels)),
            **{name: [a.tolist() for a in healpy.pix2ang(nside, few, nest=name == "pix_nest")] for name in ("pix_ring", "pix_nest")}}
    sky = healpix.sky()
    nside = healpix.SKY_SIDE
    found["spectrum"] = healpy.anafast(sky, lmax=2 * nside, iter=0).tolist()
    found["improved"] = healpy.anafast(sky, lmax=2 * nside, iter=2).tolist()
    alm = healpy.map2alm(sky, lmax=2 * nside, iter=0)
    found["back"] = healpy.alm2map(alm, nside)[::healpix.STRIDE].tolist()
    large, most = healpix.sky(healpix.LARGE_SIDE), healpix.LARGE_MOST
    found["large_spectrum"] = healpy.anafast(large, lmax=most, iter=0).tolist()
    alm = healpy.map2alm(large, lmax=most, iter=0)
    found["large_back"] = healpy.alm2map(alm, healpix.LARGE_SIDE)[::healpix.STRIDE**2].tolist()
    json.dump(found, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
