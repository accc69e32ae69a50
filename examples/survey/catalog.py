#!/usr/bin/env python3
"""Cuts a survey out of the galaxies of ../mocks, and draws random points in it: catalog.py GALAXIES.h5 SURVEY.h5

The survey is a cone around the z axis. The observer is at its tip, below the middle of the box. The density of galaxies falls with the distance from the
observer: galaxies that are farther away are left out at random. Both datasets of SURVEY.h5 have the columns x, y and z from the observer, the expected density
of galaxies, and a weight of 1. Needs NumPy and h5py."""
import argparse

import h5py
import numpy

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("galaxies", help="what mocks.pm wrote")
parser.add_argument("survey", help="the file to write")
parser.add_argument("--box", type=float, default=200.0, help="side of the mock's box in Mpc/h")
parser.add_argument("--angle", type=float, default=20.0, help="between the axis and the edge of the cone, in degrees")
parser.add_argument("--near", type=float, default=200.0, help="distance from the observer to the box in Mpc/h")
parser.add_argument("--randoms", type=int, default=20, help="random points for each galaxy")
parser.add_argument("--seed", type=int, default=1)
given = parser.parse_args()
random = numpy.random.default_rng(given.seed)

with h5py.File(given.galaxies) as file:
    rows = file["galaxies"][()]
    names = [name.decode() if isinstance(name, bytes) else name for name in numpy.atleast_1d(file["galaxies"].attrs["columns"])]
if len(names) == 1:
    names = [name.strip() for name in names[0].split(",")]
column = dict(zip(names, rows.T))
there = column["exists"] > 0
place = numpy.stack([column["pos_0"], column["pos_1"], column["seen"]], axis=1)[there] + [-given.box / 2, -given.box / 2, given.near]
mean = there.sum() / given.box**3


def kept(points):
    """The share of the galaxies at the points that the survey has."""
    distance = numpy.sqrt((points**2).sum(1))
    inside = points[:, 2] > numpy.cos(numpy.radians(given.angle)) * distance
    return numpy.where(inside, numpy.exp(-(((distance - given.near) / given.box) ** 2)), 0)


def chosen(points):
    return points[random.uniform(size=len(points)) < kept(points)]


def table(points):
    return numpy.column_stack([points, mean * kept(points), numpy.ones(len(points))])


galaxies = chosen(place)
uniform = random.uniform(size=(given.randoms * len(place), 3)) * given.box + [-given.box / 2, -given.box / 2, given.near]
randoms = chosen(uniform)
with h5py.File(given.survey, "w") as file:
    file["galaxies"] = table(galaxies)
    file["randoms"] = table(randoms)
print(f"{len(galaxies)} galaxies, {len(randoms)} random points")
