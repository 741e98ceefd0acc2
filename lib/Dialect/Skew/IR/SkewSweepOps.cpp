//===- SkewSweepOps.cpp - syntax and checks of sweeps ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

//===----------------------------------------------------------------------===//
// SweepOp: syntax
//===----------------------------------------------------------------------===//

template <typename Enum>
static ParseResult parseEnumKeyword(OpAsmParser &parser, StringRef what,
                                    std::optional<Enum> (*symbolize)(StringRef),
                                    Enum &value) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Enum> parsed = symbolize(keyword);
  if (!parsed)
    return parser.emitError(loc, "unknown ") << what << " '" << keyword << "'";
  value = *parsed;
  return success();
}

ParseResult SweepOp::parse(OpAsmParser &parser, OperationState &result) {
  MLIRContext *context = parser.getContext();
  Builder builder(context);
  SmallVector<int64_t> shape, into;
  AxesAttr axes;
  if (parser.parseKeyword("domain") || parser.parseLParen() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&]() { return parser.parseInteger(shape.emplace_back()); }) ||
      parser.parseComma() ||
      parser.parseCustomAttributeWithFallback<AxesAttr>(axes) ||
      parser.parseRParen() || parser.parseKeyword("ins"))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes, resultTypes;
  SmallVector<Attribute> inputs, outputs, combiners;
  SMLoc operandLoc = parser.getCurrentLocation();
  auto parseInput = [&]() -> ParseResult {
    Projection projection;
    if (parser.parseOperand(operands.emplace_back()) ||
        parseEnumKeyword<Projection>(parser, "projection", symbolizeProjection,
                                     projection) ||
        parser.parseColonType(operandTypes.emplace_back()))
      return failure();
    inputs.push_back(ProjectionAttr::get(context, projection));
    return success();
  };
  auto parseOutput = [&]() -> ParseResult {
    Projection projection;
    Combiner combiner;
    if (parseEnumKeyword<Projection>(parser, "projection", symbolizeProjection,
                                     projection) ||
        parseEnumKeyword<Combiner>(parser, "combiner", symbolizeCombiner,
                                   combiner) ||
        parser.parseKeyword("into") ||
        parser.parseInteger(into.emplace_back()) ||
        parser.parseColonType(resultTypes.emplace_back()))
      return failure();
    outputs.push_back(ProjectionAttr::get(context, projection));
    combiners.push_back(CombinerAttr::get(context, combiner));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput) ||
      parser.parseKeyword("outs") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseOutput))
    return failure();
  ShardingAttr shards;
  if (succeeded(parser.parseOptionalKeyword("shards")) &&
      parser.parseCustomAttributeWithFallback<ShardingAttr>(shards))
    return failure();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(operands, operandTypes, operandLoc,
                             result.operands))
    return failure();
  result.addTypes(resultTypes);
  auto &properties = result.getOrAddProperties<SweepOp::Properties>();
  properties.shape = builder.getDenseI64ArrayAttr(shape);
  properties.axes = axes;
  properties.input_projections = builder.getArrayAttr(inputs);
  properties.output_projections = builder.getArrayAttr(outputs);
  properties.combiners = builder.getArrayAttr(combiners);
  properties.into = builder.getDenseI64ArrayAttr(into);
  if (shards)
    properties.shards = shards;
  return parser.parseRegion(*result.addRegion());
}

void SweepOp::print(OpAsmPrinter &printer) {
  printer << " domain([";
  llvm::interleaveComma(getShape(), printer);
  printer << "], ";
  printer.printStrippedAttrOrType(getAxes());
  printer << ") ins(";
  llvm::interleaveComma(llvm::enumerate(getInputs()), printer, [&](auto item) {
    printer << item.value() << " "
            << stringifyProjection(getInputProjection(item.index())) << " : "
            << item.value().getType();
  });
  printer << ") outs(";
  llvm::interleaveComma(llvm::enumerate(getResultTypes()), printer,
                        [&](auto item) {
                          unsigned i = item.index();
                          printer << stringifyProjection(getOutputProjection(i))
                                  << " " << stringifyCombiner(getCombiner(i))
                                  << " into " << getInto()[i] << " : "
                                  << item.value();
                        });
  printer << ")";
  if (getShards()) {
    printer << " shards ";
    printer.printStrippedAttrOrType(*getShards());
  }
  printer.printOptionalAttrDictWithKeyword(
      llvm::to_vector((*this)->getDiscardableAttrs()));
  printer << " ";
  printer.printRegion(getBody());
}

