#include "scene/asked_word.h"

namespace headlight {

std::optional<Index> asked_row(const Trace& page) {
    const Location output{.component = ComponentKind::Output};
    const Tensor* asked = page.find(output.at("asked").path);
    if (!asked || !asked->value || asked->value->size() == 0 || asked->value->hasNaN())
        return std::nullopt;
    return static_cast<Index>((*asked->value)(0, 0)) - asked->first_row();
}

}  // namespace headlight
