#!/usr/bin/env python3
"""Records the output of pmc for every spec of the tree and for random programs, or compares it with a record.

    same_ir.py record  PMC RECORD [--random FIRST:END] [--specs PATTERN] [--jobs N]
    same_ir.py compare PMC RECORD [--names] ...

The IR (`--emit=pm`) and all messages must be equal. With --names, the names and the order of functions may differ,
for example because a compiler makes fewer instances of functions. Specs are the .pm files under examples, test and
frontend, and the .pm files in tests with split-file.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FUNCTION = re.compile(r"@\w+")


def parts_of(text):
    """Returns the files in a text for split-file."""
    places = list(re.finditer(r"^//--- (\S+)[^\n]*\n", text, re.M))
    ends = [place.start() for place in places[1:]] + [len(text)]
    return {place.group(1): text[place.end():end] for place, end in zip(places, ends)}


def list_specs(work, pattern):
    """Returns (name, folder, file) of every spec."""
    listed = []
    files = sorted(file for top in ("examples", "frontend", "test") for file in (ROOT / top).rglob("*")
                   if file.suffix in (".pm", ".test"))
    for file in files:
        name = str(file.relative_to(ROOT))
        if not fnmatch.fnmatch(name, pattern):
            continue
        try:
            parts = parts_of(file.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            parts = {}
        if file.suffix == ".pm" and not parts:
            listed.append((name, file.parent, file.name))
        folder = work / "parts" / str(len(listed))
        for part, text in parts.items():
            made = folder / part
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(text, encoding="utf-8")
            if part.endswith(".pm"):
                listed.append((name + "/" + part, folder, part))
    return listed


def list_random(work, seeds):
    sys.path.insert(0, str(ROOT / "test/execution/random"))
    import generate
    listed = []
    for seed in seeds:
        name = "%d.pm" % seed
        (work / name).write_text(generate.generate(seed).text(), encoding="utf-8")
        listed.append(("random/" + name, work, name))
    return listed


def outputs(options, work):
    first, end = map(int, options.random.split(":"))
    specs = list_specs(work, options.specs) + list_random(work, range(first, end))

    home = str(pathlib.Path(options.pmc).parent.parent)

    def run(spec):
        name, folder, file = spec
        done = subprocess.run([options.pmc, "--emit=pm", file], cwd=folder, capture_output=True, timeout=300)
        # Messages name files of the library.
        ir, messages = (text.decode(errors="replace").replace(home, "PMC") for text in (done.stdout, done.stderr))
        return name, [done.returncode, ir, messages]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return dict(pool.map(run, specs))


def without_names(text):
    """Returns the sorted functions and dims, without the names of functions."""
    return sorted(re.split(r"^(?=  \w)", FUNCTION.sub("@", text), flags=re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["record", "compare"])
    parser.add_argument("pmc")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--random", default="0:2000")
    parser.add_argument("--specs", default="*")
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.pmc = str(pathlib.Path(options.pmc).resolve())
    with tempfile.TemporaryDirectory() as work:
        made = outputs(options, pathlib.Path(work))
    if options.what == "record":
        options.record.write_text(json.dumps(made))
        print("%d specs, of which %d have IR" % (len(made), sum(not code for code, _, _ in made.values())))
        return
    known = json.loads(options.record.read_text())
    different = 0
    for name, (code, ir, messages) in made.items():
        if name not in known:
            continue
        before = known[name]
        isSame = before == [code, ir, messages]
        if not isSame and options.names:
            isSame = (before[0], before[2]) == (code, messages) and without_names(before[1]) == without_names(ir)
            if isSame:
                print("names: %s" % name)
        if not isSame:
            different += 1
            print("different: %s (%s)" % (name, "messages" if before[2] != messages else "IR"))
    print("%d specs, %d different" % (len(made), different))
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
