# The runtime of packages (frontend/Package): one library that needs of the machine
# only the C and C++ library. It is linked from the same objects as libpmrt.a, with
# the static libraries that Debian has; plugins but that of MPI are parts of it.
# HDF5 and CFITSIO come without Debian's curl, GnuTLS, Kerberos and LDAP.
set(PMRT_PACKAGE_FOLDER ${CMAKE_BINARY_DIR}/package CACHE INTERNAL "")
set(package_libraries)
set(package_missing)
foreach(name hdf5_serial sz aec ssl crypto cairo freetype fontconfig
        expat png16 brotlidec brotlicommon nifti2 znz ismrmrd pugixml cfitsio bz2 z)
  find_library(PMRT_STATIC_${name} lib${name}.a)
  if(PMRT_STATIC_${name})
    list(APPEND package_libraries ${PMRT_STATIC_${name}})
  else()
    list(APPEND package_missing ${name})
  endif()
endforeach()
find_library(PMRT_PIXMAN pixman-1) # its static library has thread-local variables of programs
if(NOT PMRT_PIXMAN)
  list(APPEND package_missing pixman-1)
endif()
foreach(plugin pmrt_mpi pmrt_plot pmrt_nifti pmrt_ismrmrd pmrt_fits)
  if(NOT TARGET ${plugin})
    list(APPEND package_missing ${plugin})
  endif()
endforeach()
if(package_missing)
  message(STATUS "no packages: missing ${package_missing}")
  return()
endif()

set(PMRT_PACKAGE_LIBRARIES ${package_libraries} CACHE INTERNAL "")

# The objects of plugins, without those that the runtime has too.
set(package_objects)
foreach(plugin pmrt_plot pmrt_nifti pmrt_ismrmrd pmrt_fits)
  list(APPEND package_objects
       "$<FILTER:$<TARGET_OBJECTS:${plugin}>,EXCLUDE,Scale\\.cpp|GlobalHeap\\.cpp>")
endforeach()
foreach(tool measure report checkpoint)
  list(APPEND package_objects $<TARGET_OBJECTS:pmrt_${tool}_objects>)
endforeach()
add_library(pmrt_package SHARED EXCLUDE_FROM_ALL ${pmrt_objects} ${package_objects}
  Package/Fmt.cpp Package/NoNetwork.c
  Package/Streams.c Package/Glibc.c)
set_target_properties(pmrt_package PROPERTIES OUTPUT_NAME pmrt
  LIBRARY_OUTPUT_DIRECTORY ${PMRT_PACKAGE_FOLDER}/lib
  BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH "$ORIGIN"
  LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/Embed/exports.txt)
target_include_directories(pmrt_package SYSTEM PRIVATE
  $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(pmrt_package PRIVATE ${package_libraries}
  ${PMRT_PIXMAN} TBB::tbb  Threads::Threads m ${CMAKE_DL_LIBS})
target_link_options(pmrt_package PRIVATE -static-libstdc++ -static-libgcc
  -Wl,--gc-sections -Wl,--as-needed -Wl,-s -Wl,-z,now
  -Wl,--wrap=stdin -Wl,--wrap=stdout -Wl,--wrap=stderr ${PMRT_PACKAGE_GLIBC}
  -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/Embed/exports.txt)

foreach(tool measure report checkpoint)
  add_executable(pmrt_package_${tool} EXCLUDE_FROM_ALL Program/Tool.c)
  target_compile_definitions(pmrt_package_${tool} PRIVATE PMRT_TOOL=pmrt_${tool})
  target_link_libraries(pmrt_package_${tool} PRIVATE pmrt_package)
  set_target_properties(pmrt_package_${tool} PROPERTIES OUTPUT_NAME pmrt_${tool}
    RUNTIME_OUTPUT_DIRECTORY ${PMRT_PACKAGE_FOLDER}/bin
    BUILD_WITH_INSTALL_RPATH TRUE INSTALL_RPATH "$ORIGIN/../lib")
  target_link_options(pmrt_package_${tool} PRIVATE -Wl,-s)
endforeach()

# The folder of a package: `cmake --install build --component package`.
function(pmc_install_package)
  install(${ARGN} COMPONENT package EXCLUDE_FROM_ALL)
endfunction()
pmc_install_package(TARGETS pmrt_package LIBRARY DESTINATION lib)
pmc_install_package(TARGETS pmrt_package_measure pmrt_package_report
  pmrt_package_checkpoint RUNTIME DESTINATION bin)
pmc_install_package(TARGETS pmrt_mpi LIBRARY DESTINATION lib)
pmc_install_package(FILES ${CMAKE_BINARY_DIR}/lib/pmrt-start.o DESTINATION lib)
foreach(name libpixman-1.so.0 libtbb.so.12)
  find_library(PMRT_SHARED_${name} NAMES ${name} REQUIRED)
  file(REAL_PATH ${PMRT_SHARED_${name}} file)
  pmc_install_package(FILES ${file} DESTINATION lib RENAME ${name})
endforeach()
pmc_install_package(FILES ${PMRT_FONT}/DejaVuSans.ttf
  ${PMRT_FONT}/DejaVuSans-Bold.ttf DESTINATION lib/pmc/fonts)
