// Fault: makes the n-th call or allocation fail.
#pragma once

namespace headlight {

struct Fault {
    long countdown = 0;  // the n-th from now fails; 0: none does
    bool has_struck = false;

    bool strikes() {
        if (countdown == 0 || --countdown > 0) return false;
        return has_struck = true;
    }
};

/// The fault of operator new, which faulty_memory.cpp replaces.
extern Fault memory_fault;

}  // namespace headlight
