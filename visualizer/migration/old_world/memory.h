// Paddle's framework gives its libraries memory through a table, and here there is no framework.
#pragma once
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "paddle/phi/common/memory_utils.h"

namespace unfold {

inline std::shared_ptr<phi::Allocation> NewShared(const phi::Place& place, std::size_t bytes) {
  void* block = std::malloc(bytes ? bytes : 1);
  if (block == nullptr) throw std::bad_alloc();
  const auto free = [](phi::Allocation* of) { std::free(of->ptr()); };
  return std::make_shared<phi::Allocation>(block, bytes, free, place);
}

inline phi::Allocator::AllocationPtr NewAlone(const phi::Place& place, std::size_t bytes) {
  auto* kept = new std::shared_ptr<phi::Allocation>(NewShared(place, bytes));
  return phi::Allocator::AllocationPtr(kept->get(), [kept](phi::Allocation*) { delete kept; });
}

inline void CopyBytes(
    phi::Place, void* to, phi::Place, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

struct Table {
  Table() {
    auto table = std::make_unique<phi::MemoryInterface>();
    *table = {};
    table->alloc = NewAlone;
    table->alloc_shared = NewShared;
    table->copy = CopyBytes;
    phi::MemoryUtils::Instance().Init(std::move(table));
  }
};

static const Table the_table;

}  // namespace unfold
