# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From specs to programs, with a cache."""

from __future__ import annotations

import difflib
import functools
import hashlib
import inspect
import json
import os
import platform
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterable, Sequence

from . import _abi
from ._errors import Diagnostic, SpecError
from ._program import Program


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


#: Flags of pmc without a keyword of `compile`, as they are written on the command line.
_FLAGS = {"target": "--target=cuda", "gpu_arch": "--gpu-arch=sm_90", "deterministic": "--deterministic",
          "schedule": "--schedule=reverse", "check_finite": "--check-finite", "optimization": "-O3", "O": "-O3",
          "sanitize": "--sanitize=address", "debug": "-g"}
#: Keywords of similar functions elsewhere, with what to write instead.
_OTHERS = {"dtype": "write precision='f64' for fields in f64", "ranks": "write mesh=dict(row=2), with axes of the spec",
           "out": "results are arrays in memory; pmc.read(folder) reads the files of a program",
           "quiet": "set the attribute of the program: sim.quiet = True",
           "progress": "set the attribute of the program: sim.progress = True"}


def _check_keywords(spec: Path, consts: dict[str, Any]) -> None:
    """Raises an error for keywords that are not consts of the spec: flags of pmc, habits, and misspelled keywords."""
    keywords = [name for name, param in inspect.signature(compile).parameters.items() if param.kind == param.KEYWORD_ONLY]
    for name in consts:
        near = difflib.get_close_matches(name, keywords, 1, 0.75)
        if name not in _FLAGS and name not in _OTHERS and not near:
            continue
        declared = re.findall(r"^\s*const\s+(\w+)", spec.read_text(errors="replace"), re.MULTILINE)
        if name in declared:
            continue
        if name in _OTHERS:
            remedy = _OTHERS[name]
        elif name in _FLAGS:
            remedy = f"it is a flag of pmc: write flags=['{_FLAGS[name]}']"
        elif difflib.get_close_matches(name, declared, 1, 0.75):
            continue  # pmc suggests the const
        else:
            remedy = f"did you mean the keyword '{near[0]}'?"
        raise TypeError(f"pmc.compile: the spec has no const '{name}'; {remedy}")


def flags_of(consts: dict[str, Any], precision: str | None, layout: str | None, cpu: str,
             include: Iterable[str | os.PathLike[str]], flags: Sequence[str]) -> list[str]:
    """The flags of pmc."""
    all_flags = [f"-D{name}={_value(value)}" for name, value in consts.items()]
    if precision:
        all_flags.append(f"--precision={precision}")
    if layout:
        all_flags.append(f"--layout={layout}")
    all_flags.append(f"--cpu={cpu}")
    all_flags += [f"-I{os.fspath(folder)}" for folder in include]
    return all_flags + list(flags)


