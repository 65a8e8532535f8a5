# One library per folder, its unit tests beside it. A new .cc, _test.cc, _fuzz.cc or _benchmark.cc needs no line here.
set(FARGRAPH_TEST_SHARDS 8)

if(FARGRAPH_FUZZ)
  add_custom_target(fuzzers)
endif()
add_custom_target(unit_tests)

# fargraph_library(NAME [OBJECT] LIBRARIES ... [TEST_LIBRARIES ...]) builds library fargraph_NAME and test program NAME_test
# from the sources below the current folder; its tests carry the label NAME. OBJECT keeps every object file, for code that
# registers itself. TEST_LIBRARIES are what the tests need beyond NAME. What tests share is in the folder testing, library
# fargraph_NAME_testing; that of an OBJECT holds its object files too, and its tests take them from there.
function(fargraph_library name)
  cmake_parse_arguments(arg "OBJECT" "" "LIBRARIES;TEST_LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cc)
  set(tests ${sources})
  set(fuzzers ${sources})
  set(benchmarks ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")
  list(FILTER sources EXCLUDE REGEX "(_test|_fuzz|_benchmark|/main)\\.cc$|/testing/")
  file(GLOB shared_by_tests CONFIGURE_DEPENDS testing/*.cc)

  set(kind STATIC)
  if(arg_OBJECT)
    set(kind OBJECT)
  endif()
  add_library(fargraph_${name} ${kind} ${sources})
  target_link_libraries(fargraph_${name} PUBLIC fargraph_compiler ${arg_LIBRARIES})
  fargraph_compile_library(fargraph_${name})

  set(testing_library)
  if(shared_by_tests)
    set(testing_library fargraph_${name}_testing)
    add_library(${testing_library} STATIC EXCLUDE_FROM_ALL ${shared_by_tests})
    target_link_libraries(${testing_library} PUBLIC fargraph_${name} ${arg_TEST_LIBRARIES} GTest::gmock)
    fargraph_compile_library(${testing_library})
  endif()
  if(tests)
    set(tested ${testing_library})
    if(NOT arg_OBJECT)
      list(APPEND tested fargraph_${name})
    endif()
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${tested} ${arg_TEST_LIBRARIES} GTest::gmock GTest::gtest_main)
    fargraph_compile_tests(${name}_test)
    fargraph_prefer_code_of(${name}_test ${tested} ${arg_LIBRARIES})
    add_dependencies(unit_tests ${name}_test)
    fargraph_unit_tests(${name})
  endif()
  if(FARGRAPH_FUZZ)
    foreach(fuzzer IN LISTS fuzzers)
      get_filename_component(program ${fuzzer} NAME_WE)
      add_executable(${program} ${fuzzer})
      fargraph_compile_library(${program})
      target_link_options(${program} PRIVATE -fsanitize=fuzzer)
      target_link_libraries(${program} PRIVATE fargraph_${name})
      add_dependencies(fuzzers ${program})
    endforeach()
  endif()
  if(FARGRAPH_BENCHMARKS)
    foreach(benchmark IN LISTS benchmarks)
      get_filename_component(program ${benchmark} NAME_WE)
      add_executable(${program} ${benchmark})
      target_link_libraries(${program} PRIVATE fargraph_${name} benchmark::benchmark_main)
    endforeach()
  endif()
endfunction()

# fargraph_prefer_code_of(TARGET LIBRARY...) has TARGET take inline functions that it shares with one of our libraries from
# there: the linker keeps the first copy, and that of a test is not optimised.
function(fargraph_prefer_code_of target)
  list(FILTER ARGN INCLUDE REGEX "^fargraph_")
  list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  target_link_options(${target} PRIVATE -Wl,--whole-archive ${ARGN} -Wl,--no-whole-archive)
endfunction()

# fargraph_unit_tests(NAME) registers test program NAME_test as tests NAME/1 to NAME/8, each a share of its tests in one
# process: a process for each of some thousand tests takes longer than most of these.
function(fargraph_unit_tests name)
  math(EXPR last "${FARGRAPH_TEST_SHARDS} - 1")
  foreach(shard RANGE ${last})
    math(EXPR number "${shard} + 1")
    add_test(NAME ${name}/${number} COMMAND ${name}_test --gtest_brief=1)
    # Tests share the processors: a thread that waits for the others of its team is not to spin meanwhile.
    set_tests_properties(${name}/${number} PROPERTIES TIMEOUT 600 LABELS ${name} ENVIRONMENT
      "GTEST_TOTAL_SHARDS=${FARGRAPH_TEST_SHARDS};GTEST_SHARD_INDEX=${shard};OMP_WAIT_POLICY=passive")
  endforeach()
endfunction()

# fargraph_executable(NAME MAIN LIBRARY...) builds bin/NAME and installs it.
function(fargraph_executable name main)
  add_executable(${name} ${main})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
  target_compile_definitions(${name} PRIVATE FARGRAPH_VERSION="${PROJECT_VERSION}")
  install(TARGETS ${name} COMPONENT runtime)
  foreach(library IN LISTS ARGN)
    target_link_libraries(${name} PRIVATE fargraph_${library})
  endforeach()
endfunction()

find_program(FARGRAPH_PYTEST NAMES pytest-3 pytest)
if(NOT FARGRAPH_PYTEST)
  message(STATUS "The tests of the commands are left out: pytest is missing (apt-get install python3-pytest)")
endif()

# fargraph_program_tests() registers every executable script and every *_test.py (run by pytest) of the current folder
# as test FOLDER/NAME with the labels "tests" and FOLDER. FARGRAPH_BIN_DIR names the folder of the two commands. They take
# longer than unit tests, so they begin first: at the end no processor waits for the last one.
function(fargraph_program_tests)
  if(NOT FARGRAPH_PYTEST)
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  file(GLOB tests CONFIGURE_DEPENDS *_test.py *_test.sh)
  foreach(test IN LISTS tests)
    cmake_path(GET test STEM name)
    set(command ${test})
    if(test MATCHES "\\.py$")
      set(command ${FARGRAPH_PYTEST} --quiet ${test})
    endif()
    add_test(NAME ${folder}/${name} COMMAND ${command})
    set_tests_properties(${folder}/${name} PROPERTIES
      ENVIRONMENT "FARGRAPH_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};XDG_CACHE_HOME=${CMAKE_BINARY_DIR}/cache;OMP_WAIT_POLICY=passive"
      LABELS "tests;${folder}" SKIP_RETURN_CODE 77 TIMEOUT 900 COST 1)
  endforeach()
endfunction()
