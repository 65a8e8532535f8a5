# What libraries and tests are compiled with beyond fargraph_compiler, and the headers precompiled for all of each kind: one
# precompiled header serves targets that are compiled alike. ccache takes it for what is in it, not for its time.
set(FARGRAPH_LIBRARY_OPTIONS)
if(FARGRAPH_FUZZ)
  # Coverage of everything that a fuzz target calls steers its inputs.
  set(FARGRAPH_LIBRARY_OPTIONS -fsanitize=fuzzer-no-link)
endif()
# Optimising the tests themselves would take half of their build.
set(FARGRAPH_TEST_OPTIONS -O0)
if(FARGRAPH_SANITIZE MATCHES undefined)
  # A quarter of the rest would go into looking for undefined behaviour of the tests themselves.
  list(APPEND FARGRAPH_TEST_OPTIONS -fno-sanitize=undefined)
endif()
target_compile_options(fargraph_compiler INTERFACE ${OpenMP_CXX_FLAGS} -pthread)

# fargraph_precompiled(NAME OPTIONS ... HEADERS ... [LIBRARIES ...]) precompiles HEADERS as target NAME.
function(fargraph_precompiled name)
  cmake_parse_arguments(arg "" "" "OPTIONS;HEADERS;LIBRARIES" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/cmake/precompiled.cc)
  target_link_libraries(${name} PRIVATE
    fargraph_compiler Threads::Threads OpenMP::OpenMP_CXX gflags glog::glog nlohmann_json::nlohmann_json
    absl::flat_hash_map absl::statusor absl::strings absl::str_format absl::synchronization absl::time absl::span
    ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled.h ${arg_HEADERS})
endfunction()

if(FARGRAPH_PRECOMPILE)
  fargraph_precompiled(fargraph_precompiled OPTIONS ${FARGRAPH_LIBRARY_OPTIONS})
  fargraph_precompiled(fargraph_precompiled_for_tests OPTIONS ${FARGRAPH_TEST_OPTIONS}
                       HEADERS <gmock/gmock.h> LIBRARIES GTest::gmock)
endif()

# fargraph_compile_library(TARGET) and fargraph_compile_tests(TARGET) have TARGET compiled as what it is. Sixteen sources at once
# take two thirds of the time that eight at once do, CMake's default: most of it goes to what all of them include.
function(fargraph_compile_library target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  target_compile_options(${target} PRIVATE ${FARGRAPH_LIBRARY_OPTIONS})
  if(FARGRAPH_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM fargraph_precompiled)
  endif()
endfunction()

# Much of what a test instantiates every other one does too, so more of them are compiled at once.
function(fargraph_compile_tests target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 24)
  target_compile_options(${target} PRIVATE ${FARGRAPH_TEST_OPTIONS})
  if(FARGRAPH_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM fargraph_precompiled_for_tests)
  endif()
endfunction()
