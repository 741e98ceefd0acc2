//===- ForwardSlice.h - the forward part of a train step --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_FORWARDSLICE_H
#define SKEW_ANALYSIS_FORWARDSLICE_H

#include "skew/Analysis/ParameterViews.h"

namespace mlir::skew {

/// The records that compute the loss. Backward pass and optimizer are simply
/// not among them.
class ForwardSlice {
public:
  using ValueId = FlatGraph::ValueId;
  using RecordId = FlatGraph::RecordId;

  /// Why a scalar result is not the loss: its slice holds the backward product
  /// dy.W^T, a contraction of `parameter` over another axis than its first
  /// use's, with an operand that depends on the parameter itself.
  struct Refusal {
    unsigned result;
    RecordId contraction;
    unsigned parameter;
  };

  /// The slice of the loss: of all scalar results without backward products
  /// the one that most parameters are contracted in. `noLoss` lists results
  /// that are known to be something else (next values of state).
  static std::optional<ForwardSlice>
  ofLoss(const ParameterViews &views, ArrayRef<unsigned> noLoss,
         SmallVectorImpl<Refusal> *refusals = nullptr);

  /// The same without looking at results: what every parameter's first uses
  /// need. Does not depend on the loss being returned.
  static ForwardSlice ofFirstUses(const ParameterViews &views);

  bool isForward(RecordId record) const { return members[record]; }
  ArrayRef<ValueId> roots() const { return rootValues; }
  /// The number of the result that is the loss, where that defines the slice.
  std::optional<unsigned> lossResult() const { return loss; }
  size_t size() const { return numMembers; }
  /// False if no parameter is contracted or looked up here: there is no
  /// forward pass in this graph.
  bool hasModel() const { return model; }

private:
  ForwardSlice(const ParameterViews &views, ArrayRef<ValueId> roots);

  std::vector<bool> members;
  SmallVector<ValueId> rootValues;
  std::optional<unsigned> loss;
  size_t numMembers = 0;
  bool model = false;
};

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_FORWARDSLICE_H
