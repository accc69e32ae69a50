"""Looks for messages that the compiler prints without a code.

    coded.py PMC FOLDER...

Compiles every .pm file of the folders, and every part `//--- NAME.pm` of their tests. Each error and warning must end with one code,
[PM0123]. codes.py looks at the literals of the sources, and cannot see messages that are put together elsewhere."""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

PART = re.compile(r"^//--- (.*)$", re.MULTILINE)
MESSAGE = re.compile(r"(?:^|:\d+:\d+: )(?:error|warning): ")
CODE = re.compile(r"\[PM\d{4}\]")
# The line behind the last message that is printed has no code.
LIMIT = "too many errors"


def specs(folders):
    """(name, text) of each spec."""
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix == ".pm":
                yield str(path), path.read_text(errors="replace")
            elif path.suffix == ".test":
                parts = PART.split(path.read_text(errors="replace"))[1:]
                yield from ((f"{path}: {name}", text) for name, text in zip(parts[::2], parts[1::2]) if name.endswith(".pm"))


def messages(pmc, text):
    """The errors and warnings of a spec. A spec that takes long has none."""
    try:
        run = subprocess.run([*shlex.split(pmc), "--emit=pm", "-", "-o", os.devnull], input=text, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return []
    return [line for line in run.stderr.splitlines() if MESSAGE.search(line) and LIMIT not in line]


def main():
    pmc, *folders = sys.argv[1:]
    found = list(specs(folders))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        printed = list(pool.map(lambda spec: messages(pmc, spec[1]), found))
    wrong = [f"{name}: {line}" for (name, _), lines in zip(found, printed) for line in lines
             if len(CODE.findall(line)) != 1 or not line.endswith("]")]
    print("\n".join(wrong + [f"{sum(map(len, printed))} messages, {len(wrong)} without one code at the end"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
