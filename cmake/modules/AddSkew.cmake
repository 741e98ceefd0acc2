# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How this tree adds libraries, tools, unit tests and tablegen rules.
#
# MLIR is linked by these functions; MLIR libraries never appear in LINK_LIBS.
# (A static MLIR library there would put a second MLIR into the process.)

# skew_add_subdirectory_if_present(DIR): adds DIR if it has a CMakeLists.txt.
function(skew_add_subdirectory_if_present dir)
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${dir}/CMakeLists.txt")
    add_subdirectory("${dir}")
  endif()
endfunction()

# Puts `target` behind the generated headers and links the one shared MLIR.
function(skew_configure_target target type)
  add_dependencies(${target} skew-headers)
  if(MLIR_LINK_MLIR_DYLIB)
    target_link_libraries(${target} ${type} MLIR LLVM)
  else()
    get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
    list(FILTER mlir_libs EXCLUDE REGEX "Test|CAPI|Main$|^MLIR$")
    target_link_libraries(${target} ${type} ${mlir_libs})
  endif()
endfunction()

# add_skew_library(Name sources...
#   [SHARED] [NO_MLIR] [TEST]
#   [DEPENDS tablegen-targets...]
#   [LINK_LIBS PUBLIC|PRIVATE our-libraries...])
#
# A static, position-independent library; installed and exported unless TEST.
# NO_MLIR is for libraries that must not include or link MLIR (Placement,
# Runtime): they are built without its include directories' libraries.
function(add_skew_library name)
  cmake_parse_arguments(ARG "SHARED;NO_MLIR;TEST" "" "DEPENDS;LINK_LIBS" ${ARGN})
  set(kind STATIC)
  if(ARG_SHARED)
    set(kind SHARED)
  endif()
  add_library(${name} ${kind} ${ARG_UNPARSED_ARGUMENTS})
  add_library(Skew::${name} ALIAS ${name})
  if(ARG_NO_MLIR)
    add_dependencies(${name} skew-headers)
  else()
    skew_configure_target(${name} PUBLIC)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_LINK_LIBS)
    target_link_libraries(${name} ${ARG_LINK_LIBS})
  endif()
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # Users share LLVM's ABI through our headers, so they need NDEBUG as well.
  target_compile_definitions(${name} INTERFACE NDEBUG)
  target_compile_features(${name} INTERFACE cxx_std_17)
  if(NOT ARG_TEST)
    set_property(GLOBAL APPEND PROPERTY SKEW_LIBS ${name})
    install(TARGETS ${name} EXPORT SkewTargets
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# add_skew_tool(name sources... [TEST] [LINK_LIBS our-libraries...])
#
# An executable in bin/; installed and exported unless TEST.
function(add_skew_tool name)
  cmake_parse_arguments(ARG "TEST" "" "DEPENDS;LINK_LIBS" ${ARGN})
  list(REMOVE_ITEM ARG_LINK_LIBS PUBLIC PRIVATE)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  skew_configure_target(${name} PRIVATE)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  if(ARG_TEST)
    set_property(GLOBAL APPEND PROPERTY SKEW_TEST_TARGETS ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY SKEW_TOOLS ${name})
    install(TARGETS ${name} EXPORT SkewTargets
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# add_skew_plugin(Name sources... [TEST] [LINK_LIBS our-libraries...])
#
# A module Name.so in lib/ for tools that load plugins; installed unless TEST.
function(add_skew_plugin name)
  cmake_parse_arguments(ARG "TEST" "" "DEPENDS;LINK_LIBS" ${ARGN})
  list(REMOVE_ITEM ARG_LINK_LIBS PUBLIC PRIVATE)
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    PREFIX "" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  skew_configure_target(${name} PRIVATE)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  set_property(GLOBAL APPEND PROPERTY SKEW_TEST_TARGETS ${name})
  if(NOT ARG_TEST)
    install(TARGETS ${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endfunction()

# add_skew_unittest(NameTests sources... [LINK_LIBS our-libraries...])
#
# A GoogleTest executable in test/unit; lit runs each of its tests. The name
# must end in "Tests", which is how lit finds it.
function(add_skew_unittest name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  list(REMOVE_ITEM ARG_LINK_LIBS PUBLIC PRIVATE)
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "the name of unit test '${name}' must end in Tests")
  endif()
  if(NOT TARGET GTest::gtest_main)
    find_package(GTest REQUIRED)
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test/unit/bin")
  skew_configure_target(${name} PRIVATE)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PRIVATE
    ${ARG_LINK_LIBS} GTest::gtest GTest::gtest_main)
  if(NOT TARGET SkewUnitTests)
    add_custom_target(SkewUnitTests)
  endif()
  add_dependencies(SkewUnitTests ${name})
  set_property(GLOBAL APPEND PROPERTY SKEW_TEST_TARGETS ${name})
endfunction()

# add_skew_passes(Name): rules for Passes.td of the current folder. Makes
# Passes.h.inc (declarations, GEN_PASS_DEF_*, registerSkew<Name>Passes()) and
# the target Skew<Name>PassIncGen.
function(add_skew_passes name)
  if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/Passes.td")
    return()
  endif()
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name Skew${name})
  add_public_tablegen_target(Skew${name}PassIncGen)
  add_dependencies(skew-headers Skew${name}PassIncGen)
endfunction()
