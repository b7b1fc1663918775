// An allocator that fails on request.
#include <cstdlib>
#include <new>

#include "fault.h"

namespace headlight {

Fault memory_fault;

}  // namespace headlight

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return headlight::memory_fault.strikes() ? nullptr : std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
    if (void* memory = operator new(size, std::nothrow)) return memory;
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
