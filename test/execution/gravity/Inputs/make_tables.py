#!/usr/bin/env python3
"""Makes the tables of massive neutrinos in Inputs with CAMB: make_tables.py FOLDER"""
import os
import sys

import camb
import numpy as np

h, omega_b, omega_m = 0.7, 0.05, 0.31
a = np.round(np.concatenate([np.linspace(0.08, 0.3, 12), np.linspace(0.35, 1, 14)]), 4)
k = np.geomspace(5e-3, 1, 36)


def tables(total):
    pars = camb.set_params(H0=100 * h, ombh2=omega_b * h * h, omch2=(omega_m - omega_b) * h * h - total / 93.14, mnu=total, num_massive_neutrinos=3 if total else 0,
                           neutrino_hierarchy="degenerate", omk=0, As=2.1e-9, ns=0.96, WantTransfer=True)
    pars.set_matter_power(redshifts=sorted(1 / a - 1, reverse=True), kmax=4)
    pars.set_accuracy(AccuracyBoost=1.5, lAccuracyBoost=1.5)
    data = camb.get_transfer_functions(pars).get_matter_transfer_data()
    found = []
    for variable in ("Transfer_nonu", "Transfer_nu"):
        T = data.transfer_data[getattr(camb.model, variable) - 1]  # [k, z], k in h/Mpc in the first variable
        kh = data.transfer_data[0, :, 0]
        found.append(np.array([np.interp(np.log(k), np.log(kh), T[:, i]) for i in range(len(a))]).T)
    if total:
        print(total, "omega_nu h^2", pars.omnuh2, total / 93.14)
    return found


def write(name, values):
    with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
        print("0 " + " ".join("%g" % s for s in a), file=file)
        for q, row in zip(k, values):
            print("%.5e " % q + " ".join("%.5e" % v for v in row), file=file)


plain, _ = tables(0)
for total in (0.1, 0.3):
    cb, nu = tables(total)
    write("ratio_%g.txt" % total, nu / cb)
    # The growth of baryons and cold dark matter, relative to that without massive neutrinos.
    write("growth_%g.txt" % total, cb / plain)
