// A file of a later version is refused with both versions named, not misread.
// RUN: not skew-opt %S/Inputs/version-99.mlirbc 2>&1 | FileCheck %s

// CHECK: error: skew dialect version 99 is newer than this tool's version 2; read the file with a newer skew-opt
