//===- Sharding.cpp - reading and deriving shardings ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "HloSharding.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::skew;

/// Splits at commas outside brackets and quotes; nullopt if those do not match.
static std::optional<SmallVector<StringRef>> splitTopLevel(StringRef text) {
  SmallVector<StringRef> parts;
  SmallVector<char> open;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    if (StringRef("[{<(").contains(c)) {
      open.push_back(c == '(' ? ')' : char(c + 2));
    } else if (StringRef("]}>)").contains(c)) {
      if (open.empty() || open.pop_back_val() != c)
        return std::nullopt;
    } else if (c == ',' && open.empty()) {
      parts.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (quoted || !open.empty())
    return std::nullopt;
  StringRef last = text.drop_front(start).trim();
  if (!last.empty())
    parts.push_back(last);
  return parts;
}

/// The parts of `<open> a, b, ... <close>`.
static std::optional<SmallVector<StringRef>>
splitBracketed(StringRef text, StringRef open, StringRef close) {
  text = text.trim();
  if (!text.consume_front(open) || !text.consume_back(close))
    return std::nullopt;
  return splitTopLevel(text);
}

static std::string print(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static constexpr llvm::StringLiteral shardingPrefix = "#sdy.sharding";
static constexpr llvm::StringLiteral perValuePrefix =
    "#sdy.sharding_per_value<";
static constexpr llvm::StringLiteral meshPrefix = "#sdy.mesh<";

namespace {
/// `#sdy.sharding<@mesh, [{"a"}, {}], replicated={...}>`, cut where its parts
/// meet; they point into the text.
struct ShardyText {
  StringRef mesh;
  SmallVector<StringRef> dims;
  /// What follows the dimensions, such as `replicated={"b"}`.
  SmallVector<StringRef> rest;

  static std::optional<ShardyText> parse(StringRef text) {
    text.consume_front(shardingPrefix);
    auto parts = splitBracketed(text, "<", ">");
    if (!parts || parts->size() < 2)
      return std::nullopt;
    auto dims = splitBracketed((*parts)[1], "[", "]");
    if (!dims)
      return std::nullopt;
    return ShardyText{parts->front(), *dims,
                      llvm::to_vector(llvm::drop_begin(*parts, 2))};
  }
};
} // namespace

static Attribute restrictShardy(Attribute sharding, ArrayRef<int64_t> kept) {
  std::string text = print(sharding);
  std::optional<ShardyText> shardy = ShardyText::parse(text);
  if (!shardy)
    return {};
  // A sum that is still to be made over some axes is no layout of state.
  for (StringRef part : shardy->rest)
    if (!part.starts_with("replicated"))
      return {};
  SmallVector<StringRef> left;
  for (int64_t axis : kept) {
    if (axis >= int64_t(shardy->dims.size()))
      return {};
    left.push_back(shardy->dims[axis]);
  }
  std::string result = (shardingPrefix + "<" + shardy->mesh + ", [" +
                        llvm::join(left, ", ") + "]")
                           .str();
  for (StringRef part : shardy->rest)
    result += (", " + part).str();
  return parseAttribute(result + ">", sharding.getContext());
}

Attribute skew::restrictSharding(Attribute sharding, ArrayRef<int64_t> kept) {
  if (auto text = dyn_cast<StringAttr>(sharding))
    return restrictHloSharding(text, kept);
  return restrictShardy(sharding, kept);
}

std::optional<SmallVector<Attribute>>
skew::splitShardings(Attribute perValue) {
  std::string text = print(perValue);
  StringRef view = text;
  if (!view.consume_front(perValuePrefix) || !view.consume_back(">"))
    return std::nullopt;
  auto parts = splitBracketed(view, "[", "]");
  if (!parts)
    return std::nullopt;
  SmallVector<Attribute> result;
  for (StringRef part : *parts) {
    if (!ShardyText::parse(part))
      return std::nullopt;
    result.push_back(parseAttribute((shardingPrefix + part).str(),
                                    perValue.getContext()));
    if (!result.back())
      return std::nullopt;
  }
  return result;
}

Attribute skew::joinShardings(MLIRContext *context,
                              ArrayRef<Attribute> shardings) {
  std::string text = (perValuePrefix + "[").str();
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(shardings, stream, [&](Attribute sharding) {
    std::string one = print(sharding);
    stream << StringRef(one).drop_front(shardingPrefix.size());
  });
  stream << "]>";
  return parseAttribute(text, context);
}

/// Reads `["x"=2, "y"=4], device_ids=[...]`; a reason if it is not the plain
/// numbering of the mesh.
static std::string readMesh(ArrayRef<StringRef> parts,
                            SmallVectorImpl<StringRef> &names,
                            SmallVectorImpl<int64_t> &sizes) {
  auto axes = parts.empty() ? std::nullopt
                            : splitBracketed(parts.front(), "[", "]");
  if (!axes)
    return "the mesh is of a form that is not understood";
  int64_t devices = 1;
  for (StringRef axis : *axes) {
    auto [name, size] = axis.rsplit('=');
    name = name.trim();
    // Axis names are compared and printed: one with an escape stays out.
    if (!name.consume_front("\"") || !name.consume_back("\"") ||
        name.contains('\\') || size.trim().getAsInteger(10, sizes.emplace_back()))
      return "the mesh is of a form that is not understood";
    names.push_back(name);
    if (sizes.back() < 1 || sizes.back() > (1 << 20) ||
        (devices *= sizes.back()) > (1 << 20))
      return "the mesh is larger than any that is known";
  }
  if (axes->empty())
    return "the mesh has no axes: all is on one device";
  for (StringRef part : parts.drop_front()) {
    if (!part.consume_front("device_ids"))
      return "the mesh is of a form that is not understood";
    part = part.trim();
    part.consume_front("=");
    auto ids = splitBracketed(part, "[", "]");
    if (!ids)
      return "the mesh is of a form that is not understood";
    bool isPlain = int64_t(ids->size()) == devices;
    for (auto [i, id] : llvm::enumerate(*ids)) {
      int64_t number;
      isPlain &= !id.getAsInteger(10, number) && number == int64_t(i);
    }
    if (!isPlain)
      return "the mesh numbers its devices in an order of its own";
  }
  return "";
}

ShardingAttr skew::readManualSharding(Attribute sharding, Attribute mesh,
                                      ArrayRef<StringRef> manualAxes,
                                      ArrayRef<int64_t> whole,
                                      ArrayRef<int64_t> part,
                                      std::string &reason) {
  MLIRContext *context = sharding.getContext();
  auto refuse = [&](std::string why) {
    reason = std::move(why);
    return ShardingAttr();
  };
  std::string text = print(sharding), meshText;
  std::optional<ShardyText> shardy = ShardyText::parse(text);
  if (!shardy || shardy->dims.size() != whole.size())
    return refuse("the sharding " + text +
                  " is of a form that is not understood");
  for (StringRef rest : shardy->rest)
    if (!rest.starts_with("replicated"))
      return refuse("the sharding " + text + " leaves a sum to be made");

  // The mesh: written out in the sharding, or the one that it names.
  StringRef meshBody = shardy->mesh;
  if (meshBody.consume_front("@")) {
    meshText = mesh ? print(mesh) : "";
    meshBody = meshText;
    meshBody.consume_front(meshPrefix.drop_back());
  } else {
    meshBody.consume_front("mesh");
  }
  auto meshParts = splitBracketed(meshBody, "<", ">");
  if (!meshParts)
    return refuse("the mesh " + shardy->mesh.str() + " is unknown");
  SmallVector<StringRef> names;
  SmallVector<int64_t> sizes;
  if (std::string why = readMesh(*meshParts, names, sizes); !why.empty())
    return refuse(why);
  for (auto [name, size] : llvm::zip_equal(names, sizes))
    if (size > 1 && !llvm::is_contained(manualAxes, name))
      return refuse(llvm::formatv("axis \"{0}\" of the mesh is not manual: the "
                                  "region sees tensors that the partitioner "
                                  "still cuts",
                                  name));

  SmallVector<DenseI64ArrayAttr> dims;
  SmallVector<bool> used(names.size(), false);
  for (auto [i, dim] : llvm::enumerate(shardy->dims)) {
    // A priority may follow the axes, and `?` says that more may be added; the
    // types of the region fix what is.
    size_t close = dim.rfind('}');
    auto axes = close == StringRef::npos
                    ? std::nullopt
                    : splitBracketed(dim.take_front(close + 1), "{", "}");
    if (!axes)
      return refuse("the sharding " + text +
                    " is of a form that is not understood");
    SmallVector<int64_t> cut;
    int64_t parts = 1;
    for (StringRef axis : *axes) {
      if (axis == "?")
        continue;
      StringRef name = axis;
      if (!name.consume_front("\"") || !name.consume_back("\""))
        return refuse("the sharding " + text + " splits an axis of the mesh");
      auto *found = llvm::find(names, name);
      if (found == names.end() || used[found - names.begin()])
        return refuse("the sharding " + text + " does not fit its mesh");
      used[found - names.begin()] = true;
      cut.push_back(found - names.begin());
      parts *= sizes[cut.back()];
    }
    if (i >= part.size() || part[i] * parts != whole[i])
      return refuse("the parts of a tensor are not of equal size");
    dims.push_back(DenseI64ArrayAttr::get(context, cut));
  }
  SmallVector<StringAttr> nameAttrs = llvm::map_to_vector(
      names, [&](StringRef name) { return StringAttr::get(context, name); });
  return ShardingAttr::getChecked(
      [&] { return emitError(UnknownLoc::get(context)); }, context,
      ArrayRef<StringAttr>(nameAttrs), ArrayRef<int64_t>(sizes),
      ArrayRef<DenseI64ArrayAttr>(dims));
}
