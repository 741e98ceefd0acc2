//===- skew-fuzz.cpp - mutants of graphs, plans, rules and pipelines ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs mutants in process. A parent, which never touches MLIR, forks a child
// for a stretch of indices; a child that dies names its mutant by the index in
// shared memory, is replaced, and the run goes on. A mutant depends on nothing
// but the seeds, the seed number and its index. See utils/fuzz.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "Runner.h"
#include "Seeds.h"
#include "TextMutator.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/InitAll.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Target/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::fuzz;
namespace cl = llvm::cl;

static cl::opt<std::string> seedFolder("seeds", cl::Required,
                                       cl::desc("folder of *.mlir"));
static cl::opt<std::string> outFolder("out", cl::init("fuzz-out"),
                                      cl::desc("folder for state and findings"));
static cl::opt<uint64_t> seedNumber("seed", cl::init(1),
                                    cl::desc("seed of all mutants"));
static cl::opt<uint64_t> firstIndex("from", cl::init(0),
                                    cl::desc("first index"));
static cl::opt<uint64_t> numMutants("count", cl::init(1000),
                                    cl::desc("indices to run"));
static cl::opt<bool> whole("whole", cl::desc("mutants of whole graphs"));
static cl::opt<bool> resume("resume", cl::desc("go on where the state file is"));
static cl::opt<int64_t> onlyIndex("only", cl::init(-1),
                                  cl::desc("run one index, without a child"));
static cl::opt<bool> printMutant("print", cl::desc("with --only: print the "
                                                   "mutant, do not run it"));
static cl::opt<unsigned> cpuLimit("cpu-limit", cl::init(20),
                                  cl::desc("seconds of CPU time a mutant may "
                                           "take before it counts as a hang"));
static cl::opt<std::string> collectInto(
    "collect", cl::desc("write the smallest form of each mutant that showed "
                        "something new to this folder; runs nothing"));
static cl::opt<std::string> replayFolder(
    "replay", cl::desc("run every file of this folder; runs no mutants"));

/// The packaged libMLIR is not instrumented: see SKEW_ASAN_OPTIONS.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:"
         "max_allocation_size_mb=4000:hard_rss_limit_mb=8000:"
         "malloc_context_size=6:quarantine_size_mb=8";
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

namespace {

enum class Kind { Graph, Text, Bytecode, Plan, Rules, Pipeline };
constexpr unsigned kNumKinds = 6;
constexpr StringLiteral kKindNames[] = {"graph", "text",  "bytecode",
                                        "plan",  "rules", "pipeline"};
constexpr StringLiteral kKindSuffixes[] = {".mlir", ".mlir", ".mlirbc",
                                           ".plan.json", ".rules.json",
                                           ".pipeline"};

struct Mutant {
  Kind kind;
  std::string seedName;
  OwningOpRef<ModuleOp> module;
  std::string text;
  /// Mutations that were applied, for graphs.
  std::vector<std::string> steps;
};

struct Shared {
  uint64_t current;
  uint64_t verdicts[kNumVerdicts];
  uint64_t kinds[kNumKinds];
  uint64_t unequal;
  /// Deaths inside MLIR's bytecode reader, without a function of ours on the
  /// stack.
  uint64_t readerDeaths;
  /// MLIR's own readers are at work.
  bool reading;
};

/// A context, its seeds, and what runs mutants of them.
class Session {
public:
  Session();
  Mutant make(uint64_t index, uint64_t mask = ~0ull);
  Outcome run(Mutant &mutant, uint64_t index);
  Outcome replay(StringRef path);
  bool empty() const { return graphs.empty(); }
  void tellReading(bool &flag) { runner->reading = &flag; }

private:
  Seed &pickGraph(Random &random);
  Outcome runFile(StringRef option, StringRef contents, ModuleOp module);

  MLIRContext context;
  std::vector<Seed> seeds;
  std::vector<Seed *> graphs;
  std::unique_ptr<Runner> runner;
  /// What plans and rules are tried on, raised and with roles; and its plan.
  ModuleOp planned;
  OwningOpRef<ModuleOp> plannedRaised;
  std::string plan;
  bool hasLargest = false;
};

} // namespace

