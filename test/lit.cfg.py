# lit's configuration: `lit build/test` runs every test of the compiler.
import importlib.util
import os
import shutil

import lit.formats

config.name = "pmc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".pm", ".mlir", ".test"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.pmc_source, "test")
config.test_exec_root = os.environ.get("PMC_TEST_FILES") or os.path.join(config.pmc_build, "test")

# Sanitizer lanes bring another compiler and flags for it.
_bin = os.environ.get("PMC_TEST_BIN", os.path.join(config.pmc_build, "bin"))
config.environment["PATH"] = os.pathsep.join(
    [_bin, config.llvm_bin, os.environ.get("PATH", "")])
# The package frontend/Python/pmc with this build's compiler, for `env`.
config.substitutions.append(("%pmc_python", "PYTHONPATH=%s PMC=%s" % (
    os.path.join(config.pmc_source, "frontend", "Python"), os.path.join(_bin, "pmc"))))
config.substitutions.append(("%pmc", os.path.join(_bin, "pmc")))
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%build", config.pmc_build))
# Kernels that several tests compile are compiled once.
config.environment["PMC_CACHE"] = os.environ.get("PMC_CACHE", os.path.join(config.test_exec_root, "Cache"))
# Parts of the CUDA toolkit, and the simulated GPU of test/gpu/fake.
_ptxas = shutil.which("ptxas", path=os.pathsep.join(
    [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin"), os.environ.get("PATH", "")]))
if _ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", _ptxas))
    # Only whether it takes a text: sanitizers see nothing of it, so that need not be asked again there.
    _asks = os.environ.get("PMC_TEST_PTXAS") != "no"
    config.substitutions.append(("%takes_ptx", _ptxas if _asks else "true"))
# Sanitizers are for programs on processors.
if (os.path.exists(os.path.join(config.pmc_build, "fakecuda", "libcuda.so.1"))
        and "--sanitize" not in os.environ.get("PMC_TEST_FLAGS", "")):
    config.available_features.add("fakecuda")
if shutil.which("chromium-headless-shell") or shutil.which("chromium"):
    config.available_features.add("chromium")
# A Python with these packages: this one, or what PMC_JAX_PYTHON and so on name.
for _name in ("jax", "torch", "mpi4py", "pandas", "blackjax", "mypy", "bigfile"):
    _path = os.environ.get("PMC_%s_PYTHON" % _name.upper()) or (
        "/usr/bin/python3" if importlib.util.find_spec(_name) else "")
    if _path:
        config.available_features.add(_name)
        config.substitutions.append(("%%%s_python" % _name, _path))
# What editors are tested with.
if importlib.util.find_spec("pygments"):
    config.available_features.add("pygments")
for _editor in ("vim", "emacs", "tree-sitter"):
    if shutil.which(_editor):
        config.available_features.add(_editor)
if shutil.which("node"):
    config.available_features.add("node")
    config.substitutions.append(("%node", shutil.which("node")))
# What needs libraries of imaging and of the sky.
for _name in ("nifti", "ismrmrd", "fits"):
    if os.path.exists(os.path.join(config.pmc_build, "lib", "libpmrt_%s.so" % _name)):
        config.available_features.add(_name)
# Published timings, beside the project.
_reference = os.environ.get("PMC_REFERENCE") or os.path.join(config.pmc_source, "..", "shared", "reference")
if os.path.isdir(os.path.join(_reference, "scaling")):
    config.available_features.add("timings")
for _name in ("PMC_REFERENCE", "TMPDIR", "CUDA_HOME", "HOME", "XDG_CACHE_HOME", "LC_ALL", "ASAN_OPTIONS",
              "ASAN_SYMBOLIZER_PATH", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if _name in os.environ:
        config.environment[_name] = os.environ[_name]
if "ASAN_OPTIONS" in os.environ:
    config.available_features.add("asan")
if "TSAN_OPTIONS" in os.environ:
    config.available_features.add("tsan")
