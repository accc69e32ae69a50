#!/usr/bin/env python3
"""The module `constants` against SciPy and the definitions of the IAU.

    constants.py PMC FOLDER"""
import os
import shlex
import subprocess
import sys

from scipy import constants

PMC, FOLDER = sys.argv[1:]
EXACT, MEASURED = 1e-14, 1e-8  # SciPy may have an earlier CODATA

# The unit, and the value in it.
WANTED = {
    "c": ("m/s", constants.c, EXACT), "h": ("J*s", constants.h, EXACT), "hbar": ("J*s", constants.hbar, EXACT), "e": ("C", constants.e, EXACT),
    "k_B": ("J/K", constants.k, EXACT), "N_A": ("", constants.N_A, EXACT), "R_gas": ("J/K", constants.R, MEASURED),
    "sigma_SB": ("J/s/m^2/K^4", constants.sigma, MEASURED), "G": ("m^3/kg/s^2", constants.G, EXACT), "m_e": ("kg", constants.m_e, MEASURED),
    "m_p": ("kg", constants.m_p, MEASURED), "m_n": ("kg", constants.m_n, MEASURED), "m_u": ("kg", constants.atomic_mass, MEASURED),
    "epsilon_0": ("C/V/m", constants.epsilon_0, MEASURED), "mu_0": ("N/A^2", constants.mu_0, MEASURED), "alpha": ("", constants.alpha, MEASURED),
    "a_0": ("m", constants.value("Bohr radius"), MEASURED), "sigma_T": ("m^2", constants.value("Thomson cross section"), MEASURED),
    "gamma_p": ("Hz/T", constants.value("proton gyromag. ratio"), MEASURED), "au": ("m", constants.au, EXACT), "parsec": ("m", constants.parsec, EXACT),
    "GM_sun": ("m^3/s^2", 1.3271244e20, EXACT), "M_sun": ("kg", 1.3271244e20 / constants.G, EXACT), "L_sun": ("J/s", 3.828e26, EXACT),
    "R_sun": ("km", 695700.0, EXACT), "G_sun": ("Mpc*km^2/s^2/Msun", 1.3271244e11 / (constants.parsec / 1e3) / 1e6, EXACT),
    # Units that are no multiples of powers of ten of the base units.
    "(1 eV)": ("J", constants.eV, EXACT), "(1 yr)": ("min", constants.Julian_year / 60, EXACT), "(1 arcsec)": ("deg", 1 / 3600, EXACT),
    "(3 g)": ("kg", 3e-3, EXACT), "(2 Gyr)": ("Myr", 2000.0, EXACT), "(5 pc)": ("kpc", 5e-3, EXACT),
    "(3 uT)": ("N/A/m", 3e-6, EXACT), "(4 MeV)": ("keV", 4000.0, EXACT), "(2 GHz * (3 ps))": ("", 6e-3, EXACT), "(4 fs)": ("ns", 4e-6, EXACT),
    "(6 nm)": ("um", 6e-3, EXACT), "(2 Pa)": ("J/m^3", 2.0, EXACT)}

os.makedirs(FOLDER, exist_ok=True)
for units in ("", "units m\n", "units um, ns, g\n"):
    spec = "use constants\n" + units
    for name, (unit, _, _) in WANTED.items():
        spec += 'print "{:.17e}", %s\n' % ("%s in %s" % (name, unit) if unit else name)
    with open(FOLDER + "/all.pm", "w") as file:
        file.write(spec)
    subprocess.run([*shlex.split(PMC), FOLDER + "/all.pm", "-o", FOLDER + "/all"], check=True)
    lines = subprocess.run([FOLDER + "/all", "--quiet", "--out=%s/out" % FOLDER], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == len(WANTED), lines
    for line, (name, (unit, value, tolerance)) in zip(lines, WANTED.items()):
        words = line.split(" ", 1)
        assert abs(float(words[0]) / value - 1) < tolerance and words[1:] == ([unit] if unit else []), (units, name, line, value)
