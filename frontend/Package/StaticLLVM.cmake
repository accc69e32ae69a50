# pmc_link_llvm(PROGRAM): links a program with LLVM, MLIR and lld as archives, of which
# the linker takes what is used. Loading the shared libraries takes more time than
# checking a spec, and packages cannot expect them on a machine.
option(PMC_STATIC_LLVM "Link pmc with the static libraries of LLVM and MLIR" ON)
foreach(name z zstd)
  find_library(PMC_STATIC_${name} lib${name}.a)
endforeach()
if(NOT PMC_STATIC_LLVM OR NOT PMC_STATIC_z OR NOT PMC_STATIC_zstd OR
   NOT EXISTS ${LLVM_LIBRARY_DIR}/libMLIRIR.a)
  function(pmc_link_llvm program)
    target_link_libraries(${program} PRIVATE MLIR LLVM)
  endfunction()
  return()
endif()

file(GLOB PMC_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(FILTER PMC_ARCHIVES EXCLUDE REGEX "libMLIRCAPI|libLLVMTableGen|libLLVMExegesis")

# lld starts all targets of LLVM, for link-time optimization. Those that pmc does
# not compile for are left out.
set(code "// Made by frontend/Package/StaticLLVM.cmake: targets that are left out.\n")
foreach(target ${LLVM_TARGETS_TO_BUILD})
  if(NOT target STREQUAL LLVM_NATIVE_ARCH AND NOT target STREQUAL "NVPTX")
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      string(APPEND code "void LLVMInitialize${target}${part}(void) {}\n")
    endforeach()
  endif()
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/Package/NoTargets.c CONTENT "${code}")

add_library(pmc_omissions OBJECT ${CMAKE_CURRENT_BINARY_DIR}/Package/NoTargets.c
  Package/NoPolly.cpp ${PROJECT_SOURCE_DIR}/runtime/Package/Glibc.c)

function(pmc_link_llvm program)
  target_link_libraries(${program} PRIVATE pmc_omissions ${PMC_ARCHIVES}
    ${PMC_STATIC_z} ${PMC_STATIC_zstd} ${CMAKE_DL_LIBS} m)
  target_link_options(${program} PRIVATE -Wl,--gc-sections -Wl,--as-needed)
  if(NOT PMC_SANITIZE) # as packages need it: see Glibc.c
    target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc ${PMRT_PACKAGE_GLIBC})
  endif()
endfunction()