static const DialectRegistry &getRegistry() {
  static DialectRegistry *registry = [] {
    auto *made = new DialectRegistry;
    skew::registerAllDialects(*made);
    return made;
  }();
  return *registry;
}

Session::Session()
    : context(getRegistry(), MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  seeds = readSeeds(seedFolder, whole, context);
  for (Seed &seed : seeds)
    if (seed.module || !seed.path.empty())
      graphs.push_back(&seed);
  if (graphs.empty())
    return;
  runner = std::make_unique<Runner>(context);
  hasLargest = llvm::any_of(graphs, [](Seed *seed) {
    return StringRef(seed->name).starts_with("graph-");
  });

  // Plans are tried on the first seed in which something is raised.
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  for (Seed *seed : graphs) {
    if (!seed->load(context))
      continue;
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>((*seed->module)->clone()));
    PassManager raise(&context);
    if (failed(parsePassPipeline("skew-raise,skew-annotate-roles", raise)) ||
        failed(raise.run(*copy)))
      continue;
    bool any = false;
    copy->walk([&](UpdateOpInterface) { any = true; });
    if (!any)
      continue;
    planned = *seed->module;
    plannedRaised = OwningOpRef<ModuleOp>(cast<ModuleOp>((*copy)->clone()));
    PassManager place(&context);
    if (succeeded(parsePassPipeline("skew-place-state{policy=paper},"
                                    "skew-rewrite-updates,skew-record-outputs",
                                    place)) &&
        succeeded(place.run(*copy)))
      plan = takeRecordedOutput(*copy, SkewDialect::kPlanAttr);
    break;
  }
}

/// One that parses. Every third of the whole graphs is one of test/Inputs/graphs,
/// which are ten times as large as the rest.
Seed &Session::pickGraph(Random &random) {
  bool wantsLargest = whole && hasLargest && random.oneIn(3);
  while (true) {
    Seed &seed = *random.pick(graphs);
    bool isLargest = StringRef(seed.name).starts_with("graph-");
    if (isLargest == wantsLargest && seed.load(context))
      return seed;
  }
}

Mutant Session::make(uint64_t index, uint64_t mask) {
  Random random(mix(mix(seedNumber, whole ? 77 : 7), index));
  uint64_t choice = random.below(1000);
  Mutant mutant;
  mutant.kind = choice < (whole ? 950 : 800) ? Kind::Graph
                : choice < (whole ? 980 : 880) ? Kind::Text
                : choice < 930               ? Kind::Bytecode
                : choice < 960               ? Kind::Plan
                : choice < 980               ? Kind::Rules
                                             : Kind::Pipeline;
  if (whole && choice >= 980)
    mutant.kind = Kind::Bytecode;
  // Text of no known form is mutated too, now and then.
  Seed &seed = mutant.kind == Kind::Text ? random.pick(seeds) : pickGraph(random);
  seed.load(context);
  mutant.seedName = seed.name;
  switch (mutant.kind) {
  case Kind::Graph: {
    mutant.module = OwningOpRef<ModuleOp>(cast<ModuleOp>((*seed.module)->clone()));
    unsigned count = 1;
    while (count < 5 && random.oneIn(2))
      ++count;
    for (unsigned n = 0; n < count; ++n) {
      uint64_t stepSeed = random.next();
      if (!(mask >> n & 1))
        continue;
      Mutator mutator(*mutant.module, stepSeed);
      if (StringRef step = mutator.mutate(); !step.empty())
        mutant.steps.push_back(step.str());
    }
    break;
  }
  case Kind::Text:
    mutant.text = seed.text;
    mutateBytes(mutant.text, random);
    break;
  case Kind::Bytecode: {
    llvm::raw_string_ostream os(mutant.text);
    if (succeeded(writeBytecodeToFile(*seed.module, os)))
      mutateBytes(mutant.text, random);
    break;
  }
  case Kind::Plan:
    mutant.text = plan;
    mutateJson(mutant.text, random);
    break;
  case Kind::Rules:
    mutant.text = makeRules(random);
    break;
  case Kind::Pipeline:
    mutant.text = makePipeline(random);
    break;
  }
  return mutant;
}

static void writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << contents;
}

