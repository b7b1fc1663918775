#include "core/heads/head_inputs.h"

namespace headlight {

std::optional<TensorId> find_head_input(const Plan& plan, const Location& attention, int head,
                                        Role role) {
    const auto has = [&](const Location& place, Role what) {
        return plan.find(place.at(what).path) != nullptr;
    };
    if (has(attention.of_head(head), role))
        return plan.id_at(attention.of_head(head).at(role).path);
    int n_heads = 0, n_groups = 0;
    while (has(attention.of_head(n_heads), Role::Pattern)) ++n_heads;
    while (has(attention.of_kv_group(n_groups), role)) ++n_groups;
    if (n_groups == 0 || head >= n_heads) return std::nullopt;
    const int group = head / (n_heads / n_groups);
    return plan.id_at(attention.of_kv_group(group).at(role).path);
}

}  // namespace headlight
