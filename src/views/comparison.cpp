#include "views/comparison.h"

#include <fmt/format.h>

#include "core/components.h"
#include "model/changes.h"

namespace headlight {

void name_sides(OtherStudy& study, const std::string& names) {
    const std::size_t bar = names.find('|');
    study.name_a = names.substr(0, bar);
    if (bar != std::string::npos) study.name = names.substr(bar + 1);
    study.is_named_by_words = false;
}

OtherStudy other_recorded_text(const Document& a, int number) {
    const auto name = [](int text) { return fmt::format("text {}", text + 1); };
    OtherStudy other{.name = name(number), .document = a};
    choose_recorded_text(other.document, number);
    other.name_a = name(a.recorded()->text_number);
    return other;
}

std::string path_of_other(const Tensor& tensor, const Component& attention, int head) {
    if (tensor.identity().head < 0) return tensor.path();
    return attention.place.of_head(head).at(tensor.name()).path;
}

std::string Comparison::path_in_b(const std::string& path) const {
    const OtherHead* head = other<OtherHead>();
    const Component* attention = head ? find_component(components, head->attention) : nullptr;
    const Tensor* tensor = attention && trace ? trace->find(path) : nullptr;
    return tensor ? path_of_other(*tensor, *attention, head->head) : path;
}

/// True if B is another head, and the tensor is not of a head.
bool Comparison::is_of_all_heads(const std::string& path) const {
    const Tensor* tensor = other<OtherHead>() && trace ? trace->find(path) : nullptr;
    return tensor && tensor->identity().head < 0;
}

const Tensor* Comparison::find(const std::string& path) const {
    if (!trace || is_of_all_heads(path)) return nullptr;
    const Tensor* tensor = trace->find(path_in_b(path));
    return tensor && tensor->value ? tensor : nullptr;
}

}  // namespace headlight
