#include "core/components.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace headlight {
namespace {

/// The location that all tensors of a component share.
Location component_place(Location place) {
    place.head = place.kv_group = -1;
    // Tensors that the layers of a decoded word share belong to the first layer.
    if (place.network == Network::Decoding && place.component == ComponentKind::Step)
        return place.with(ComponentKind::Attention).of_layer(0);
    const bool is_of_all =
        place.component == ComponentKind::Input || place.component == ComponentKind::Analyses ||
        (place.component == ComponentKind::Output && place.network != Network::Decoding);
    if (is_of_all) return {.component = place.component};
    return place;
}

/// Returns a hash that is different for different components.
std::uint64_t component_key(const Location& component) {
    const auto bits = [](auto value) { return static_cast<std::uint64_t>(value); };
    return bits(component.network) | bits(component.component) << 4 |
           bits(component.layer + 1) << 8 | bits(component.step + 1) << 32;
}

std::string capitalised(std::string_view words) {
    std::string text(words);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 32);
    return text;
}

const char* component_words(ComponentKind component) {
    return component == ComponentKind::CrossAttention   ? "cross-attention"
           : component == ComponentKind::ClassAttention ? "class attention"
           : component == ComponentKind::Mlp            ? "MLP"
                                                        : "attention";
}

/// Names a component of a layer or of a step: "Encoder layer 1", "attention".
void name_numbered(Component& component) {
    const Location& at = component.place;
    const std::string step = fmt::format("step {}", at.step);
    component.path = at.path();
    component.group = network_words(at.network);
    if (at.step >= 0) component.group += " " + step;
    if (at.layer >= 0) component.group += fmt::format(" layer {}", at.layer);
    if (component.group.starts_with(' ')) component.group.erase(0, 1);
    component.group = capitalised(component.group);
    component.label = at.layer >= 0 ? component_words(at.component) : step;
}

Component make_component(const Location& place) {
    Component component{.place = place, .path = {}, .group = {}, .label = {}, .tensors = {}};
    if (place.layer >= 0 || place.step >= 0) {
        name_numbered(component);
        return component;
    }
    switch (place.component) {
        case ComponentKind::Input:
            component.path = "input";
            break;
        case ComponentKind::Output:
            component.path = place.network == Network::Decoding ? "decoding" : "output";
            break;
        case ComponentKind::Analyses:
            component.path = "analyses";
            break;
        default:
            component.path = place.path();
    }
    const std::size_t end = component.path.find('.');
    component.group = capitalised(component.path.substr(0, end));
    component.label = place.component == ComponentKind::Attention ? "alignment"
                      : end == std::string::npos                  ? component.group
                                                 : std::string(last_segments(component.path));
    return component;
}

/// Puts the final norm into the output, after the class token that reads its result.
void put_class_before_output(Components& components) {
    const auto reader = std::ranges::find_if(components, &Component::is_of_class);
    const auto output = std::ranges::find(components, "output", &Component::path);
    if (output < reader && reader != components.end())
        std::rotate(output, reader, std::next(reader));
}

/// True for biases and gains: one row, many columns.
bool is_small_parameter(const PlannedTensor& tensor) {
    const Role role = tensor.identity.role;
    return tensor.is_leaf() && tensor.rows.size == 1 && (role == Role::Bias || role == Role::Gain);
}

/// True if a picture of `reader` shows this input from another component. Other steps, and tensors
/// that collect all steps, are left out.
bool is_read_visibly(const PlannedTensor& tensor, const Component& reader) {
    return !reader.is_analyses() && !is_small_parameter(tensor) && tensor.identity.step < 0;
}

}  // namespace

std::string head_word(const Component& attention, int head) {
    const auto at = static_cast<std::size_t>(head);
    return at < attention.head_names.size() ? attention.head_names[at] : std::to_string(head);
}

std::string head_word(const PlannedTensor& of_head) {
    return of_head.head_name ? of_head.head_name : std::to_string(of_head.identity.head);
}

std::string head_title(const Component& attention, int head) {
    return (attention.head_names.empty() ? "head " : "") + head_word(attention, head);
}

std::string head_title(const PlannedTensor& of_head) {
    return (of_head.head_name ? "" : "head ") + head_word(of_head);
}

std::string attention_name(const Component& attention) {
    const char* kind = attention.is_cross()      ? " · cross"
                       : attention.is_of_class() ? " · class"
                                                 : "";
    return attention.group + kind;
}

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

bool Component::has(const Location& tensor) const {
    return tensor.network != Network::Probe && component_place(tensor) == place;
}

Components make_components(const Plan& plan) {
    Components components;
    std::unordered_map<std::uint64_t, std::size_t> index;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        if (identity.is_probe()) continue;
        const Location place = component_place(identity);
        const auto [it, is_new] = index.emplace(component_key(place), components.size());
        if (is_new) components.push_back(make_component(place));
        Component& component = components[it->second];
        component.tensors.push_back(id);
        if (identity.role != Role::Pattern) continue;
        component.n_heads = std::max(component.n_heads, identity.head + 1);
        if (plan[id].head_name) component.head_names.push_back(plan[id].head_name);
    }
    std::stable_partition(components.begin(), components.end(),
                          [](const Component& component) { return !component.is_analyses(); });
    put_class_before_output(components);
    return components;
}

const Component* find_component(const Components& components, const std::string& path) {
    const auto it = std::ranges::find(components, path, &Component::path);
    return it == components.end() ? nullptr : &*it;
}

const Component* find_component(const Components& components, const Location& place) {
    const auto it = std::ranges::find_if(
        components, [&](const Component& component) { return component.has(place); });
    return it == components.end() ? nullptr : &*it;
}

const Component* component_with(const Plan& plan, const Components& components,
                                const std::string& tensor_path) {
    const PlannedTensor* tensor = plan.find(tensor_path);
    return tensor ? find_component(components, tensor->identity) : nullptr;
}

std::vector<TensorId> shown_tensors(const Plan& plan, const Component& component, int head) {
    const bool shows_on_demand = std::ranges::all_of(
        component.tensors, [&](TensorId id) { return plan[id].keep == Keep::OnDemand; });
    std::vector<bool> is_own(plan.tensors().size()), is_shown(is_own), is_read(is_own);
    for (const TensorId id : component.tensors) is_own[id] = true;
    for (auto it = component.tensors.rbegin(); it != component.tensors.rend(); ++it) {
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
            if (!is_own[input] && is_read_visibly(plan[input], component)) is_shown[input] = true;
        }
    }
    std::vector<TensorId> shown;
    for (TensorId id = 0; id < is_shown.size(); ++id)
        if (is_shown[id]) shown.push_back(id);
    return shown;
}

const Tensor* find_of_head(const Trace& trace, const Component& component, int head, Role role) {
    return trace.find(component.place.of_head(head).at(role).path);
}

const Tensor* find_mask(const Trace& trace, const PlannedTensor& pattern) {
    const Tensor* masked = trace.find(pattern.identity.at(Role::MaskedScores).path);
    if (!masked) return nullptr;
    for (const TensorId id : masked->inputs())
        if (trace[id].identity().role == Role::Mask) return &trace[id];
    return nullptr;
}

}  // namespace headlight
