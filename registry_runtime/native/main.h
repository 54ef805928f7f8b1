// main(): a call read from a file, run, timed, and what it left written to another.
//
// It stands behind a runtime, that of `phi/runtime.h` or `paddle/main.cc`, whose `unfold::Launch` finds the
// kernel and runs it in `Timed`. Its exit codes: 0, done; 3, an exception left
// the kernel, which is told on stderr; 4, no kernel of that name, backend and type; 5, the file can't be
// read or written. A signal is told on stderr too, `UNFOLD 11` and the addresses that led to it: whoever
// started us looks them up.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

namespace unfold {

struct Asked {
  int64_t new_runs = 0, same_runs = 0;
  const char* result = nullptr;
};

inline Asked& Wanted() {
  static Asked asked;
  return asked;
}

// --- What it left ------------------------------------------------------------------------------

inline void Write(std::FILE* to, const void* from, std::size_t bytes) {
  if (bytes && std::fwrite(from, 1, bytes, to) != bytes) std::_Exit(5);
}

inline void Write(std::FILE* to, int64_t word) { Write(to, &word, sizeof word); }

inline double Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline void WriteOutputs(std::FILE* to, const Call& call) {
  Write(to, static_cast<int64_t>(call.outputs.size()));
  for (const phi::DenseTensor& out : call.outputs) {
    const void* data = phi::TensorOfACall::Data(out);
    Write(to, static_cast<int64_t>(out.dtype()));
    Write(to, data != nullptr || (out.numel() == 0 && out.dtype() != phi::DataType::UNDEFINED));
    const std::vector<int64_t> dims = phi::TensorOfACall::Dims(out);
    Write(to, static_cast<int64_t>(dims.size()));
    for (int64_t dim : dims) Write(to, dim);
    const std::size_t bytes = static_cast<std::size_t>(out.numel()) * ElementSize(out.dtype());
    if (data != nullptr) Write(to, data, bytes);
    const char none[8] = {};
    if (data != nullptr) Write(to, none, (8 - bytes % 8) % 8);
  }
}

// The seconds of so many calls, one after the other: into memory that each call before gave back, or
// into the same.
template <typename Launch>
double Batch(Call& call, Launch launch, bool fresh, int64_t count, std::size_t kept) {
  const double begin = Now();
  for (int64_t i = 0; i < count; ++i) {
    for (std::size_t out = 0; fresh && out < call.outputs.size(); ++out) {
      if (call.same_as[out] < 0) phi::TensorOfACall::Forget(&call.outputs[out]);
    }
    launch();
    phi::TensorOfACall::GiveBack(kept);
  }
  return Now() - begin;
}

template <typename Launch>
void Timed(Call& call, Launch launch) {
  Asked& asked = Wanted();
  try {
    launch();
  } catch (const NoDims&) {  // which output's, its dims tell
    asked.new_runs = asked.same_runs = 0;
  }
  std::FILE* to = std::fopen(asked.result, "wb");
  if (to == nullptr) std::_Exit(5);
  WriteOutputs(to, call);
  const std::size_t kept = phi::TensorOfACall::Blocks();
  std::vector<std::vector<double>> seconds(2);
  for (bool fresh : {false, true}) {
    const int64_t rounds = fresh ? asked.new_runs : asked.same_runs;
    if (rounds == 0) continue;
    // A clock can't tell one call that is short: as many as take a while. One that is long is called
    // for some seconds.
    int64_t count = 1;
    while (count < 1 << 20 && Batch(call, launch, fresh, count, kept) < 50e-6) count *= 2;
    const double end = Now() + 3;
    for (int64_t round = 0; round < rounds && (round == 0 || Now() < end); ++round) {
      const double taken = Batch(call, launch, fresh, count, kept);
      seconds[fresh].push_back(taken / static_cast<double>(count));
    }
  }
  for (const std::vector<double>& each : seconds) {
    Write(to, static_cast<int64_t>(each.size()));
    for (double one : each) Write(to, Bits<int64_t>(one));
  }
  if (std::fclose(to) != 0) std::_Exit(5);
}

// --- Signals -----------------------------------------------------------------------------------

// Only what may be called in a handler: no printf.
inline void Say(const char* text) {
  if (write(2, text, std::strlen(text)) < 0) return;
}

inline void SayNumber(uintptr_t number) {
  char text[2 * sizeof number + 2] = {};
  char* at = text + sizeof text - 1;
  do {
    *--at = "0123456789abcdef"[number % 16];
    number /= 16;
  } while (number);
  Say(" ");
  Say(at);
}

inline void OnSignal(int number, siginfo_t*, void* context) {
  Say("\nUNFOLD");
  SayNumber(static_cast<uintptr_t>(number));
#if defined(__x86_64__) && defined(__linux__)
  SayNumber(static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]));
#elif defined(__aarch64__) && defined(__linux__)
  SayNumber(static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.pc));
#else
  (void)context;
  SayNumber(0);
#endif
  void* frames[64];
  const int count = backtrace(frames, 64);
  for (int i = 0; i < count; ++i) SayNumber(reinterpret_cast<uintptr_t>(frames[i]) - 1);
  Say("\n");
  signal(number, SIG_DFL);
  raise(number);
}

inline void CatchSignals(long seconds) {
#ifndef UNFOLD_SANITIZED
  void* first[1];
  backtrace(first, 1);  // loads what it needs, which a handler may not
  static char stack[1 << 16];  // that of a kernel which recurses without end is full
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) sigaction(number, &action, nullptr);
#endif
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// --- The call ----------------------------------------------------------------------------------

inline int Run(char** words) {
  const std::string name = words[1], backend = words[2];
  const auto dtype = static_cast<phi::DataType>(std::atoi(words[3]));
  const int file = open(words[4], O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) return 5;
  const auto size = static_cast<std::size_t>(about.st_size);
  void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (mapped == MAP_FAILED) return 5;
  Call call;
  call.words = static_cast<const int64_t*>(mapped);
  call.bytes = static_cast<const char*>(mapped);
  call.count = size / sizeof(int64_t);
  Wanted().same_runs = call.Next();
  Wanted().new_runs = call.Next();
  Wanted().result = words[5];
  return Launch(call, name, backend, dtype) ? 0 : 4;
}

}  // namespace unfold

// Calls: NAME BACKEND DTYPE ARGUMENTS RESULT SECONDS
int main(int count, char** words) {
  if (count != 7) return 5;
  unfold::CatchSignals(std::atol(words[6]));
  try {
    return unfold::Run(words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "\nUNFOLD threw %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "\nUNFOLD threw something that is no std::exception\n");
  }
  return 3;
}
