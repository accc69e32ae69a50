"""A spec on the processes of mpi4py: the numbers of one rank, and errors. argv: run.pm, nbody.pm."""
import os
import signal
import sys
import threading
import time

import numpy as np
from mpi4py import MPI

import pmc

world = MPI.COMM_WORLD
rank = world.rank
random = np.random.default_rng(3)
noise = random.standard_normal((8, 8, 8)).astype("f4")
one = pmc.compile(sys.argv[1], plan="estimate", threads=1)
one.quiet = True
sim = one.ranks(comm=world, mesh=dict(row=2))
half = slice(4 * rank, 4 * rank + 4)
assert sim.inputs["noise"].shape == (4, 8, 8) and sim.part("noise") == (half, slice(0, 8), slice(0, 8))


def same(whole, part, names, exact=True):
    for name in names:
        mine, alone = part[name], whole[name]
        if mine.offset:
            alone = np.asarray(alone)[tuple(slice(o, o + n) for o, n in zip(mine.offset, mine.shape))]
        assert mine.shape == alone.shape, (name, mine.shape, alone.shape)
        equal = mine.tobytes() == alone.tobytes() if exact else np.allclose(mine, alone, rtol=1e-5, atol=1e-5)
        assert equal, (name, np.abs(np.asarray(mine) - alone).max())


# Parts, and whole arrays. Lists of components and half spectra have parts, numbers are on all ranks.
whole = one(noise=noise)
for given in (noise[half], noise, np.asfortranarray(noise[half]), noise.astype("f8")[half]):
    part = sim(noise=given)
    same(whole, part, ("scaled", "three"))
    same(whole, part, ("modes", "total"), exact=False)
assert part.scaled.offset == (4 * rank, 0, 0) and part.scaled.whole == (8, 8, 8)
assert np.array_equal(part.scaled.coords["x"], whole.scaled.coords["x"][half])
assert [float(a) for a in part.after] == [float(a) for a in whole.after] or np.allclose(part.after, whole.after)

# An error of one rank is an error of all, soon, and the next call works.
for wrong, kind in ((dict(factor=-1), pmc.InputError), (dict(noise=noise[:3]), pmc.InputError),
                    (dict(noise=None), pmc.InputError), (dict(noise=np.full((4, 8, 8), np.inf)), pmc.InputError)):
    values = {"noise": noise[half], **(wrong if rank == 1 else {})}
    begin = time.monotonic()
    try:
        sim(**values)
        raise AssertionError("an error is expected")
    except kind as error:
        text, where = str(error), error.rank
    assert time.monotonic() - begin < 5
    told = world.allgather((text, where))
    assert told[0] == told[1], told
    if rank == 0:
        print(text.rsplit("/", 1)[-1], "of rank", where)
    same(whole, sim(noise=noise[half]), ("scaled",))
try:
    sim(noise=noise[half], most=4.5, steps=30)
except pmc.RunError as error:
    if rank == 0:
        print(os.path.basename(error.location), error.step, error.message)
same(whole, sim(noise=noise[half]), ("scaled",))

# Ctrl-C in one process.
signal.signal(signal.SIGINT, signal.default_int_handler)
if rank == 1:
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    sim(noise=noise[half], steps=10**9)
    raise AssertionError("not interrupted")
except KeyboardInterrupt:
    assert time.monotonic() - begin < 5
same(whole, sim(noise=noise[half]), ("scaled",))

# Bit for bit, and gradients.
one = pmc.compile(sys.argv[2], flags=["--deterministic"], threads=1)
sim = one.ranks(comm=world, mesh=dict(row=2))
noise = random.standard_normal((8, 8, 8)).astype("f4")
weight = random.standard_normal((8, 8, 8)).astype("f4")
whole, part = one(noise=noise), sim(noise=noise[half])
same(whole, part, ("density", "disp", "energy"))
alone = one.vjp(noise=noise, omega_m=0.3)[1](density=weight)
pulled = sim.vjp(noise=noise[half], omega_m=0.3)[1](density=weight[half])
same(alone, pulled, ("noise",))
assert float(alone.omega_m) == float(pulled.omega_m), (alone.omega_m, pulled.omega_m)
if rank == 0:
    print("ranks agree")
