# What is in the compiler, the runtime and packages that others wrote, for
# `pmc --version --verbose`: name, Debian package, license (SPDX), and the files that
# packages take of it. Of several licenses that a library offers, one that is not
# the GPL. libstdc++ and libgcc have an exception for programs that GCC compiles or
# that are linked with them.
set(entries
  "LLVM, MLIR, lld|libmlir-22-dev|Apache-2.0 WITH LLVM-exception|libLLVM libMLIR liblld"
  "libstdc++, libgcc|libgcc-12-dev|GPL-3.0-or-later WITH GCC-exception-3.1|libstdc++ libgcc"
  "oneTBB|libtbb-dev|Apache-2.0|libtbb"
  "HDF5|libhdf5-dev|BSD-3-Clause|libhdf5_serial"
  "libaec|libaec-dev|BSD-2-Clause|libaec libsz"
  "zlib|zlib1g-dev|Zlib|libz"
  "Zstandard|libzstd-dev|BSD-3-Clause|libzstd"
  "OpenSSL|libssl-dev|Apache-2.0|libssl libcrypto"
  "fmt|libfmt-dev|MIT|libfmt"
  "CLI11|libcli11-dev|BSD-3-Clause|"
  "JSON for Modern C++|nlohmann-json3-dev|MIT|"
  "toml++|libtomlplusplus-dev|MIT|"
  "xxHash|libxxhash-dev|BSD-2-Clause|"
  "cairo|libcairo2-dev|MPL-1.1|libcairo"
  "pixman|libpixman-1-dev|MIT|libpixman-1"
  "FreeType|libfreetype-dev|FTL|libfreetype"
  "fontconfig|libfontconfig-dev|HPND|libfontconfig"
  "Expat|libexpat1-dev|MIT|libexpat"
  "libpng|libpng-dev|libpng-2.0|libpng16"
  "Brotli|libbrotli-dev|MIT|libbrotlidec libbrotlicommon"
  "DejaVu fonts|fonts-dejavu-core|Bitstream-Vera|DejaVuSans DejaVuSans-Bold"
  "nifticlib|libnifti2-dev|LicenseRef-public-domain|libnifti2 libznz"
  "ISMRMRD|libismrmrd-dev|LicenseRef-ISMRMRD|libismrmrd"
  "pugixml|libpugixml-dev|MIT|libpugixml"
  "CFITSIO|libcfitsio-dev|CFITSIO|libcfitsio"
  "bzip2|libbz2-dev|bzip2-1.0.6|libbz2")
set(text "ducc0\t0.42.0\tBSD-3-Clause\t\n")
set(PMC_LIBRARY_PACKAGES)
foreach(entry IN LISTS entries)
  string(REPLACE "|" ";" parts "${entry}")
  list(GET parts 0 name)
  list(GET parts 1 package)
  list(GET parts 2 license)
  list(GET parts 3 files)
  execute_process(COMMAND dpkg-query -W -f "\${Version}" ${package}
    OUTPUT_VARIABLE version RESULT_VARIABLE failed ERROR_QUIET)
  if(failed OR NOT version)
    set(version "?")
  endif()
  list(APPEND PMC_LIBRARY_PACKAGES ${package})
  string(APPEND text "${name}\t${version}\t${license}\t${files}\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lib/pmc/libraries.txt CONTENT "${text}" @ONLY)
