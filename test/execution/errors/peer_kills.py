#!/usr/bin/env python3
"""Kills a random rank of programs that exchange by sockets, at a random moment: while ranks start, meet, and exchange. Every other
rank ends by itself with exit code 2, none by a signal, and one of them
says why.

    peer_kills.py PROGRAM FOLDER KILLS [SEED]

PROGRAM exchanges until it is ended, on any number of ranks along the axis `row`."""
import os
import random
import shutil
import subprocess
import sys
import time

program, folder, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
draw = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
WAIT = 60  # seconds until a survivor counts as hung
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
program = os.path.abspath(program)


def start(rank, ranks, meeting):
    return subprocess.Popen([program, f"--mesh=row={ranks}", "--quiet", "--threads=1", "--watchdog=1", "--watchdog-end=3", f"--rendezvous={meeting}",
                             f"--out={folder}/out"], env={**os.environ, "PMRT_RANK": str(rank), "PMRT_RANKS": str(ranks)},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


failures, met = 0, 0
for attempt in range(kills):
    count = draw.choice([2, 2, 3, 4])
    meeting = os.path.join(folder, f"meeting{attempt}")
    ranks = [start(rank, count, meeting) for rank in range(count)]
    if draw.random() < 0.9:
        # The file is there until all ranks have met.
        end = time.monotonic() + WAIT
        while not os.path.exists(meeting) and time.monotonic() < end and all(rank.poll() is None for rank in ranks):
            time.sleep(0.0005)
        while os.path.exists(meeting) and time.monotonic() < end and all(rank.poll() is None for rank in ranks):
            time.sleep(0.0005)
        met += 1
        time.sleep(draw.choice([0, 0.01 * draw.random(), 0.3 * draw.random()]))
    else:
        time.sleep(0.05 * draw.random())
    victim = draw.randrange(count)
    ranks[victim].kill()
    said = []
    for rank, process in enumerate(ranks):
        try:
            error = process.communicate(timeout=WAIT)[1]
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            error, code = process.communicate()[1], "none within %d s" % WAIT
        said += [error] if rank != victim else []
        if rank != victim and code != 2:
            failures += 1
            print(f"attempt {attempt}: rank {victim} of {count} was killed; rank {rank} ended with {code}, expected 2: {error}", flush=True)
    if "error: " not in "".join(said):
        failures += 1
        print(f"attempt {attempt}: rank {victim} of {count} was killed, and no other rank says why it ended", flush=True)
    if os.path.exists(meeting):
        os.remove(meeting)
print(f"{kills} kills, {met} of them after the ranks had met: {failures} unexpected ends of other ranks")
sys.exit(1 if failures else 0)
