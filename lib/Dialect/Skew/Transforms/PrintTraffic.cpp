//===- PrintTraffic.cpp - memory traffic of sweeps as remarks -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Dialect/Skew/Transforms/Traffic.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "skew-print-traffic"

namespace mlir::skew {
#define GEN_PASS_DEF_PRINTTRAFFIC
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

namespace {
struct PrintTrafficPass
    : public skew::impl::PrintTrafficBase<PrintTrafficPass> {
  using PrintTrafficBase::PrintTrafficBase;

  void runOnOperation() override;
};
} // namespace

void PrintTrafficPass::runOnOperation() {
  markAllAnalysesPreserved();
  getOperation()->walk([](FunctionOpInterface function) {
    for (Block &block : function.getFunctionBody())
      for (ChainTraffic &chain : computeTraffic(block)) {
        auto perElement = [&](int64_t bytes) {
          double elements = std::max<int64_t>(chain.elements, 1);
          return llvm::formatv("{0:f3}", bytes / elements).str();
        };
        remark::analysis(chain.first.getLoc(),
                         remark::RemarkOpts::name("Traffic")
                             .category(DEBUG_TYPE)
                             .function(function.getName()))
            << remark::metric("elements", chain.elements)
            << remark::metric("cold_bytes", chain.coldBytes)
            << remark::metric("warm_bytes", chain.warmBytes)
            << remark::metric("cold_bytes_per_element",
                              perElement(chain.coldBytes))
            << remark::metric("warm_bytes_per_element",
                              perElement(chain.warmBytes));
      }
  });
}
