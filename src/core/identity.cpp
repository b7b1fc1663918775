#include "core/identity.h"

#include <array>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t kRoles = static_cast<std::size_t>(Role::BeforeLogits) + 1;

constexpr std::pair<Role, std::string_view> kNames[] = {
    {Role::Image, "image"},
    {Role::Patches, "patches"},
    {Role::EdgeFeatures, "edge_features"},
    {Role::Tokens, "tokens"},
    {Role::Embedding, "embed"},
    {Role::Positions, "pos_embed"},
    {Role::Mask, "mask"},
    {Role::ResidPre, "resid_pre"},
    {Role::ResidAttn, "resid_attn"},
    {Role::ResidMid, "resid_mid"},
    {Role::ResidPost, "resid_post"},
    {Role::Query, "q"},
    {Role::Key, "k"},
    {Role::Value, "v"},
    {Role::NewKey, "k_new"},
    {Role::NewValue, "v_new"},
    {Role::NormedQuery, "norm_q"},
    {Role::NormedKey, "norm_k"},
    {Role::RotatedQuery, "rot_q"},
    {Role::RotatedKey, "rot_k"},
    {Role::QueryHidden, "query_hidden"},
    {Role::KeyHidden, "key_hidden"},
    {Role::SourceScores, "score_src"},
    {Role::TargetScores, "score_dst"},
    {Role::EdgeScores, "score_edge"},
    {Role::RawScores, "raw_scores"},
    {Role::UncappedScores, "uncapped_scores"},
    {Role::ContentScores, "content_scores"},
    {Role::PositionScores, "position_scores"},
    {Role::Scores, "scores"},
    {Role::MaskedScores, "masked_scores"},
    {Role::Pattern, "pattern"},
    {Role::ContentMix, "content_z"},
    {Role::PositionMix, "position_z"},
    {Role::HeadOutput, "z"},
    {Role::HeadResult, "result"},
    {Role::NormWeighted, "norm_weighted"},
    {Role::QueryKeyCircuit, "QK"},
    {Role::ValueOutputCircuit, "OV"},
    {Role::Metrics, "metrics"},
    {Role::Overview, "overview"},
    {Role::AttentionOutput, "out"},
    {Role::MlpGate, "gate"},
    {Role::MlpPre, "pre"},
    {Role::MlpOutput, "out"},
    {Role::Logits, "logits"},
    {Role::ClassLogits, "logits"},
    {Role::ClassProbabilities, "probs"},
    {Role::Probabilities, "probs"},
    {Role::Answer, "answer"},
    {Role::Annotations, "h"},
    {Role::WordBefore, "y"},
    {Role::StepInput, "x"},
    {Role::BeforeLogits, "t"},
};

constexpr auto kNameOf = [] {
    std::array<std::string_view, kRoles> names{};
    for (const auto& [role, name] : kNames) names[static_cast<std::size_t>(role)] = name;
    return names;
}();

}  // namespace

std::string_view role_name(Role role) {
    return kNameOf[static_cast<std::size_t>(role)];
}

namespace {

std::string_view path_prefix(Network network) {
    switch (network) {
        case Network::Main:
            return "";
        case Network::Source:
            return "source.";
        case Network::Target:
            return "target.";
        case Network::Encoder:
            return "encoder.";
        case Network::Forward:
            return "encoder.forward.";
        case Network::Backward:
            return "encoder.backward.";
        case Network::Decoder:
            return "decoder.";
        case Network::Decoding:
            return "decoding.";
        case Network::Probe:
            return "probe.";
    }
    return "";
}

std::string_view path_segment(ComponentKind component) {
    switch (component) {
        case ComponentKind::Attention:
            return "attn.";
        case ComponentKind::CrossAttention:
            return "cross.";
        case ComponentKind::ClassAttention:
            return "class_attn.";
        case ComponentKind::Mlp:
            return "mlp.";
        default:
            return "";
    }
}

/// Returns the name of a role: in a graph, a head's output has the same name as its layer's.
std::string_view name_in(ComponentKind component, Role role) {
    const bool is_in_graph = component == ComponentKind::GraphAttention;
    return is_in_graph && role == Role::HeadOutput ? "out" : role_name(role);
}

void append(std::string& path, std::string_view segment, int number) {
    if (number < 0) return;
    path += segment;
    path += std::to_string(number);
    path += '.';
}

/// "decoding.steps.3.blocks.0."
std::string path_of_layer(const Location& place, std::size_t room) {
    std::string path;
    path.reserve(48 + room);
    path += path_prefix(place.network);
    append(path, "steps.", place.step);
    append(path, place.component == ComponentKind::GraphAttention ? "gat." : "blocks.",
           place.layer);
    return path;
}

/// "decoding.steps.3.blocks.0.attn.heads.2."
std::string path_of_place(const Location& place, std::size_t room) {
    std::string path = path_of_layer(place, room);
    path += path_segment(place.component);
    append(path, "heads.", place.head);
    append(path, "kv.", place.kv_group);
    return path;
}

Named named(std::string path, std::string_view name, const Location& place, Role role) {
    path += name;
    return {std::move(path), {place, role}};
}

}  // namespace

Location Location::with(ComponentKind other) const {
    Location place = *this;
    place.component = other;
    return place;
}

Location Location::of_step(int number) const {
    Location place = *this;
    place.step = number;
    return place;
}

Location Location::of_layer(int number) const {
    Location place = *this;
    place.layer = number;
    return place;
}

Location Location::of_head(int number) const {
    Location place = *this;
    place.head = number;
    return place;
}

Location Location::of_kv_group(int number) const {
    Location place = *this;
    place.kv_group = number;
    return place;
}

Named Location::at(Role role) const {
    return at(name_in(component, role), role);
}

Named Location::at(std::string_view name, Role role) const {
    return named(path_of_place(*this, name.size()), name, *this, role);
}

Named Location::beside(Role role) const {
    return beside(name_in(component, role), role);
}

Named Location::beside(std::string_view name, Role role) const {
    return named(path_of_layer(*this, name.size()), name, *this, role);
}

std::string Location::path() const {
    std::string path = path_of_place(*this, 0);
    if (!path.empty()) path.pop_back();
    return path;
}

std::string_view last_segments(std::string_view path, int count) {
    std::size_t begin = path.size() + 1;
    for (; count > 0 && begin > 0; --count) begin = begin < 2 ? 0 : path.rfind('.', begin - 2) + 1;
    return path.substr(begin);
}

}  // namespace headlight