Outcome Session::runFile(StringRef option, StringRef contents,
                         ModuleOp module) {
  if (!module)
    return Outcome();
  writeFile("mutant.json", contents);
  std::string pipeline =
      option == "plan"
          ? "builtin.module(skew-place-state{plan=mutant.json},skew-rewrite-"
            "updates,skew-detect-hazards,skew-record-outputs,skew-decompose-"
            "updates,convert-skew-to-stablehlo,skew-strip)"
          : "builtin.module(skew-annotate-roles{roles=mutant.json},skew-place-"
            "state,skew-rewrite-updates,skew-record-outputs)";
  return runner->runPipeline(pipeline, module);
}

Outcome Session::run(Mutant &mutant, uint64_t index) {
  switch (mutant.kind) {
  case Kind::Graph:
    return runner->runModule(*mutant.module, mix(seedNumber, index), whole);
  case Kind::Text:
  case Kind::Bytecode:
    return runner->runText(mutant.text, mix(seedNumber, index), whole);
  case Kind::Plan:
    return runFile("plan", mutant.text, *plannedRaised);
  case Kind::Rules:
    return runFile("roles", mutant.text, *plannedRaised);
  case Kind::Pipeline:
    return runner->runPipeline(mutant.text, planned);
  }
  return Outcome();
}

Outcome Session::replay(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return Outcome();
  StringRef contents = (*buffer)->getBuffer();
  if (path.ends_with(".plan.json"))
    return runFile("plan", contents, *plannedRaised);
  if (path.ends_with(".rules.json"))
    return runFile("roles", contents, *plannedRaised);
  if (path.ends_with(".pipeline"))
    return runner->runPipeline(contents, planned);
  return runner->runText(contents, hashText(contents), false);
}

static std::string toText(Mutant &mutant) {
  if (mutant.kind != Kind::Graph)
    return mutant.text;
  std::string text;
  llvm::raw_string_ostream os(text);
  mutant.module->print(os, OpPrintingFlags().printGenericOpForm());
  os << "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

/// A message without what varies: numbers and quoted names.
static std::string normalize(StringRef message) {
  std::string text;
  bool quoted = false;
  for (char c : message) {
    if (c == '\'' || c == '"') {
      quoted = !quoted;
      text += '\'';
    } else if (!quoted && llvm::isDigit(c)) {
      if (text.empty() || text.back() != '9')
        text += '9';
    } else if (!quoted && c != '\n') {
      text += c;
    }
    if (text.size() > 160)
      break;
  }
  return text;
}

/// What a run showed, as keys that are collected once.
static std::vector<std::string> getKeys(const Mutant &mutant,
                                        const Outcome &outcome) {
  std::vector<std::string> keys;
  std::string kind = kKindNames[unsigned(mutant.kind)].str();
  // What only the parser says is MLIR's own.
  bool parsed = mutant.kind != Kind::Text && mutant.kind != Kind::Bytecode;
  for (const std::string &message : outcome.messages)
    if (parsed && !StringRef(message).starts_with("raised: "))
      keys.push_back(kind + " " + normalize(message));
  if (mutant.kind == Kind::Graph && mutant.steps.size() == 1)
    for (const std::string &message : outcome.messages)
      if (StringRef(message).starts_with("raised: "))
        keys.push_back(message + " after " + mutant.steps[0]);
  return keys;
}

static std::string inOut(const llvm::Twine &name) {
  return (outFolder + "/" + name).str();
}

/// Plans, rules and whatever a pipeline writes lie in a folder of their own.
static bool enterScratch() {
  std::string folder = inOut("scratch");
  return !llvm::sys::fs::create_directories(folder) &&
         chdir(folder.c_str()) == 0;
}

static void appendLine(StringRef name, const llvm::Twine &line) {
  std::error_code error;
  llvm::raw_fd_ostream os(inOut(name), error, llvm::sys::fs::OF_Append);
  os << line << "\n";
}

static llvm::StringMap<uint64_t> readEvents() {
  llvm::StringMap<uint64_t> events;
  auto buffer = llvm::MemoryBuffer::getFile(inOut("events.log"));
  if (!buffer)
    return events;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [index, key] = line.split('\t');
    uint64_t number;
    if (!index.getAsInteger(10, number))
      events.try_emplace(key, number);
  }
  return events;
}

//===----------------------------------------------------------------------===//
// Child
//===----------------------------------------------------------------------===//

