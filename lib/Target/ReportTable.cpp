//===- ReportTable.cpp - a report for people ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/ByteSize.h"
#include "skew/Target/Report.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace json = llvm::json;

namespace {
/// Rows of text: the first column to the left, the others too (words) or to
/// the right (numbers).
class Table {
public:
  enum class Of { words, numbers };
  explicit Table(Of content) : content(content) {}
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  void print(llvm::raw_ostream &os) const {
    std::vector<size_t> widths;
    for (auto &row : rows)
      for (size_t i = 0; i < row.size(); ++i) {
        widths.resize(std::max(widths.size(), i + 1));
        widths[i] = std::max(widths[i], row[i].size());
      }
    for (auto &row : rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        os << (i ? "  " : "");
        size_t pad = widths[i] - row[i].size();
        bool left = i == 0 || content == Of::words;
        if (!left)
          os.indent(pad);
        os << row[i];
        if (left && i + 1 < row.size())
          os.indent(pad);
      }
      os << "\n";
    }
  }

private:
  Of content;
  std::vector<std::vector<std::string>> rows;
};

struct Sum {
  int64_t parameters = 0, elements = 0, before = 0, after = 0;
};
} // namespace

static void printFunction(const json::Object &function, llvm::raw_ostream &os) {
  llvm::MapVector<llvm::StringRef, Sum> classes;
  for (llvm::StringRef name : {"backbone", "expert", "router"})
    classes[name];
  Sum total;
  Table declined(Table::Of::words);
  for (const json::Value &value : *function.getArray("parameters")) {
    const json::Object &parameter = *value.getAsObject();
    int64_t elements = parameter.getInteger("elements").value_or(0);
    int64_t before = parameter.getInteger("state_before_bytes").value_or(0);
    int64_t after = parameter.getInteger("state_after_bytes").value_or(0);
    for (Sum *sum : {&classes[*parameter.getString("tier_class")], &total}) {
      ++sum->parameters;
      sum->elements += elements;
      sum->before += before;
      sum->after += after;
    }
    if (*parameter.getString("status") == "raised")
      continue;
    std::vector<std::string> row = {("  " + *parameter.getString("name")).str(),
                                    parameter.getString("status")->str()};
    if (std::optional<llvm::StringRef> reason = parameter.getString("reason"))
      row.push_back(reason->str());
    declined.add(std::move(row));
  }
  Table table(Table::Of::numbers);
  table.add({"tier", "parameters", "elements", "state before", "state after",
             "bytes before", "bytes after"});
  auto row = [&](llvm::StringRef name, const Sum &sum) {
    table.add({name.str(), std::to_string(sum.parameters),
               std::to_string(sum.elements), skew::formatByteSize(sum.before),
               skew::formatByteSize(sum.after), std::to_string(sum.before),
               std::to_string(sum.after)});
  };
  for (auto &[name, sum] : classes)
    if (sum.parameters)
      row(name, sum);
  row("total", total);
  const json::Object &totals = *function.getObject("totals");
  os << "function " << *function.getString("name") << ": "
     << *totals.getInteger("raised") << " raised, "
     << *totals.getInteger("declined") << " declined, "
     << *totals.getInteger("frozen") << " frozen\n";
  table.print(os);
  declined.print(os);

  // One line per kind and message: a hazard of every parameter is one hazard.
  llvm::MapVector<std::pair<llvm::StringRef, llvm::StringRef>,
                  llvm::SmallVector<llvm::StringRef>>
      findings;
  for (const json::Value &value : *function.getArray("lint")) {
    const json::Object &finding = *value.getAsObject();
    findings[{*finding.getString("kind"), *finding.getString("message")}]
        .push_back(*finding.getString("parameter"));
  }
  for (auto &[what, parameters] : findings) {
    os << "lint " << what.first << ": " << parameters.front();
    if (parameters.size() > 1)
      os << " and " << parameters.size() - 1 << " more";
    os << ": " << what.second << "\n";
  }
}

std::string skew::formatReport(const json::Value &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const json::Object &root = *report.getAsObject();
  os << *root.getString("tool") << ", policy " << *root.getString("policy")
     << ", " << *root.getString("input") << "\n";
  const json::Array &functions = *root.getArray("functions");
  int64_t raised = 0;
  for (const json::Value &function : functions)
    raised +=
        *function.getAsObject()->getObject("totals")->getInteger("raised");
  if (raised == 0)
    os << "0 updates found\n";
  for (const json::Value &function : functions)
    printFunction(*function.getAsObject(), os);
  return text;
}
