#!/usr/bin/env python3
"""halos.py POSITIONS HALOS [--cells N] [--box L] [--omega_m M] [--density D] [--least P]

Halos among the particles of simulate.pm, and the field of their masses. POSITIONS is its position.h5. Particles that are nearer to each
other than 0.2 of the mean distance are friends, and friends of friends are a halo (Davis et al. 1985). The D L^3 most massive ones of at least
P particles are kept. HALOS is an HDF5 file: `catalogue` has x, y, z in Mpc/h and the mass of each, `mass` the masses on a mesh of N cells a
side, each halo on the eight nodes around it (CIC). Masses are in 1e12 Msun/h."""

import argparse

import h5py
import numpy
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

CRITICAL = 2.77536627e-1  # density, in 1e12 Msun/h (h/Mpc)^3


def friends_of_friends(position, box, length):
    """(positions, numbers of particles) of all groups of friends."""
    position = numpy.mod(position.astype(float), box)
    position[position >= box] = 0.0
    pairs = cKDTree(position, boxsize=box).query_pairs(length, output_type="ndarray").astype(numpy.int32)
    count = len(position)
    graph = coo_matrix((numpy.ones(len(pairs), bool), pairs.T), shape=(count, count))
    groups, label = connected_components(graph, directed=False)
    size = numpy.bincount(label, minlength=groups)
    # Around the place of one particle of each group, as a group may lie across an edge of the box.
    first = numpy.zeros((groups, 3))
    first[label] = position
    away = position - first[label]
    away -= box * numpy.round(away / box)
    centre = first + numpy.stack([numpy.bincount(label, a, groups) for a in away.T], axis=1) / size[:, None]
    return numpy.mod(centre, box), size


def painted(position, mass, cells, box):
    """The sum of masses on the nodes of a periodic mesh, by clouds in cells."""
    at = position / box * cells
    low = numpy.floor(at).astype(int)
    part = at - low
    mesh = numpy.zeros(cells**3)
    for corner in numpy.ndindex(2, 2, 2):
        weight = mass * numpy.prod(numpy.where(corner, part, 1 - part), axis=1)
        node = numpy.mod(low + corner, cells) @ (cells**2, cells, 1)
        mesh += numpy.bincount(node, weight, cells**3)
    return mesh.reshape(cells, cells, cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("halos")
    parser.add_argument("--cells", type=int, default=64, help="of the mesh, a side")
    parser.add_argument("--box", type=float, default=400.0, help="its side in Mpc/h")
    parser.add_argument("--omega_m", type=float, default=0.3075)
    parser.add_argument("--density", type=float, default=1e-3, help="of halos, in (h/Mpc)^3")
    parser.add_argument("--least", type=int, default=2, help="particles that make a halo")
    given = parser.parse_args()

    with h5py.File(given.positions) as file:
        position = file["position"][()]
    particle = CRITICAL * given.omega_m * given.box**3 / len(position)
    centre, size = friends_of_friends(position, given.box, 0.2 * given.box / len(position) ** (1 / 3))
    order = numpy.argsort(-size, kind="stable")[: round(given.density * given.box**3)]
    order = order[size[order] >= given.least]
    mass = particle * size[order]
    print(f"{len(order)} halos of {size[order].min()} to {size[order].max()} particles, {mass.min():.2f} to {mass.max():.0f} 1e12 Msun/h")
    with h5py.File(given.halos, "w") as file:
        file["catalogue"] = numpy.column_stack([centre[order], mass])
        file["mass"] = painted(centre[order], mass, given.cells, given.box)


if __name__ == "__main__":
    main()
