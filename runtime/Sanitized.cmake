# `pmc --sanitize=WHAT` links programs with a runtime that was built with that
# sanitizer: targets pmrt-address and pmrt-thread, builds of their own.
include(ExternalProject)

function(pmrt_sanitized what)
  set(build ${CMAKE_BINARY_DIR}/sanitized/${what})
  ExternalProject_Add(pmrt-${what}
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    BINARY_DIR ${build}
    PREFIX ${CMAKE_BINARY_DIR}/sanitized/prefix
    CMAKE_ARGS -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
               -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
               -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
               -DCMAKE_EXE_LINKER_FLAGS=${CMAKE_EXE_LINKER_FLAGS}
               -DPMC_BUILD_COMPILER=OFF -DPMC_SANITIZE=${what}
               -DPMC_UNITY=${PMC_UNITY}
    BUILD_COMMAND ${CMAKE_COMMAND} --build ${build} --target pmrt
    INSTALL_COMMAND ${CMAKE_COMMAND} -E copy ${build}/lib/pmrt-link.txt
                    ${CMAKE_BINARY_DIR}/lib/pmrt-link-${what}.txt
    BUILD_ALWAYS TRUE
    EXCLUDE_FROM_ALL TRUE
    USES_TERMINAL_BUILD TRUE)
endfunction()

if(PMC_SANITIZE)
  # This whole build is of that kind.
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/lib/pmrt-link-${PMC_SANITIZE}.txt
       CONTENT "${link_text}\n")
elseif(PMC_BUILD_COMPILER)
  pmrt_sanitized(address)
  pmrt_sanitized(thread)
endif()
