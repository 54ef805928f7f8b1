"""Why two vectors at a time? `python tests/benchmarks/vectors_at_a_time.py`.

PyTorch's `vectorized_loop` takes two vectors in each turn. Here the same loop is written with one, two
and four of them, and with one of twice the length, in C++ with the compiler's vector types; g++ and
clang++ build it as PyTorch's build does (-O3). Printed is how much longer each takes than the loop with
two, for arrays that fit into the first cache, into the second, and into neither; and what a row of 31
floats costs beside one of 32, since what is left over goes one by one.

What came of it on an AMD EPYC server (AVX-512, g++ 12, clang 14) is told in lesson aten/12.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

template <int bytes>
struct Vec {
  typedef float type __attribute__((vector_size(bytes)));
};

struct Add {
  template <class V>
  V operator()(V self, V other) const { return self + 2.0f * other; }
};

struct Long {
  template <class V>
  V operator()(V self, V other) const {
    V result = self;
    for (int i = 0; i < 16; i++) result = result * other + self;
    return result;
  }
};

template <int vectors, int bytes, class F>
__attribute__((noinline)) void vectorized_loop(
    float* __restrict out, const float* __restrict a, const float* __restrict b, long n, F f) {
  typedef typename Vec<bytes>::type V;
  constexpr int size = bytes / sizeof(float);
  long i = 0;
  for (; i <= n - vectors * size; i += vectors * size) {
    V result[vectors];
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++) {
      V x, y;
      memcpy(&x, a + i + k * size, bytes);
      memcpy(&y, b + i + k * size, bytes);
      result[k] = f(x, y);
    }
#pragma GCC unroll 4
    for (int k = 0; k < vectors; k++) memcpy(out + i + k * size, &result[k], bytes);
  }
  for (; i < n; i++) {
    out[i] = f(a[i], b[i]);
    asm volatile("" ::: "memory");  // one by one, whatever the compiler would rather do
  }
}

constexpr long GAP = 48;  // so that no two arrays lie a multiple of 4096 bytes apart

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

template <int vectors, int bytes, class F>
double once(std::vector<float>& memory, long n, long rows) {
  float* out = memory.data();
  double start = now();
  for (long row = 0; row < rows; row++) {
    vectorized_loop<vectors, bytes, F>(out, out + n + GAP, out + 2 * (n + GAP), n, F());
    asm volatile("" ::: "memory");
  }
  return (now() - start) / rows / n;
}

template <class F>
void measure(const char* name) {
  for (long n : {1024L, 16384L, 4000000L}) {
    long rows = std::max(1L, 20000000 / n);
    std::vector<float> memory(3 * (n + GAP), 0.5f);
    double best[4] = {1, 1, 1, 1};
    for (int turn = 0; turn < 15; turn++) {
      best[0] = std::min(best[0], once<1, WIDTH, F>(memory, n, rows));
      best[1] = std::min(best[1], once<2, WIDTH, F>(memory, n, rows));
      best[2] = std::min(best[2], once<4, WIDTH, F>(memory, n, rows));
      best[3] = std::min(best[3], once<1, 2 * WIDTH, F>(memory, n, rows));
    }
    std::printf("  %s, %7ld floats: one %.2f  two 1.00  four %.2f  one of twice the length %.2f\n",
        name, n, best[0] / best[1], best[2] / best[1], best[3] / best[1]);
  }
  std::vector<float> memory(3 * (32 + GAP), 0.5f);
  double row[2] = {1, 1};
  for (int turn = 0; turn < 15; turn++)
    for (int k = 0; k < 2; k++)
      row[k] = std::min(row[k], once<2, WIDTH, F>(memory, 31 + k, 400000) * (31 + k));
  std::printf("  %s, a row of 31 beside one of 32: %.1f\n", name, row[0] / row[1]);
}

int main() {
  measure<Add>("add");
  measure<Long>("sixteen steps");
}
"""
TARGETS = {
    "AVX2": ["-mavx2", "-mfma", "-DWIDTH=32"],
    "AVX512": ["-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mfma", "-DWIDTH=64"],
}


def build(compiler: str, target: str, folder: Path) -> Path:
    """The program, compiled. Raises CalledProcessError."""
    source, program = folder / "loops.cc", folder / f"{compiler}-{target}"
    source.write_text(PROGRAM)
    flags = ["-std=c++20", "-O3", "-Wno-psabi", *TARGETS[target]]
    subprocess.run([compiler, *flags, str(source), "-o", str(program)], check=True)
    return program


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for compiler in filter(shutil.which, ("g++", "clang++")):
            for target in TARGETS:
                print(f"{compiler}, {target}, times of the loop with two vectors:")
                subprocess.run([build(compiler, target, Path(folder))], check=False)


if __name__ == "__main__":
    main()
