// The loop that goes through one row; shortened.
#define C10_RESTRICT __restrict

template <class T, class Vec, class Op, class VOp>
void vectorized_loop(
    T* C10_RESTRICT out, const T* a, const T* b,
    long n, int S, Op op, VOp vop) {
  // An input with the stride 0, as a vector.
  Vec all(S == 1 ? *a : S == 2 ? *b : T(0));
  long size = Vec::size(), i = 0;
  for (; i <= n - 2 * size; i += 2 * size) {
    long j = i + size;
    Vec a1 = S == 1 ? all : Vec::loadu(a + i);
    Vec b1 = S == 2 ? all : Vec::loadu(b + i);
    Vec a2 = S == 1 ? all : Vec::loadu(a + j);
    Vec b2 = S == 2 ? all : Vec::loadu(b + j);
    Vec out1 = vop(a1, b1);
    Vec out2 = vop(a2, b2);
    out1.store(out + i);
    out2.store(out + j);
  }
  for (; i < n; i++) {
    const T& one = S == 1 ? *a : a[i];
    const T& other = S == 2 ? *b : b[i];
    out[i] = op(one, other);
  }
}
