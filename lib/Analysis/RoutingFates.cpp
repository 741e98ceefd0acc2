//===- RoutingFates.cpp - where values must end ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoutingAnalysis.h"

using namespace mlir;
using namespace mlir::skew;

using RecordId = FlatGraph::RecordId;
using ValueId = FlatGraph::ValueId;

/// A product is a router's if something is chosen from it and the choice has a
/// junction.
void RoutingAnalysis::collectRouters() {
  for (auto [id, products] : junctions) {
    if (!choices.count(products))
      continue;
    auto [it, isNew] = routerNumbers.try_emplace(products, routerList.size());
    if (isNew) {
      Router router;
      router.products = products;
      for (unsigned product : productSets.elements(products))
        router.productRecords.push_back(product);
      router.choice = choices.lookup(products);
      router.numExperts = numColumns(products);
      routerList.push_back(std::move(router));
      allRouterProducts = productSets.unite(allRouterProducts, products);
    }
    routerList[it->second].junctions.push_back(id);
  }
}

const Router *RoutingAnalysis::routerOf(SetPool::Id products) const {
  auto it = routerNumbers.find(products);
  return it == routerNumbers.end() ? nullptr : &routerList[it->second];
}

const Router *RoutingAnalysis::junctionAt(RecordId record) const {
  auto it = junctions.find(record);
  return it == junctions.end() ? nullptr : routerOf(it->second);
}

bool RoutingAnalysis::isRouterValue(ValueId value) const {
  Tag tag = tags[value];
  if (!tag.isRouting())
    return false;
  auto [it, isNew] = isRoutersPart.try_emplace(tag.products, false);
  if (isNew)
    it->second = llvm::any_of(routerList, [&](const Router &router) {
      return productSets.includes(router.products, tag.products);
    });
  return it->second;
}

bool RoutingAnalysis::isInside(ValueId value, const Router &router) const {
  auto it = junctionBits.find(router.products);
  return it != junctionBits.end() &&
         insideSets.contains(inside[value], it->second);
}

//===----------------------------------------------------------------------===//
// Fates
//===----------------------------------------------------------------------===//

SetPool::Id RoutingAnalysis::fateSet(Fate fate) {
  auto [it, isNew] = fateNumbers.try_emplace(fate.key(), fateList.size());
  if (isNew)
    fateList.push_back(fate);
  return fateSets.single(it->second);
}

SmallVector<Fate> RoutingAnalysis::fatesIn(SetPool::Id set) const {
  SmallVector<Fate> result;
  for (unsigned number : fateSets.elements(set))
    result.push_back(fateList[number]);
  return result;
}

unsigned RoutingAnalysis::fateKinds(SetPool::Id set) const {
  auto [it, isNew] = kindsOfSet.try_emplace(set, 0);
  if (isNew)
    for (unsigned number : fateSets.elements(set))
      it->second |= 1u << static_cast<unsigned>(fateList[number].kind);
  return it->second;
}

ArrayRef<RecordId> RoutingAnalysis::users(ValueId value) const {
  return ArrayRef(userIds).slice(userStarts[value],
                                 userStarts[value + 1] - userStarts[value]);
}

void RoutingAnalysis::decideFates() {
  // Users, by counting.
  userStarts.assign(flat.numValues() + 1, 0);
  for (RecordId id = 0; id < flat.numRecords(); ++id)
    if (forward.isForward(id))
      for (ValueId value : flat.operands(id))
        ++userStarts[value + 1];
  for (size_t i = 1; i < userStarts.size(); ++i)
    userStarts[i] += userStarts[i - 1];
  userIds.resize(userStarts.back());
  std::vector<uint32_t> next(userStarts.begin(), userStarts.end() - 1);
  for (RecordId id = 0; id < flat.numRecords(); ++id)
    if (forward.isForward(id))
      for (ValueId value : flat.operands(id))
        userIds[next[value]++] = id;

  SetPool::Id loss = fateSet({Fate::Kind::loss});
  for (ValueId value : forward.roots())
    fates[value] = loss;
  for (RecordId id = flat.numRecords(); id-- > 0;) {
    if (!forward.isForward(id) || flat.record(id).numResults == 0)
      continue;
    SetPool::Id ofResults = SetPool::kEmpty;
    for (ValueId result : flat.results(id))
      ofResults = fateSets.unite(ofResults, fates[result]);
    ValueId first = flat.result(id);
    bool decides = isRouterValue(first);
    const Router *junction = junctionAt(id);
    for (ValueId value : flat.operands(id)) {
      if (!parameters.dependsOnParameters(value))
        continue;
      SetPool::Id set = ofResults;
      if (decides) {
        set = fateSet({Fate::Kind::decides, tags[first].products});
      } else if (junction) {
        if (tags[value].isRouting() &&
            productSets.includes(junction->products, tags[value].products))
          set = fateSet({Fate::Kind::decides, junction->products});
        else if (junction->numExperts > 1)
          set = fateSet({Fate::Kind::isWeighted, junction->products, id});
      }
      fates[value] = fateSets.unite(fates[value], set);
    }
  }
}

SetPool::Id RoutingAnalysis::fatesOfUse(const ParameterUse &use) {
  ValueId first = flat.result(use.record);
  if (isRouterValue(first))
    return fateSet({Fate::Kind::decides, tags[first].products});
  const Router *junction = junctionAt(use.record);
  if (junction && junction->numExperts > 1)
    return fateSet({Fate::Kind::isWeighted, junction->products, use.record});
  SetPool::Id set = SetPool::kEmpty;
  for (ValueId result : flat.results(use.record))
    set = fateSets.unite(set, fates[result]);
  return set;
}
