// System calls that a test may replace.
#pragma once

#include "io/files/open_file.h"

namespace headlight {

/// While it lives, a test may change `system_calls`; afterwards the real ones are restored.
struct SystemCallsInPlace {
    SystemCallsInPlace() = default;
    ~SystemCallsInPlace() { system_calls = kSystemCalls; }
    SystemCallsInPlace(const SystemCallsInPlace&) = delete;
    SystemCallsInPlace& operator=(const SystemCallsInPlace&) = delete;
};

}  // namespace headlight