static void setTimer(unsigned seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// The packaged bytecode reader does not survive every broken file, and may
/// spoil the heap before it dies: it works in a process of its own. Dies itself
/// if the death was not the reader's.
static Outcome runIsolated(Session &session, Mutant &mutant, uint64_t index,
                           Shared &shared) {
  off_t logged = lseek(2, 0, SEEK_CUR);
  pid_t child = fork();
  if (child == 0) {
    setTimer(cpuLimit);
    Outcome outcome = session.run(mutant, index);
    _exit(10 + int(outcome.verdict));
  }
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome;
  if (WIFEXITED(status) && WEXITSTATUS(status) >= 10) {
    outcome.verdict = Verdict(WEXITSTATUS(status) - 10);
    return outcome;
  }
  auto log = llvm::MemoryBuffer::getFile(inOut("stderr.log"));
  StringRef report = log ? (*log)->getBuffer() : "";
  bool ours = !shared.reading;
  SmallVector<StringRef> lines;
  report.drop_front(std::min<size_t>(std::max<off_t>(logged, 0), report.size()))
      .split(lines, '\n');
  for (StringRef line : lines)
    ours |= line.contains("mlir::skew::") && !line.contains("mlir::skew::fuzz::");
  if (ours)
    _exit(17);
  ++shared.readerDeaths;
  shared.reading = false;
  return outcome;
}

/// Runs [from, to). CPU time, not wall time, tells a hang: others share the
/// machine.
static int runChild(uint64_t from, uint64_t to, Shared &shared) {
  // A reason to die that has nothing to do with a mutant must not look like it.
  shared.current = from;
  Session session;
  if (session.empty()) {
    llvm::errs() << "error: no seeds in '" << seedFolder << "'\n";
    return 2;
  }
  shared.reading = false;
  session.tellReading(shared.reading);
  llvm::StringMap<uint64_t> events = readEvents();
  if (!enterScratch())
    return 2;
  for (uint64_t index = from; index < to; ++index) {
    shared.current = index;
    setTimer(cpuLimit);
    Mutant mutant = session.make(index);
    Outcome outcome = mutant.kind == Kind::Bytecode
                          ? runIsolated(session, mutant, index, shared)
                          : session.run(mutant, index);
    setTimer(0);
    ++shared.kinds[unsigned(mutant.kind)];
    ++shared.verdicts[unsigned(outcome.verdict)];
    if (outcome.verdict == Verdict::Unequal) {
      ++shared.unequal;
      std::string steps = llvm::join(mutant.steps, ",");
      appendLine("failures.log", llvm::Twine(index) + "\tunequal\t" +
                                     mutant.seedName + "\t" + steps + "\t" +
                                     outcome.detail);
      writeFile(inOut("failures/" + llvm::Twine(index) + ".unequal.mlir"),
                toText(mutant));
    }
    for (const std::string &key : getKeys(mutant, outcome))
      if (events.try_emplace(key, index).second)
        appendLine("events.log", llvm::Twine(index) + "\t" + key);
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Parent
//===----------------------------------------------------------------------===//

namespace {
struct State {
  uint64_t next = 0, failures = 0;
  Shared shared = {};
};
} // namespace

static void saveState(const State &state) {
  llvm::json::Object kinds, verdicts;
  for (unsigned i = 0; i < kNumKinds; ++i)
    kinds[kKindNames[i]] = state.shared.kinds[i];
  for (unsigned i = 0; i < kNumVerdicts; ++i)
    verdicts[stringify(Verdict(i))] = state.shared.verdicts[i];
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(llvm::json::Object{
             {"seed", uint64_t(seedNumber)},
             {"next", state.next},
             {"failures", state.failures},
             {"readerDeaths", state.shared.readerDeaths},
             {"unequal", state.shared.unequal},
             {"kinds", std::move(kinds)},
             {"verdicts", std::move(verdicts)}})
      << "\n";
  // Whole or not at all: an interrupted run is resumed from it.
  writeFile(inOut("state.new"), text);
  llvm::sys::fs::rename(inOut("state.new"), inOut("state.json"));
}

static bool loadState(State &state) {
  auto buffer = llvm::MemoryBuffer::getFile(inOut("state.json"));
  if (!buffer)
    return false;
  auto parsed = llvm::json::parse((*buffer)->getBuffer());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return false;
  }
  const llvm::json::Object &root = *parsed->getAsObject();
  auto number = [](const llvm::json::Object *object, StringRef key) {
    return uint64_t(object ? object->getInteger(key).value_or(0) : 0);
  };
  if (number(&root, "seed") != seedNumber)
    return false;
  state.next = number(&root, "next");
  state.failures = number(&root, "failures");
  state.shared.readerDeaths = number(&root, "readerDeaths");
  state.shared.unequal = number(&root, "unequal");
  for (unsigned i = 0; i < kNumKinds; ++i)
    state.shared.kinds[i] = number(root.getObject("kinds"), kKindNames[i]);
  for (unsigned i = 0; i < kNumVerdicts; ++i)
    state.shared.verdicts[i] =
        number(root.getObject("verdicts"), stringify(Verdict(i)));
  return true;
}

/// Runs `body` in a child whose standard error goes to `log`; its wait status.
/// Calls `meanwhile` every few seconds.
static int inChild(StringRef log, llvm::function_ref<int()> body,
                   llvm::function_ref<void()> meanwhile = {}) {
  pid_t child = fork();
  if (child == 0) {
    int file = open(inOut(log).c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    dup2(file, 2);
    dup2(file, 1);
    int code = body();
    llvm::errs().flush();
    _exit(code);
  }
  int status = 0;
  for (unsigned n = 1; waitpid(child, &status, meanwhile ? WNOHANG : 0) == 0;
       ++n) {
    usleep(50000);
    if (n % 100 == 0)
      meanwhile();
  }
  return status;
}

static void reportDeath(int status, uint64_t index) {
  std::string what = !WIFSIGNALED(status)
                         ? "exit " + std::to_string(WEXITSTATUS(status))
                     : WTERMSIG(status) == SIGPROF
                         ? "hang"
                         : "signal " + std::to_string(WTERMSIG(status));
  llvm::sys::fs::rename(inOut("stderr.log"),
                        inOut("failures/" + llvm::Twine(index) + ".stderr"));
  std::string name;
  // Making a mutant can die as well, hence another child.
  inChild("print.log", [&]() {
    Session session;
    setTimer(cpuLimit);
    Mutant mutant = session.make(index);
    writeFile(inOut("failures/" + llvm::Twine(index) +
                    kKindSuffixes[unsigned(mutant.kind)]),
              toText(mutant));
    return 0;
  });
  appendLine("failures.log", llvm::Twine(index) + "\t" + what);
  llvm::outs() << "mutant " << index << ": " << what
               << "; reproduce: skew-fuzz --seeds=" << seedFolder
               << " --seed=" << seedNumber << (whole ? " --whole" : "")
               << " --only=" << index << "\n";
}

static int runParent() {
  State state;
  state.next = firstIndex;
  uint64_t end = firstIndex + numMutants;
  if (resume && loadState(state))
    llvm::outs() << "resuming at " << state.next << "\n";
  for (StringRef folder : {"failures", "scratch"})
    if (std::error_code error =
            llvm::sys::fs::create_directories(inOut(folder))) {
      llvm::errs() << "error: cannot make '" << inOut(folder)
                   << "': " << error.message() << "\n";
      return 2;
    }
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return 2;
  Shared &shared = *new (memory) Shared(state.shared);
  // A context keeps every attribute that it has seen: it is given up at times.
  uint64_t stretch = whole ? 300 : 1500;
  while (state.next < end) {
    uint64_t to = std::min(end, state.next + stretch);
    uint64_t from = state.next;
    int status = inChild(
        "stderr.log", [&]() { return runChild(from, to, shared); },
        [&]() {
          state.next = shared.current;
          state.shared = shared;
          saveState(state);
        });
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      state.next = to;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
      auto log = llvm::MemoryBuffer::getFile(inOut("stderr.log"));
      llvm::errs() << (log ? (*log)->getBuffer() : "error: a child failed\n");
      return 2;
    } else {
      ++state.failures;
      reportDeath(status, shared.current);
      state.next = shared.current + 1;
    }
    state.shared = shared;
    saveState(state);
  }
  uint64_t total = 0;
  llvm::outs() << "mutants:";
  for (unsigned i = 0; i < kNumKinds; ++i) {
    llvm::outs() << " " << kKindNames[i] << " " << shared.kinds[i];
    total += shared.kinds[i];
  }
  llvm::outs() << "\nverdicts:";
  for (unsigned i = 0; i < kNumVerdicts; ++i)
    llvm::outs() << " " << stringify(Verdict(i)) << " " << shared.verdicts[i];
  llvm::outs() << "\n"
               << total << " mutants, " << state.failures << " deaths or hangs, "
               << shared.readerDeaths << " deaths in MLIR's bytecode reader, "
               << shared.unequal << " unequal\n";
  return state.failures || shared.unequal ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// Other modes
//===----------------------------------------------------------------------===//

static int runOnly() {
  Session session;
  if (session.empty())
    return 2;
  Mutant mutant = session.make(onlyIndex);
  if (printMutant) {
    llvm::outs() << toText(mutant);
    return 0;
  }
  if (!enterScratch())
    return 2;
  llvm::errs() << kKindNames[unsigned(mutant.kind)] << " of " << mutant.seedName
               << ": " << llvm::join(mutant.steps, ", ") << "\n";
  Outcome outcome = session.run(mutant, onlyIndex);
  for (const std::string &message : outcome.messages)
    llvm::outs() << "  " << StringRef(message).take_front(300) << "\n";
  llvm::outs() << stringify(outcome.verdict) << " " << outcome.detail << "\n";
  return outcome.verdict == Verdict::Unequal;
}

/// The fewest mutations that still show `key`.
static Mutant minimize(Session &session, uint64_t index, StringRef key) {
  Mutant best = session.make(index);
  if (best.kind != Kind::Graph)
    return best;
  for (unsigned step = 0; step < 5; ++step) {
    Mutant one = session.make(index, 1ull << step);
    if (one.steps.empty())
      continue;
    Outcome outcome = session.run(one, index);
    if (llvm::is_contained(getKeys(one, outcome), key))
      return one;
  }
  return best;
}

static int collect() {
  Session session;
  llvm::StringMap<uint64_t> events = readEvents();
  std::map<uint64_t, std::string> byIndex;
  for (const auto &event : events)
    byIndex.try_emplace(event.second, event.first().str());
  if (llvm::sys::fs::create_directories(collectInto) || !enterScratch())
    return 2;
  for (const auto &[index, key] : byIndex) {
    Mutant mutant = minimize(session, index, key);
    writeFile((collectInto + "/" + llvm::Twine(index) +
               kKindSuffixes[unsigned(mutant.kind)])
                  .str(),
              toText(mutant));
  }
  llvm::outs() << byIndex.size() << " mutants collected\n";
  return 0;
}

static int replay() {
  Session session;
  if (session.empty() || !enterScratch())
    return 2;
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(replayFolder, error), end;
       it != end && !error; it.increment(error))
    paths.push_back(it->path());
  llvm::sort(paths);
  uint64_t verdicts[kNumVerdicts] = {};
  for (const std::string &path : paths) {
    setTimer(cpuLimit);
    Outcome outcome = session.replay(path);
    setTimer(0);
    ++verdicts[unsigned(outcome.verdict)];
    if (outcome.verdict == Verdict::Unequal)
      llvm::outs() << path << ": unequal: " << outcome.detail << "\n";
  }
  llvm::outs() << paths.size() << " replayed:";
  for (unsigned i = 0; i < kNumVerdicts; ++i)
    llvm::outs() << " " << stringify(Verdict(i)) << " " << verdicts[i];
  llvm::outs() << "\n";
  return paths.empty() || verdicts[unsigned(Verdict::Unequal)] != 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "runs mutants of graphs\n");
  static skew::SkewOutputOptions outputs;
  skew::registerAllPasses();
  skew::registerSkewPipelines(outputs);
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  // Children work in a folder of their own.
  for (cl::opt<std::string> *path :
       {&seedFolder, &outFolder, &replayFolder, &collectInto}) {
    if (path->empty())
      continue;
    llvm::SmallString<128> absolute(path->getValue());
    llvm::sys::fs::make_absolute(absolute);
    path->setValue(std::string(absolute));
  }
  if (onlyIndex >= 0)
    return runOnly();
  if (!collectInto.empty())
    return collect();
  if (!replayFolder.empty())
    return replay();
  return runParent();
}
