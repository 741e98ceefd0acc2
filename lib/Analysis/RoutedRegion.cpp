//===- RoutedRegion.cpp - questions about routed regions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoutedRegion.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::detail;

static constexpr unsigned kWeighted = 1u << unsigned(Fate::Kind::isWeighted);

RoutedRegion::RoutedRegion(RoutingAnalysis &routing)
    : routing(routing), graph(routing.graph()) {
  for (unsigned p = 0; p < routing.views().numParameters(); ++p) {
    for (const ParameterUse &use : routing.usesOf(p)) {
      if (use.kind != UseKind::product && use.kind != UseKind::routedProduct &&
          use.kind != UseKind::selected)
        continue;
      SetPool::Id set = routing.fatesOf(graph.result(use.record));
      if (routing.fateKinds(set) != kWeighted)
        continue;
      SmallVector<Fate> fates = routing.fatesIn(set);
      if (llvm::all_of(fates, [&](const Fate &fate) {
            return fate.products == fates.front().products;
          }))
        weightedProducts[use.record] = fates.front().products;
    }
  }
}

bool RoutedRegion::leadsToExperts(RecordId product,
                                  const Router &router) const {
  using State = std::pair<RecordId, unsigned>;
  SmallVector<State> stack{{product, 0u}};
  llvm::DenseSet<State> seen;
  while (!stack.empty()) {
    auto [id, past] = stack.pop_back_val();
    for (ValueId result : graph.results(id))
      for (RecordId user : routing.users(result)) {
        bool isJunction = routing.junctionAt(user) == &router;
        if (!seen.insert({user, past || isJunction ? 1u : 0u}).second)
          continue;
        if (past || isJunction) {
          auto it = weightedProducts.find(user);
          if (it != weightedProducts.end() && it->second == router.products)
            return true;
        }
        // Past the last junction there are no experts of this router.
        if (isJunction && !past) {
          SetPool::Id set = SetPool::kEmpty;
          for (ValueId value : graph.results(user))
            set = routing.uniteFates(set, routing.fatesOf(value));
          if (routing.fateKinds(set) != kWeighted ||
              llvm::any_of(routing.fatesIn(set), [&](const Fate &fate) {
                return fate.products != router.products;
              }))
            continue;
        }
        stack.push_back({user, past || isJunction ? 1u : 0u});
      }
  }
  return false;
}

bool RoutedRegion::carriesExperts(RecordId junction) const {
  FlowKind kind = graph.kind(junction);
  return kind == FlowKind::gather || kind == FlowKind::scatter ||
         llvm::any_of(graph.operands(junction), [&](ValueId value) {
           return routing.isRouterValue(value) && routing.expertDims(value);
         });
}

bool RoutedRegion::isSharedBySeparate(SetPool::Id junctions) const {
  SmallVector<SetPool::Id> parts;
  for (auto [record, products] : weightedProducts) {
    SetPool::Id part = routing.fatesOf(graph.result(record));
    if (part == junctions || !routing.fatePool().includes(junctions, part))
      continue;
    if (llvm::any_of(parts, [&](SetPool::Id other) {
          return !routing.fatePool().intersects(part, other);
        }))
      return true;
    if (!llvm::is_contained(parts, part))
      parts.push_back(part);
  }
  return false;
}

const Router *RoutedRegion::routerIn(SetPool::Id fates, Fate::Kind kind) const {
  for (const Fate &fate : routing.fatesIn(fates)) {
    if (fate.kind != kind)
      continue;
    if (const Router *router = routing.routerOf(fate.products))
      return router;
    for (const Router &router : routing.routers())
      if (routing.sets().includes(router.products, fate.products))
        return &router;
  }
  return nullptr;
}

const Router *RoutedRegion::routerUpstream(const ParameterUse &use) const {
  if (use.operand > 1)
    return nullptr;
  ValueId other = graph.operand(use.record, 1 - use.operand);
  uint64_t experts = routing.expertDims(other);
  const Router *part = nullptr;
  for (const Router &router : llvm::reverse(routing.routers()))
    if (routing.isInside(other, router))
      for (auto [dim, size] : llvm::enumerate(graph.shape(other))) {
        if (!(experts >> dim & 1))
          continue;
        if (size == router.numExperts)
          return &router;
        // The share of one device.
        if (!part && size > 0 && router.numExperts % size == 0)
          part = &router;
      }
  return part;
}
