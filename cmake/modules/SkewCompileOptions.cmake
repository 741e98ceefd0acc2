# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiler, warning, sanitizer and cache settings of the whole tree.

# LLVM's headers change layout with NDEBUG (Pass::Statistic, for one) and the
# packaged libraries are built with it, so every configuration defines it. Our
# own checks have their own switch, SKEW_ENABLE_ASSERTIONS.
add_compile_definitions(NDEBUG)
if(SKEW_ENABLE_ASSERTIONS)
  add_compile_definitions(SKEW_ENABLE_ASSERTIONS)
endif()

# -O2 rather than CMake's -O3: a third faster to compile, and no slower here.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -DNDEBUG")

# Generated code names parameters that it does not use.
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(SKEW_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 from inside LLVM's inlined headers.
  add_compile_options(
    -Wno-maybe-uninitialized -Wno-dangling-pointer -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()

# Follow the package: mixing RTTI modes breaks typeinfo symbols at link time.
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

if(SKEW_SANITIZERS)
  # -g1: lines for the stack traces; full debug information doubles the time.
  add_compile_options(
    -fsanitize=${SKEW_SANITIZERS} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -g1)
  add_link_options(-fsanitize=${SKEW_SANITIZERS})
  # vptr needs typeinfo that libMLIR does not export for every class.
  if(SKEW_SANITIZERS MATCHES "undefined")
    add_compile_options(-fno-sanitize=vptr)
  endif()
endif()

find_program(SKEW_CCACHE ccache)
mark_as_advanced(SKEW_CCACHE)
if(SKEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the source tree and no working directory in the hash, so
  # that a fresh clone elsewhere hits the same cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 ${SKEW_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
