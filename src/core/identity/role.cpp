#include "core/identity/role.h"

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

}  // namespace headlight
