"""What a built build/ compiles, file by file, for the lanes that look at files.

    sources.py DATABASE     writes that as a compilation database, for clangd and other editors
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
TOP = ("dialect/", "passes/", "codegen/", "frontend/", "runtime/", "test/")


def finish(passed, failed, skipped):
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    sys.exit(1 if failed else 0)


def commands():
    """How each file of the tree is compiled, in the order of build/: where several are compiled as one, as if alone."""
    if not os.path.exists("build/compile_commands.json"):
        print("FAILED: there is no build/compile_commands.json: build first")
        finish(0, 1, 0)
    with open("build/compile_commands.json") as file:
        joined = json.load(file)
    alone = {}

    def add(command, path):
        name = os.path.relpath(os.path.join(command["directory"], path), ROOT)
        if name.startswith(TOP):
            alone.setdefault(name, {**command, "file": path,
                                    "command": command["command"].replace(command["file"], path)})

    for command in joined:
        if "/Unity/" not in command["file"]:
            add(command, command["file"])
            continue
        with open(command["file"]) as unity:
            for path in re.findall(r'^#include "(.*\.cpp)"$', unity.read(), re.MULTILINE):
                add(command, path)
    return alone


def write_database(path):
    """Without ccache and without precompiled headers, which another version of clang cannot read."""
    entries = []
    for command in commands().values():
        text = re.sub(r"^.*?ccache ", "", command["command"])
        text = re.sub(r"-Winvalid-pch|-Xclang -include-pch -Xclang \S+", "", text)
        entries.append({**command, "command": text.replace("-Xclang -include -Xclang", "-include")})
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        json.dump(entries, file, indent=1)


if __name__ == "__main__":
    os.chdir(ROOT)
    write_database(sys.argv[1])
