// Turns running out of memory into an Error like any other.
#pragma once

#include <new>
#include <utility>

#include "core/error.h"

namespace headlight {

/// Calls `action`. If memory runs out, throws an Error that says what it was needed for.
template <typename Action>
decltype(auto) need_memory_for(const std::string& what, Action&& action) {
    try {
        return std::forward<Action>(action)();
    } catch (const std::bad_alloc&) {
        throw Error("memory", "there is not enough for " + what + "; nothing has changed");
    }
}

}  // namespace headlight