//===----------------------------------------------------------------------===//
// SweepOp: checks
//===----------------------------------------------------------------------===//

LogicalResult SweepOp::verify() {
  if (getAxes().getRank() != getShape().size())
    return emitOpError("axes must cover the domain's ")
           << getShape().size() << " axes, got " << getAxes().getRank();
  for (int64_t extent : getShape())
    if (extent < 0)
      return emitOpError("domain must have a static shape");
  if (ShardingAttr shards = getShardsAttr();
      shards && failed(verifySharding(
                    [&] { return emitOpError(); }, shards, getShape())))
    return failure();
  if (getInputProjections().size() != getInputs().size())
    return emitOpError("needs one projection per input");
  unsigned outputs = getNumResults();
  if (getOutputProjections().size() != outputs ||
      getCombiners().size() != outputs || getInto().size() != outputs)
    return emitOpError("needs one projection, combiner and tie per output");

  auto checkShape = [&](Type type, Projection projection, StringRef what,
                        unsigned i) -> LogicalResult {
    SmallVector<int64_t> expected = getAxes().shapeOf(projection, getShape());
    ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
    if (shape == ArrayRef<int64_t>(expected))
      return success();
    InFlightDiagnostic diag = emitOpError(what)
                              << " " << i << " with projection "
                              << stringifyProjection(projection)
                              << " must have shape [";
    llvm::interleaveComma(expected, diag);
    diag << "], got " << type;
    return diag;
  };
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size() + 1)
    return emitOpError("body must have one argument per input and the index");
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    if (failed(
            checkShape(input.getType(), getInputProjection(i), "input", i)))
      return failure();
    Type stored = cast<RankedTensorType>(input.getType()).getElementType();
    Type argument = body.getArgument(i).getType();
    bool fits =
        isa<FloatType>(stored)
            ? isa<FloatType>(argument)
            : isa<IntegerType>(stored) &&
                  argument.isSignlessInteger(stored.getIntOrFloatBitWidth());
    if (!fits)
      return emitOpError("argument ")
             << i << " of the body has type " << argument
             << ", which does not hold an element of " << input.getType();
  }
  if (!getIndexArgument().getType().isSignlessInteger(64))
    return emitOpError("last argument of the body must be the i64 index");

  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getValues().size() != outputs)
    return emitOpError("body must yield ")
           << outputs << " values, got " << yield.getValues().size();
  for (unsigned i = 0; i < outputs; ++i) {
    Projection projection = getOutputProjection(i);
    auto type = cast<RankedTensorType>(getResult(i).getType());
    if (failed(checkShape(type, projection, "output", i)))
      return failure();
    bool whole = getAxes().axesOf(projection).size() == getShape().size();
    if (!whole && getCombiner(i) != Combiner::sum)
      return emitOpError("output ")
             << i << " lacks axes of the domain, so its combiner must be sum";
    if (whole && getCombiner(i) != Combiner::write)
      return emitOpError("output ")
             << i << " has every axis of the domain, so its combiner must be "
                     "write";
    Type element = type.getElementType(), yielded = yield.getValues()[i].getType();
    bool fits = element == yielded ||
                (isa<FloatType>(element) && isa<FloatType>(yielded) &&
                 yielded.getIntOrFloatBitWidth() >=
                     element.getIntOrFloatBitWidth());
    if (!fits)
      return emitOpError("output ")
             << i << " of element type " << element << " cannot take a "
             << yielded;
    int64_t tie = getInto()[i];
    if (tie < -1 || tie >= int64_t(getInputs().size()))
      return emitOpError("output ") << i << " is tied to input " << tie
                                    << ", which does not exist";
    if (tie >= 0 && getInputs()[tie].getType() != type)
      return emitOpError("output ")
             << i << " is tied to input " << tie << " of another type";
  }
  return success();
}
