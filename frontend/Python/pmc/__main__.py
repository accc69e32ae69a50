# Part of the pmc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command pmc of a wheel: becomes the compiler."""

import os
import sys
from pathlib import Path


def main() -> None:
    compiler = Path(__file__).resolve().parent / "_root/bin/pmc"
    try:
        os.execv(compiler, [str(compiler), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"pmc: cannot start {compiler}: {error.strerror}")


if __name__ == "__main__":
    main()
