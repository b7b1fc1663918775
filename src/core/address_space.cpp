#include "core/address_space.h"

#ifndef __EMSCRIPTEN__
#include <sys/mman.h>
#endif

#include "core/error.h"

namespace headlight {

#ifdef __EMSCRIPTEN__
// A page has no address space beside its memory, which grows with every allocation.
void need_address_space(std::size_t, const char*) {}
#else
void need_address_space(std::size_t bytes, const char* for_what) {
    void* const room =
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        throw Error("memory", "there is not enough for {}, which needs {} MB more", for_what,
                    bytes >> 20);
    munmap(room, bytes);
}
#endif

}  // namespace headlight
