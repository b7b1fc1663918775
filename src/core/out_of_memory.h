// Memory that runs out is an Error as any other.
#pragma once

#include <new>
#include <utility>

#include "core/error.h"

namespace headlight {

/// Calls `action`. Where there is not enough memory for it, throws Error with what it was.
template <typename Action>
decltype(auto) need_memory_for(const std::string& what, Action&& action) {
    try {
        return std::forward<Action>(action)();
    } catch (const std::bad_alloc&) {
        throw Error("memory", "there is not enough for " + what + "; nothing has changed");
    }
}

}  // namespace headlight
