// A call's arguments: a file that is mapped, of 64-bit words and the bytes that some of them point to. Who
// writes it is call.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace unfold {

template <typename To, typename From>
inline To Bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

struct Words {
  const int64_t* words = nullptr;
  const char* bytes = nullptr;
  std::size_t count = 0, at = 0;

  int64_t Next() {
    if (at >= count) throw std::out_of_range("the call has fewer arguments than the kernel takes");
    return words[at++];
  }
};

// Readers of one argument, and of several behind their number.
template <typename From, typename Read>
auto Several(From& from, Read one) {
  std::vector<decltype(one(from))> values;
  for (int64_t left = from.Next(); left > 0; --left) values.push_back(one(from));
  return values;
}

template <typename T>
T Whole(Words& from) {
  return static_cast<T>(from.Next());
}

template <typename T>
T Real(Words& from) {
  return static_cast<T>(Bits<double>(from.Next()));
}

inline std::string Text(Words& from) {
  const int64_t at = from.Next(), bytes = from.Next();
  return std::string(from.bytes + at, static_cast<std::size_t>(bytes));
}

}  // namespace unfold
