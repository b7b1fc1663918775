#include "model/ablation.h"

#include <fmt/format.h>

#include "model/changes.h"

namespace headlight {

const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head) {
    return find_of_head(trace, attention, head, Role::HeadOutput);
}

std::optional<Ablation> find_ablation(const Tensor& z) {
    const Ablation ablation = z.intervention.ablation;
    return ablation == Ablation::None ? std::nullopt : std::optional(ablation);
}

void ablate(Document& document, const std::string& path, std::optional<Ablation> ablation) {
    reset_tensor(document, path);
    if (ablation) document.interventions[path].ablation = *ablation;
}

std::string ablation_name(const Component& attention, int head, std::optional<Ablation> ablation) {
    const std::string name = "head " + head_word(attention, head);
    if (!ablation) return "Restore " + name;
    return "Ablate " + name + (*ablation == Ablation::Zero ? " to zero" : " to its mean");
}

void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation) {
    for (int h = 0; h < attention.n_heads; ++h) {
        const Tensor* z = ablated_tensor(whole, attention, h);
        if (z && h != head) ablate(document, z->path(), ablation);
        if (z && h == head && find_ablation(*z)) reset_tensor(document, z->path());
    }
}

void restore_heads(Document& document, const Trace& whole, const Component& attention) {
    for (int h = 0; h < attention.n_heads; ++h)
        if (const Tensor* z = ablated_tensor(whole, attention, h); z && find_ablation(*z))
            reset_tensor(document, z->path());
}

}  // namespace headlight
