// Which part of which array each tensor of a study is, by the rules of a family.
#pragma once

#include <string>
#include <vector>

#include "core/plan.h"
#include "io/arrays/stored_array.h"
#include "io/models/families.h"
#include "io/models/model_source.h"

namespace headlight {

struct ModelLayout {
    std::vector<std::string> paths = {};      // of the tensors
    std::vector<ArrayPart> parts = {};        // one each
    std::vector<std::string> left_over = {};  // arrays that no tensor is made of
};

/// The arrays as the family calls them: without its prefix, and gamma and beta of old files as
/// weight and bias. Throws Error, naming `source`, if one is there under two names.
StoredArrays renamed(const Family& family, StoredArrays arrays, const std::string& source);

/// One part for every learned tensor of the plan. Throws Error, naming `source`, that lists which
/// arrays are missing or have another shape than config.json says.
ModelLayout lay_out_model(const Family& family, const ModelConfig& config, const Plan& plan,
                          const StoredArrays& arrays, const std::string& source);

}  // namespace headlight
