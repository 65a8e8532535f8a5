# The Debian packages: fargraph (both commands, man pages, shell completion, the programs that the evaluation needs) and
# fargraph-dev (library, headers, what CMake and pkg-config need to find them, an example). Nothing here is built unless it
# is asked for:
#   cmake --workflow --preset packages        leaves them in build/portable/packages
set(packaging_dir ${CMAKE_SOURCE_DIR}/deploy/packaging)
set(packaged_dir ${CMAKE_BINARY_DIR}/packaged)
set(cmake_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fargraph)

# One archive of everything below the kernels: the directives, OpenGraph, the IoIterator.
add_library(fargraph_archive STATIC EXCLUDE_FROM_ALL
  $<TARGET_OBJECTS:fargraph_proto> $<TARGET_OBJECTS:fargraph_common> $<TARGET_OBJECTS:fargraph_graph>
  $<TARGET_OBJECTS:fargraph_compute_node>)
set_target_properties(fargraph_archive PROPERTIES OUTPUT_NAME fargraph EXPORT_NAME fargraph)

# What it is linked with, as its parts say: absl is found by CMake and pkg-config alike, the others by their names.
set(absl_libraries "")
foreach(part common graph compute_node)
  get_target_property(libraries fargraph_${part} INTERFACE_LINK_LIBRARIES)
  list(APPEND absl_libraries ${libraries})
endforeach()
list(FILTER absl_libraries INCLUDE REGEX "^absl::")
list(REMOVE_DUPLICATES absl_libraries)

target_include_directories(fargraph_archive INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fargraph>)
target_compile_features(fargraph_archive INTERFACE cxx_std_20)
target_link_libraries(fargraph_archive INTERFACE
  ${absl_libraries} gRPC::grpc++ protobuf::libprotobuf glog::glog gflags nlohmann_json::nlohmann_json
  OpenMP::OpenMP_CXX Threads::Threads ${FARGRAPH_MODULE_LIBRARIES} aio)
set(definitions "")
if(FARGRAPH_64BIT_IDS)
  target_compile_definitions(fargraph_archive INTERFACE FARGRAPH_64BIT_IDS=1)
  set(definitions -DFARGRAPH_64BIT_IDS=1)
endif()

list(TRANSFORM absl_libraries REPLACE "^absl::" "absl_" OUTPUT_VARIABLE absl_modules)
list(JOIN absl_modules " " absl_modules)
list(JOIN FARGRAPH_MODULES " " modules)
configure_file(${packaging_dir}/fargraph.pc.in ${packaged_dir}/fargraph.pc @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${packaged_dir}/fargraphConfigVersion.cmake COMPATIBILITY ExactVersion)

# The manual is what the commands say of themselves.
add_custom_command(OUTPUT ${packaged_dir}/man
  COMMAND ${packaging_dir}/man_pages $<TARGET_FILE_DIR:fargraph> ${packaged_dir}/man
  DEPENDS fargraph fargraph-memory-node ${packaging_dir}/man_pages VERBATIM)
add_custom_command(OUTPUT ${packaged_dir}/changelog.gz
  COMMAND ${packaging_dir}/changelog ${PROJECT_VERSION} ${packaged_dir}/changelog.gz
  DEPENDS ${packaging_dir}/changelog VERBATIM)
set(evaluation_programs paged_run partition_graph write_pairs)
add_custom_target(packaged DEPENDS
  fargraph fargraph-memory-node ${evaluation_programs} fargraph_archive ${packaged_dir}/man ${packaged_dir}/changelog.gz)

# install_in_package(COMPONENT ...) is install(...) that `cmake --install` without a component passes over.
macro(install_in_package component)
  install(${ARGN} COMPONENT ${component} EXCLUDE_FROM_ALL)
endmacro()

install_in_package(runtime TARGETS ${evaluation_programs} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/fargraph)
install_in_package(runtime DIRECTORY ${packaged_dir}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
set(completions ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install_in_package(runtime FILES ${packaging_dir}/completion.bash DESTINATION ${completions} RENAME fargraph)
install_in_package(runtime FILES ${packaging_dir}/completion.bash DESTINATION ${completions} RENAME fargraph-memory-node)

install(TARGETS fargraph_archive EXPORT fargraphTargets COMPONENT dev EXCLUDE_FROM_ALL)
install_in_package(dev EXPORT fargraphTargets NAMESPACE fargraph:: DESTINATION ${cmake_config_dir})
install_in_package(dev FILES ${packaging_dir}/fargraphConfig.cmake ${packaged_dir}/fargraphConfigVersion.cmake
                   DESTINATION ${cmake_config_dir})
install_in_package(dev FILES ${packaged_dir}/fargraph.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
# Not what is for tests, nor what needs the messages of the control protocol, which no program does.
foreach(folder common graph compute_node)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fargraph COMPONENT dev EXCLUDE_FROM_ALL
          FILES_MATCHING PATTERN "*.h" PATTERN "*_for_test.h" EXCLUDE PATTERN "fake_*" EXCLUDE PATTERN "test_*" EXCLUDE
          PATTERN "*_test_util.h" EXCLUDE
          REGEX "/common/control/(control_channel|protocol|remote_lease)\\.h$" EXCLUDE
          REGEX "/(conformance|testing|cli)$" EXCLUDE)
endforeach()
file(GLOB examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.cc ${CMAKE_SOURCE_DIR}/examples/*.h)
install_in_package(dev FILES ${packaging_dir}/example/CMakeLists.txt ${packaging_dir}/example/Makefile
                   ${examples}
                   DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/fargraph-dev/examples)
foreach(component runtime dev)
  string(REPLACE "fargraph-runtime" "fargraph" package fargraph-${component})
  install_in_package(${component} FILES ${packaging_dir}/copyright ${packaged_dir}/changelog.gz
                     DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package})
endforeach()

# Building a program against the archive takes the libraries that building Fargraph takes, but not those of its tests;
# and protobuf-compiler-grpc, whose plugin Debian's CMake files for gRPC insist on.
file(STRINGS ${CMAKE_SOURCE_DIR}/deploy/packages.txt dev_packages REGEX "-dev$")
list(FILTER dev_packages EXCLUDE REGEX "gtest|gmock|benchmark|hugetlbfs")
list(APPEND dev_packages protobuf-compiler-grpc)
list(JOIN dev_packages ", " dev_packages)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CONTACT "Fargraph maintainers <maintainers@fargraph.invalid>")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL runtime dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME fargraph)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS bash-completion)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "graph analytics with the edges on far memory
Runs graph algorithms on graphs that are larger than the memory of the machine
that computes: the edges lie on other machines' memory, read with one-sided
RDMA or over TCP, or on local SSDs. Contains the command of the compute node
and the memory node's server.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME fargraph-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "g++, ${dev_packages}")
set(CPACK_COMPONENT_DEV_DESCRIPTION "graph analytics with the edges on far memory - development files
The library with which a program puts its own arrays on far memory, or walks a
graph wherever its edges lie, its headers, and an example.")
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
include(CPack)
