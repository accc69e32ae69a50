"""Compiles a spec with and without a cache, with damaged caches, and by several processes.

    cache.py PMC SPEC FOLDER
"""
import os
import shutil
import subprocess
import sys

pmc, spec, folder = sys.argv[1:]
cache = os.path.join(folder, "cache")
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)


def compile_spec(*flags, at=cache, spec=spec):
    """The bytes of the program."""
    out = os.path.join(folder, "program")
    subprocess.run([pmc, spec, "-D", "n=8", "-o", out, *flags], check=True,
                   env={**os.environ, "PMC_CACHE": at})
    with open(out, "rb") as file:
        return file.read()


def files():
    """The objects in the cache: a file that is written anew has another inode."""
    return {name: os.stat(os.path.join(cache, name)).st_ino
            for name in os.listdir(cache) if name.startswith("llvmcache-")}


def expect(condition, message):
    if not condition:
        sys.exit(message)


# Without a cache: with --no-cache, without a name, where there can be no folder.
fresh = compile_spec("--no-cache")
expect(not os.path.exists(cache), "--no-cache made a folder")
expect(compile_spec(at="") == fresh, "the program differs when no folder is named")
expect(compile_spec(at="/dev/null/cache") == fresh, "the program differs where no folder can be made")

# A second compilation reads what the first one kept.
expect(compile_spec() == fresh, "the program differs when the cache is filled")
kept = files()
expect(len(kept) > 3, f"{len(kept)} objects were kept, expected more than 3")
expect(compile_spec() == fresh, "the program differs when the cache is read")
expect(files() == kept, "the second compilation wrote objects")

# Other flags have other objects.
unoptimized = compile_spec("-O0", "--no-cache")
expect(unoptimized != fresh, "-O0 made the same program")
expect(compile_spec("-O0") == unoptimized, "-O0 read objects of -O2")
expect(compile_spec() == fresh, "-O2 read objects of -O0")
kept = files()

# An edit that comes before all kernels changes the program and few other objects.
edited = os.path.join(folder, "edited.pm")
with open(spec, encoding="utf-8") as file:
    text = file.read()
with open(edited, "w", encoding="utf-8") as file:
    file.write(text + "\nlet one_more = white_noise[x, y, z](3)\noutput another = one_more * one_more - 2\n")
compile_spec(spec=edited)
added = set(files()) - set(kept)
expect(1 <= len(added) <= 4, f"an edit added {len(added)} objects, expected 1 to 4")
expect(all(files()[name] == inode for name, inode in kept.items()), "an edit wrote known objects")

# A damaged object is compiled again: a flipped bit, a truncated and an empty file, a pipe.
for name, damage in zip(sorted(kept), ("flip", "truncate", "empty", "pipe")):
    path = os.path.join(cache, name)
    with open(path, "rb") as file:
        content = bytearray(file.read())
    content[len(content) // 2] ^= 1
    os.remove(path)
    if damage == "pipe":
        os.mkfifo(path)
        continue
    with open(path, "wb") as file:
        file.write(content if damage == "flip" else content[:-30] if damage == "truncate" else b"")
expect(compile_spec() == fresh, "the program differs when objects are damaged")
expect(compile_spec("-O0") == unoptimized, "the program of -O0 differs when objects are damaged")

# Several processes fill one cache.
shutil.rmtree(cache)
processes = [subprocess.Popen([pmc, spec, "-D", "n=8", "-o", os.path.join(folder, f"program{i}")],
                              env={**os.environ, "PMC_CACHE": cache}) for i in range(4)]
for i, process in enumerate(processes):
    expect(process.wait() == 0, "a compilation beside others failed")
    with open(os.path.join(folder, f"program{i}"), "rb") as file:
        expect(file.read() == fresh, "the program differs when others fill the cache")
expect(not [name for name in os.listdir(cache) if not name.startswith("llvmcache")],
       f"unexpected files in the cache: {os.listdir(cache)}")
