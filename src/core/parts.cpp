#include "core/parts.h"

#include <algorithm>
#include <unordered_map>

namespace headlight {
namespace {

/// The place that all tensors of a part share.
Location part_place(Location place) {
    place.head = place.kv_group = -1;
    // What the layers of a decoded word share goes with the first.
    if (place.network == Network::Decoding && place.component == Component::Step)
        return place.with(Component::Attention).of_layer(0);
    const bool is_of_all =
        place.component == Component::Input || place.component == Component::Analyses ||
        (place.component == Component::Output && place.network != Network::Decoding);
    if (is_of_all) return {.component = place.component};
    return place;
}

/// Different for different parts.
std::uint64_t key_of(const Location& part) {
    const auto bits = [](auto value) { return static_cast<std::uint64_t>(value); };
    return bits(part.network) | bits(part.component) << 4 | bits(part.layer + 1) << 8 |
           bits(part.step + 1) << 32;
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 32);
    return text;
}

const char* component_words(Component component) {
    return component == Component::CrossAttention ? "cross-attention"
           : component == Component::Mlp          ? "MLP"
                                                  : "attention";
}

/// A part of one layer or of one step: "Encoder layer 1", "attention".
void name_numbered(Part& part) {
    const Location& at = part.place;
    const std::string step = "step " + std::to_string(at.step);
    part.path = at.path();
    part.group = network_words(at.network);
    if (at.step >= 0) part.group += " " + step;
    if (at.layer >= 0) part.group += " layer " + std::to_string(at.layer);
    if (part.group.starts_with(' ')) part.group.erase(0, 1);
    part.group = capitalised(std::move(part.group));
    part.label = at.layer >= 0 ? component_words(at.component) : step;
}

Part make_part(const Location& place) {
    Part part{.place = place, .path = {}, .group = {}, .label = {}, .tensors = {}};
    if (place.layer >= 0 || place.step >= 0) {
        name_numbered(part);
        return part;
    }
    switch (place.component) {
        case Component::Input:
            part.path = "input";
            break;
        case Component::Output:
            part.path = place.network == Network::Decoding ? "decoding" : "output";
            break;
        case Component::Analyses:
            part.path = "analyses";
            break;
        default:
            part.path = place.path();
    }
    const std::size_t end = part.path.find('.');
    part.group = capitalised(part.path.substr(0, end));
    part.label = place.component == Component::Attention ? "alignment"
                 : end == std::string::npos              ? part.group
                                                         : std::string(last_segments(part.path));
    return part;
}

bool is_on_demand_only(const Plan& plan, const Part& part) {
    return std::all_of(part.tensors.begin(), part.tensors.end(),
                       [&](TensorId id) { return plan[id].keep == Keep::OnDemand; });
}

/// Biases and gains: one row, one of many columns.
bool is_small_parameter(const PlannedTensor& tensor) {
    const Role role = tensor.identity.role;
    return tensor.is_leaf() && tensor.rows.size == 1 && (role == Role::Bias || role == Role::Gain);
}

/// What a part reads of others: not the other steps, and not all that is summed up over them.
bool is_read_visibly(const PlannedTensor& tensor, const Part& reader) {
    return !reader.is_analyses() && !is_small_parameter(tensor) && tensor.identity.step < 0;
}

}  // namespace

std::string network_words(Network network) {
    switch (network) {
        case Network::Encoder:
            return "Encoder";
        case Network::Forward:
            return "Encoder forward";
        case Network::Backward:
            return "Encoder backward";
        case Network::Decoder:
            return "Decoder";
        case Network::Decoding:
            return "Decoding";
        default:
            return "";
    }
}

bool Part::has(const Location& tensor) const {
    return tensor.network != Network::Probe && part_place(tensor) == place;
}

Parts parts_of(const Plan& plan) {
    Parts parts;
    std::unordered_map<std::uint64_t, std::size_t> index;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        if (identity.is_probe()) continue;
        const Location place = part_place(identity);
        const auto [it, is_new] = index.emplace(key_of(place), parts.size());
        if (is_new) parts.push_back(make_part(place));
        Part& part = parts[it->second];
        part.tensors.push_back(id);
        if (identity.role == Role::Pattern)
            part.n_heads = std::max(part.n_heads, identity.head + 1);
    }
    std::stable_partition(parts.begin(), parts.end(),
                          [](const Part& part) { return !part.is_analyses(); });
    return parts;
}

const Part* find_part(const Parts& parts, const std::string& path) {
    const auto it = std::ranges::find(parts, path, &Part::path);
    return it == parts.end() ? nullptr : &*it;
}

const Part* find_part(const Parts& parts, const Location& place) {
    const auto it = std::ranges::find_if(parts, [&](const Part& part) { return part.has(place); });
    return it == parts.end() ? nullptr : &*it;
}

const Part* part_with(const Plan& plan, const Parts& parts, const std::string& tensor_path) {
    const PlannedTensor* tensor = plan.find(tensor_path);
    return tensor ? find_part(parts, tensor->identity) : nullptr;
}

std::vector<TensorId> shown_tensors(const Plan& plan, const Part& part, int head) {
    const bool shows_on_demand = is_on_demand_only(plan, part);
    std::vector<bool> is_own(plan.tensors().size()), is_shown(is_own), is_read(is_own);
    for (const TensorId id : part.tensors) is_own[id] = true;
    for (auto it = part.tensors.rbegin(); it != part.tensors.rend(); ++it) {
        const PlannedTensor& tensor = plan[*it];
        const int own_head = tensor.identity.head;
        // Keys and values that some heads share are shown with these heads.
        const bool is_elsewhere =
            own_head >= 0 ? own_head != head : tensor.identity.kv_group >= 0 && !is_read[*it];
        if (is_elsewhere || is_small_parameter(tensor) ||
            (tensor.keep == Keep::OnDemand && !shows_on_demand))
            continue;
        is_shown[*it] = true;
        for (const TensorId input : tensor.inputs) {
            is_read[input] = true;
            if (!is_own[input] && is_read_visibly(plan[input], part)) is_shown[input] = true;
        }
    }
    std::vector<TensorId> shown;
    for (TensorId id = 0; id < is_shown.size(); ++id)
        if (is_shown[id]) shown.push_back(id);
    return shown;
}

const Tensor* find_of_head(const Trace& trace, const Part& part, int head, Role role) {
    return trace.find(part.place.of_head(head).at(role).path);
}

}  // namespace headlight