@functools.cache
def _processor() -> str:
    """What `--cpu native` depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0].splitlines()
        return "\n".join(line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part")))
    except OSError:
        return platform.processor()


def _stamp(path: Path) -> str:
    facts = path.stat()
    return f"{path} {facts.st_size} {facts.st_mtime_ns}"


def _key(spec: Path, text: bytes, flags: Sequence[str], include: Iterable[str | os.PathLike[str]]) -> str:
    """A hash of all that a program depends on."""
    parts = [_stamp(_abi.compiler().resolve()), _stamp(_abi.runtime_path()), _processor(), spec.name, *flags]
    known = hashlib.sha256("\0".join(parts).encode())
    known.update(text)
    # Modules are beside the spec or in the folders that are named.
    for folder in [spec.parent, *map(Path, include)]:
        for module in sorted(folder.glob("*.pm")):
            if module != spec:
                known.update(module.name.encode() + b"\0" + module.read_bytes())
    return known.hexdigest()[:32]


def cache_folder() -> Path | None:
    """The folder of compiled specs, beside the kernels that pmc keeps. None if PMC_CACHE is empty, as for pmc."""
    named = os.environ.get("PMC_CACHE")
    if named is not None:
        return Path(named) / "python" if named else None
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(root) / "pmc" / "python"


def _diagnostic(row: dict[str, Any], severity: str = "note") -> Diagnostic:
    return Diagnostic(row.get("severity", severity), row["file"], row["line"], row["column"], row["message"],
                      tuple(_diagnostic(note) for note in row.get("notes", ())), row.get("code", ""))


def _parse_text(text: str) -> list[Diagnostic]:
    """Diagnostics of what pmc prints."""
    pattern = re.compile(r"^(?:(.+?):(\d+):(\d+): )?(?:pmc: )?(error|warning): (.*?)(?: \[(PM\d{4})\])?$", re.MULTILINE)
    return [Diagnostic(match[4], match[1] or "", int(match[2] or 0), int(match[3] or 0), match[5], (), match[6] or "")
            for match in pattern.finditer(text)]


def spec_error(spec: Path, flags: Sequence[str], text: str) -> SpecError:
    """The error for a compilation that has printed `text`."""
    shared = [flag for flag in flags if flag.startswith(("-D", "-I", "--precision", "--layout"))]
    checked = subprocess.run([_abi.compiler(), "check", "--json", *shared, spec], capture_output=True, text=True,
                             check=False)
    diagnostics = [_diagnostic(json.loads(line)) for line in checked.stdout.splitlines()]
    if not any(one.severity == "error" for one in diagnostics):
        diagnostics = _parse_text(text)
    return SpecError(diagnostics, text)


def _make(spec: Path, flags: Sequence[str], output: Path) -> None:
    command: list[str | os.PathLike[str]] = [_abi.compiler(), "--emit=shared", *flags, spec, "-o", output]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise spec_error(spec, flags, done.stderr or done.stdout)


def build(spec: str | os.PathLike[str], flags: Sequence[str], include: Iterable[str | os.PathLike[str]] = (),
          cache: bool = True) -> Path:
    """The shared object of a spec, from the cache if it is there."""
    path = Path(spec)
    key = _key(path, path.read_bytes(), flags, include)
    folder = (cache_folder() if cache else None) or Path(tempfile.mkdtemp(prefix="pmc-"))
    output = folder / f"{path.stem}-{key}.so"
    if not output.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _make(path, flags, output)  # pmc renames its result, so that it appears whole
    return output


def _file_of(text: str) -> Path:
    """A spec in a file of its own, whose name depends on the text alone."""
    folder = (cache_folder() or Path(tempfile.mkdtemp(prefix="pmc-"))) / "text" / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "spec.pm"
    if not path.exists():
        path.write_text(text)
    return path


def path_of(spec: str | os.PathLike[str]) -> Path:
    """The file of a spec: a path, or a text of several lines."""
    if isinstance(spec, str) and "\n" in spec:
        return _file_of(spec)
    path = Path(spec)
    if not path.exists():
        hint = "; a text as a spec has several lines" if "=" in str(spec) else ""
        raise FileNotFoundError(f"the spec '{spec}' does not exist{hint}")
    return path


def compile(spec: str | os.PathLike[str], *, precision: str | None = None, layout: str | None = None,
            cpu: str = "native", include: Iterable[str | os.PathLike[str]] = (), flags: Sequence[str] = (),
            cache: bool = True, threads: int | None = None, plan: str | None = None,
            memory_limit: str | None = None, mesh: dict[str, int] | None = None, device: int | None = None,
            plots: str | None = None, **consts: Any) -> Program:
    """Compiles a spec, a path or a text of several lines, and opens it.

    Other keywords are consts of the spec: compile("sim.pm", n=128). A const that is called like a keyword here is
    set by flags=["-Dname=value"]. `threads`, `plan`, `memory_limit` and `mesh` are as the flags of programs.
    `device` is the number of the first GPU that a program with flags=["--target=cuda"] uses. If `plots` is "png", "svg"
    or "pdf", results have `figures`."""
    path = path_of(spec)
    _check_keywords(path, consts)
    include = list(include)
    all_flags = flags_of(consts, precision, layout, cpu, include, flags)
    options = {"threads": threads, "plan": plan, "memory-limit": memory_limit, "mesh": mesh, "device": device,
               "plots": plots}
    program = Program(build(path, all_flags, include, cache), options)
    program._spec, program._flags, program._include = path, all_flags, include
    return program


def load(path: str | os.PathLike[str], *, threads: int | None = None, plan: str | None = None,
         memory_limit: str | None = None, mesh: dict[str, int] | None = None,
         device: int | None = None, plots: str | None = None) -> Program:
    """Opens what `pmc --emit=shared` has made."""
    return Program(Path(path), {"threads": threads, "plan": plan, "memory-limit": memory_limit, "mesh": mesh,
                                "device": device, "plots": plots})
