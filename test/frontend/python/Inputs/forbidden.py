"""Does what a library must not do: runs a program as a command within this process. argv: libpmrt.so, a program."""
import ctypes
import sys

runtime = ctypes.CDLL(sys.argv[1])
program = ctypes.CDLL(sys.argv[2])
arguments = (ctypes.c_char_p * 2)(b"program", b"--help")
runtime.pmrt_main(2, arguments, ctypes.byref(ctypes.c_char.in_dll(program, "pmc_program")))
