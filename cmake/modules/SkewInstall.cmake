# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installation and the exported package: find_package(Skew CONFIG) gives the
# targets Skew::SkewX, on top of the same MLIR. The build tree is a package too:
# Skew_DIR=<build>/cmake.

include(CMakePackageConfigHelpers)

set(skew_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/skew")

install(DIRECTORY include/skew DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY "${PROJECT_BINARY_DIR}/include/skew"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc"
  PATTERN "CMakeFiles" EXCLUDE)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

get_property(SKEW_EXPORTED_LIBS GLOBAL PROPERTY SKEW_LIBS)
configure_package_config_file(
  cmake/modules/SkewConfig.cmake.in
  "${PROJECT_BINARY_DIR}/cmake/SkewConfig.cmake"
  INSTALL_DESTINATION "${skew_package_dir}"
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/cmake/SkewConfigVersion.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/SkewConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/SkewConfigVersion.cmake"
  DESTINATION "${skew_package_dir}")

if(SKEW_EXPORTED_LIBS)
  install(EXPORT SkewTargets NAMESPACE Skew:: DESTINATION "${skew_package_dir}")
  export(EXPORT SkewTargets NAMESPACE Skew::
    FILE "${PROJECT_BINARY_DIR}/cmake/SkewTargets.cmake")
endif()
