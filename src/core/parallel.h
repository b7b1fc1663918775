// How independent pieces of work are run; who knows threads gives another way than one by one.
#pragma once

#include <functional>

#include "core/matrix.h"

namespace headlight {

/// Calls task(0) … task(count − 1), in any order or at once, and returns when all are done. Throws
/// what a task throws, of several one.
using ForEach = std::function<void(Index count, const std::function<void(Index)>& task)>;

/// One after another, by the caller.
inline ForEach serial() {
    return [](Index count, const std::function<void(Index)>& task) {
        for (Index i = 0; i < count; ++i) task(i);
    };
}

}  // namespace headlight
