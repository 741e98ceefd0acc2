//===- skew-plugin.cpp - skew for other people's mlir-opt -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One shared library that is a dialect plugin and a pass plugin. It registers
// the skew dialect, the passes and the pipelines, and nothing of others: what
// stands in for missing dialects is the tools' own business.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Pipelines/TransformOps/SkewTransformOps.h"
#include "skew/InitAll.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Support/Version.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// A tool that has skew built in must not get it twice: MLIR aborts on a second
/// dialect or pass of one name.
static void warnNotUsed(const char *what) {
  llvm::errs() << "warning: this tool has the skew " << what
               << " already; those of the plugin (" SKEW_VERSION_STRING
                  ") are not used\n";
}

static void registerDialects(DialectRegistry *registry) {
  if (registry->getDialectAllocator(skew::SkewDialect::getDialectNamespace()))
    return warnNotUsed("dialect");
  registry->insert<skew::SkewDialect>();
  skew::registerTransformDialectExtension(*registry);
}

static void registerPasses() {
  if (PassInfo::lookup("skew-raise"))
    return warnNotUsed("passes");
  skew::registerAllPasses();
  skew::registerSkewPipelines();
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Skew", SKEW_VERSION_STRING,
          registerDialects};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Skew", SKEW_VERSION_STRING, registerPasses};
}
