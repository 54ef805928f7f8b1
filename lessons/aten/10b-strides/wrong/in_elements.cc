#define STRIDE_BYTES(size, wanted, stride, itemsize) ((size) == 1 && (wanted) != 1 ? 0 : (stride))
#define MERGES(size, inner, outer) ((size) * (inner) == (outer))

// b: Int[3, 1], repeated to [2, 3, 4].
int b[] = {0, STRIDE_BYTES(3, 3, 1, 4), STRIDE_BYTES(1, 4, 1, 4)};
int as_one = MERGES(4, 4, 16);
