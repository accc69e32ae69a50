#!/usr/bin/env python3
"""signals.py PROGRAM OUT: a signal ends every loop of signals.pm, with exit code
130; a pipe as an input is an error."""
import os
import signal
import subprocess
import sys

program, out = sys.argv[1:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # programs keep on ignoring it, if it is ignored here
LIMIT = 60  # seconds until a hanging program is given up


def start(*flags):
    return subprocess.Popen([program, "--out", out, "--quiet", "--threads=2", *flags], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process, expected, message, what):
    try:
        text = process.communicate(timeout=LIMIT)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        sys.exit("%s: no end after %d s, expected exit code %d" % (what, LIMIT, expected))
    if process.returncode != expected or message not in text:
        sys.exit("%s: exit code %d, expected %d and '%s':\n%s" % (what, process.returncode, expected, message, text))


for which, number, more in ((1, signal.SIGTERM, ()), (1, signal.SIGINT, ()), (2, signal.SIGTERM, ()),
                            (3, signal.SIGTERM, ()), (4, signal.SIGTERM, ()),
                            (1, signal.SIGTERM, ("--mesh=row=2", "--transport=threads"))):
    process = start("--which=%d" % which, *more)
    if process.stdout.readline() != "begins\n":
        process.kill()
        sys.exit("which=%d: the program does not begin: %s" % (which, process.communicate()[1]))
    process.send_signal(number)
    finish(process, 130, "interrupted", "which=%d, signal %d %s" % (which, number, " ".join(more)))

os.makedirs(out, exist_ok=True)
pipe = os.path.join(out, "pipe")
if not os.path.exists(pipe):
    os.mkfifo(pipe)
finish(start("--curve=" + pipe), 1, "is a pipe, expected a file", "a pipe")
