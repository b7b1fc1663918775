// Faults: errors of one page, where all of them are wanted.
#pragma once

#include <vector>

#include "core/error.h"

namespace headlight {

using Faults = std::vector<Error>;

/// Adds an error of `act` to the faults; null: it is thrown. False after an error.
bool attempt(Faults* faults, const auto& act) {
    try {
        act();
        return true;
    } catch (const Error& error) {
        if (!faults) throw;
        faults->push_back(error);
        return false;
    }
}

}  // namespace headlight
