# Language level, warnings, processor and sanitizers: what every target of the project is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

add_library(fargraph_compiler INTERFACE)
target_include_directories(fargraph_compiler INTERFACE ${CMAKE_SOURCE_DIR})
# A designated initializer names what it sets; the rest is meant to keep its default.
target_compile_options(fargraph_compiler INTERFACE -Wall -Wextra -Wshadow -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in std::string concatenation where there are none (GCC bug 105651).
  target_compile_options(fargraph_compiler INTERFACE -Wno-restrict)
  # It takes the files of a unity build for headers, in which no type is to be of an anonymous namespace.
  target_compile_options(fargraph_compiler INTERFACE $<$<BOOL:${CMAKE_UNITY_BUILD}>:-Wno-subobject-linkage>)
else()
  # clang warns where a build that is instrumented or little optimised does not vectorise a loop marked for it.
  target_compile_options(fargraph_compiler INTERFACE -Wno-pass-failed "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(FARGRAPH_WERROR)
  target_compile_options(fargraph_compiler INTERFACE -Werror)
endif()
if(FARGRAPH_NATIVE)
  target_compile_options(fargraph_compiler INTERFACE -march=native)
else()
  target_compile_definitions(fargraph_compiler INTERFACE FARGRAPH_DISPATCH=1)
endif()
if(FARGRAPH_64BIT_IDS)
  target_compile_definitions(fargraph_compiler INTERFACE FARGRAPH_64BIT_IDS=1)
endif()
if(FARGRAPH_SANITIZE)
  # Accesses through null and beyond objects are seen by AddressSanitizer: to look twice would take a sixth of a build.
  set(sanitize -fsanitize=${FARGRAPH_SANITIZE} -fno-sanitize=null,object-size -fno-omit-frame-pointer
               -fno-sanitize-recover=all)
  add_compile_options(${sanitize})  # before the options of a target, which may take some of it back
  target_link_options(fargraph_compiler INTERFACE ${sanitize})
endif()
if(FARGRAPH_SANITIZE STREQUAL thread)
  set(wrappers ${CMAKE_CURRENT_LIST_DIR}/tsan_abseil.cc)
  file(READ ${wrappers} wrapped)
  string(REGEX MATCHALL "_ZNK?4absl[A-Za-z0-9_]+" wrapped "${wrapped}")
  list(TRANSFORM wrapped PREPEND -Wl,--wrap=)
  add_library(fargraph_tsan_abseil OBJECT ${wrappers})
  target_link_options(fargraph_compiler INTERFACE ${wrapped})
  target_link_libraries(fargraph_compiler INTERFACE $<TARGET_OBJECTS:fargraph_tsan_abseil> absl::synchronization)
endif()
# Only at first: the tests install it, and with another launcher all that was built before would be built again.
if(NOT DEFINED CCACHE)
  find_program(CCACHE ccache)
endif()
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
