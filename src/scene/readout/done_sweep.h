// A sweep that was done: its order, the study and question that it was made for, and its result.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "model/sweep/sweep.h"

namespace headlight {

struct SweepOrder {
    SweepSettings settings = {};
    LogitQuestion question = {};
    std::string asked = {};  // "␣Mary − ␣John after ␣to", for pictures
    std::shared_ptr<const Document> document = {};
    std::shared_ptr<const Trace> base = {};  // of the document
    std::shared_ptr<const Trace> from = {};  // of SweepKind::Patch
    /// The text of `from`, where that is the same study with another text.
    std::optional<std::string> from_text = {};
};

struct DoneSweep {
    SweepOrder order;
    std::string sentence;  // says what was replaced by what
    SweepResult result;
};

}  // namespace headlight
